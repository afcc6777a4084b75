// What a reader knows, kept in this browser by corpus; ticks change the path without leaving the page.
"use strict";
const form = document.getElementById("path");
const steps = document.getElementById("steps");
const work = form.dataset.corpus;
const fetchPart = partFetcher();

// The list is drawn again: focus goes to what stands where the focus was, without moving the page.
function focusKeeper() {
  const active = document.activeElement;
  const list = active?.closest("#steps ol, #steps ul");
  const selector = list ? (list.closest("#known") ? "#known input" : list.closest(".chapters") ? ".chapters input" : ".steps input") : "";
  const at = list ? [...steps.querySelectorAll(selector)].indexOf(active) : -1;
  const open = steps.querySelector(".chapters")?.open;
  return () => {
    const chapters = steps.querySelector(".chapters");
    if (chapters && open) chapters.open = true;
    if (list) {
      const boxes = [...steps.querySelectorAll(selector)];
      (boxes[Math.min(at, boxes.length - 1)] ?? document.getElementById("add")).focus({preventScroll: true});
    } else if (active?.closest("#steps")) document.getElementById(active.id || "add")?.focus({preventScroll: true});
  };
}
async function update(list) {
  const body = new URLSearchParams(list.map((name) => ["known", name]));
  if (form.elements.cited?.checked) body.append("cited", "1");
  setBusy(steps, true);
  const answer = await fetchPart(form.action, {method: "POST", body});
  if (!answer) return;
  setBusy(steps, false);
  if (!answer.ok) { tellFailure(steps, answer.text); return; }
  const focus = focusKeeper();
  steps.innerHTML = answer.text;
  prepare();
  focus();
}
function prepare() {
  const forget = document.getElementById("forget");
  if (forget) forget.hidden = false;
}
form.addEventListener("change", (event) => {
  const box = event.target;
  if (box.name === "cited") { update(kept(work)); return; }
  if (box.type !== "checkbox" || box.name !== "known") return;
  const list = kept(work).filter((name) => name !== box.value);
  if (box.checked) list.push(box.value);
  keep(work, list);
  update(list);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = document.getElementById("add").value.trim();
  const list = kept(work).filter((other) => other !== name);
  if (name) list.push(name);
  update(list).then(() => {
    // A name that nothing has is not kept.
    if (!steps.querySelector("[role=alert]")) keep(work, list);
  });
});
form.addEventListener("click", (event) => {
  if (event.target.id === "forget") { keep(work, []); update([]); }
});
prepare();
if (kept(work).length) update(kept(work));
