// Searches while one types, and lets the arrow keys walk through what was found.
"use strict";

const form = document.querySelector("form.search");
const field = document.getElementById("q");
const results = document.getElementById("results");
const fetchPart = partFetcher();

async function searchNow() {
  const query = new URLSearchParams(new FormData(form));
  for (const [name, value] of [...query]) if (!value) query.delete(name);
  const address = query.size ? `/?${query}` : "/";
  results.classList.add("busy");
  const part = await fetchPart(address);
  if (!part) return;
  results.classList.remove("busy");
  if (!part.ok) return;
  // Rendered and escaped by the server; the policy of the page lets no script in it run.
  results.innerHTML = part.text;
  document.querySelector("h1").className = query.get("q") ? "unseen" : "lead";
  history.replaceState(null, "", address);
}

field.addEventListener("input", later(160, searchNow));
form.addEventListener("change", searchNow);
form.addEventListener("submit", (event) => { event.preventDefault(); searchNow(); });

document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...results.querySelectorAll(".hit h2 a")];
  const at = links.indexOf(document.activeElement);
  if (!links.length || (at < 0 && document.activeElement !== field)) return;
  event.preventDefault();
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  (next < 0 ? field : links[Math.min(next, links.length - 1)]).focus();
});
