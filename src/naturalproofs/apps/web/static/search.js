// Searches while one types, and lets the arrow keys walk through the results.
"use strict";

const form = document.querySelector("form.search");
const field = document.getElementById("q");
const results = document.getElementById("results");
const fetchPart = partFetcher();
const links = () => [...results.querySelectorAll(".hit h2 a")];
let shown = formAddress();
let pressed = false;
let waiting = null;

function formAddress() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) if (!value) query.delete(name);
  return query.size ? `/?${query}` : "/";
}

async function searchNow() {
  const address = formAddress();
  if (address === shown) return;
  setBusy(results, true);
  const part = await fetchPart(address);
  if (!part) return;
  setBusy(results, false);
  if (!part.ok) { tellFailure(results, part.text); shown = ""; return; }
  // The list is not replaced between the press and the release of a button: the click would be lost.
  if (pressed) waiting = () => show(address, part.text);
  else show(address, part.text);
}

function show(address, text) {
  const at = links().indexOf(document.activeElement);
  shown = address;
  // Rendered and escaped by the server; the policy of the page allows no script in it.
  results.innerHTML = text;
  if (at >= 0) (links()[at] ?? field).focus();
  document.querySelector("h1").className = field.value.trim() ? "visually-hidden" : "lead";
  history.replaceState(null, "", address);
}

results.addEventListener("pointerdown", () => { pressed = true; });
for (const end of ["pointerup", "pointercancel"]) {
  // The click comes after the release.
  document.addEventListener(end, () => setTimeout(() => { pressed = false; waiting?.(); waiting = null; }));
}
field.addEventListener("input", later(160, searchNow));
form.addEventListener("change", (event) => { if (event.target !== field) searchNow(); });
form.addEventListener("submit", (event) => { event.preventDefault(); searchNow(); });
walk(field, links);
