// What a reader knows, kept in this browser by corpus; ticks change the path without leaving the page.
"use strict";
const form = document.getElementById("path");
const steps = document.getElementById("steps");
const key = `known:${form.dataset.corpus}`;
const fetchPart = partFetcher();

function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(list) ? list.filter((name) => typeof name === "string").slice(0, 1500) : [];
  } catch { return []; }
}
function keep(list) {
  try { localStorage.setItem(key, JSON.stringify(list)); } catch { /* storage may be forbidden */ }
}
async function update(list) {
  const body = new URLSearchParams(list.map((name) => ["known", name]));
  if (form.elements.cited?.checked) body.append("cited", "1");
  const focused = document.activeElement?.value;
  steps.classList.add("busy");
  const answer = await fetchPart(form.action, {method: "POST", body});
  if (!answer) return;
  steps.classList.remove("busy");
  if (!answer.ok) return;
  steps.innerHTML = answer.text;
  prepare();
  const again = [...steps.querySelectorAll("input[type=checkbox]")].find((one) => one.value === focused);
  (again ?? document.getElementById("add")).focus();
}
function prepare() {
  const forget = document.getElementById("forget");
  if (forget) forget.hidden = false;
}
form.addEventListener("change", (event) => {
  const box = event.target;
  if (box.name === "cited") { update(kept()); return; }
  if (box.type !== "checkbox" || box.name !== "known") return;
  const list = kept().filter((name) => name !== box.value);
  if (box.checked) list.push(box.value);
  keep(list);
  update(list);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const name = document.getElementById("add").value.trim();
  const list = kept().filter((other) => other !== name);
  if (name) list.push(name);
  update(list).then(() => {
    // A name that nothing has is not kept.
    if (!steps.querySelector("[role=alert]")) keep(list);
  });
});
form.addEventListener("click", (event) => {
  if (event.target.id === "forget") { keep([]); update([]); }
});
prepare();
if (kept().length) update(kept());
