// Live preview, suggestions without leaving the page, and a list of what was picked.
"use strict";

const form = document.getElementById("ask");
const text = document.getElementById("text");
const preview = document.getElementById("preview");
const answer = document.getElementById("answer");
const fetchPreview = partFetcher();
const fetchAnswer = partFetcher();
const picked = new Map();

async function showPreview() {
  if (!text.value.trim()) { preview.textContent = ""; return; }
  const part = await fetchPreview("/ask/preview", {method: "POST", body: new URLSearchParams({text: text.value})});
  // Rendered and escaped by the server; the policy of the page lets no script in it run.
  if (part?.ok) preview.innerHTML = part.text;
}

// What was typed and picked is kept until the tab is closed: a reload or the way back does not lose it.
const KEPT = "ask";
function keepAsked() {
  // The address says which statement is asked about.
  if (form.elements.statement) return;
  try { sessionStorage.setItem(KEPT, JSON.stringify({text: text.value, picked: [...picked]})); } catch { /* storage may be forbidden */ }
}
function restore() {
  if (text.value.trim() || form.elements.statement) return;
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (!kept?.text?.trim()) return;
    text.value = kept.text;
    for (const [key, one] of kept.picked) picked.set(key, one);
    showPreview();
    ask();
  } catch { /* storage may be forbidden, or hold something else */ }
}

async function ask() {
  keepAsked();
  const asked = new URLSearchParams(new FormData(form));
  asked.delete("picked");
  for (const key of picked.keys()) asked.append("picked", key);
  if (!text.value.trim()) { text.focus(); return; }
  setBusy(answer, true);
  const part = await fetchAnswer("/ask", {method: "POST", body: asked});
  if (!part) return;
  setBusy(answer, false);
  if (!part.ok) { tellFailure(answer, part.text); return; }
  answer.innerHTML = part.text;
  ready();
}

function ready() {
  for (const box of answer.querySelectorAll(".suggestions input[name=picked]")) {
    box.checked = picked.has(box.value);
    box.closest("li").classList.toggle("picked", box.checked);
  }
  showPicked();
}

function showPicked() {
  const list = document.getElementById("picked-list");
  if (!list) return;
  list.replaceChildren(...[...picked].map(([key, one]) => {
    const link = make("a", {href: one.address}, make("b", {}, one.name));
    const remove = make("button", {type: "button", className: "remove", ariaLabel: `Remove ${one.name}`, onclick: () => { picked.delete(key); ready(); }}, "×");
    return make("li", {className: one.kind}, link, " ", remove);
  }));
  const citations = document.getElementById("citations");
  citations.value = cited();
  citations.hidden = !picked.size;
  document.getElementById("picked-none").hidden = picked.size > 0;
  document.getElementById("copy").hidden = !picked.size;
  document.getElementById("next").hidden = !picked.size;
  document.getElementById("picked-count").textContent = picked.size;
  keepAsked();
}

// Commands that take several labels are joined: \cref{a} and \cref{b} become \cref{a,b}.
function cited() {
  const joined = new Map();
  const lines = [];
  for (const {cite} of picked.values()) {
    const match = /^(\\[a-zA-Z]*cref)\{([^{}]*)\}$/.exec(cite);
    if (!match) { lines.push(cite); continue; }
    if (!joined.has(match[1])) { joined.set(match[1], []); lines.push(match[1]); }
    joined.get(match[1]).push(match[2]);
  }
  return lines.map((line) => joined.has(line) ? `${line}{${joined.get(line).join(",")}}` : line).join("\n");
}

answer.addEventListener("change", (event) => {
  const box = event.target;
  if (box.name !== "picked") return;
  if (box.checked) {
    const kind = box.closest("li").className.split(" ").find((name) => /^k\d$/.test(name));
    picked.set(box.value, {name: box.dataset.name, cite: box.dataset.cite, address: box.dataset.address, kind});
  } else {
    picked.delete(box.value);
  }
  ready();
});
answer.addEventListener("click", (event) => {
  if (event.target.id === "copy") copyText(cited(), event.target);
});
form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
text.addEventListener("input", later(220, showPreview));
text.addEventListener("input", later(400, keepAsked));
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); ask(); }
});
const example = document.getElementById("example");
if (example) {
  example.hidden = false;
  example.addEventListener("click", () => { text.value = text.dataset.example; showPreview(); ask(); });
}
ready();
restore();
