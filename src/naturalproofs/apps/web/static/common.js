// What every page gets: colours, copying, a key for the search field.
"use strict";

document.documentElement.classList.add("scripted");
for (const element of document.querySelectorAll(".without-script")) element.hidden = true;

const theme = document.getElementById("theme");
theme.hidden = false;
theme.addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  try { localStorage.setItem("theme", root.dataset.theme); } catch { /* storage may be forbidden */ }
});

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without permission: select a hidden field and let the browser copy it.
    const field = make("textarea", {value: text, className: "visually-hidden"});
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  const said = button.textContent;
  button.textContent = "Copied";
  setTimeout(() => { button.textContent = said; }, 1200);
}

function showCopyButtons(root) {
  for (const button of root.querySelectorAll("button.copy")) button.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button.copy");
  if (button) copyText(button.dataset.copy, button);
});
showCopyButtons(document);
for (const button of document.querySelectorAll("button[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => print());
}

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, textarea, select");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = document.querySelector("input[type=search]");
    if (field) { event.preventDefault(); field.focus(); field.select(); }
  }
});

function later(wait, work) {
  let timer = 0;
  return (...given) => { clearTimeout(timer); timer = setTimeout(() => work(...given), wait); };
}

// Shows that a part of the page is on its way.
function setBusy(element, busy) {
  element.classList.toggle("busy", busy);
  element.setAttribute("aria-busy", String(busy));
}

function tellFailure(element, text) {
  element.replaceChildren(make("p", {className: "warning", role: "alert"}, text.trim() || "The server did not answer. Try again."));
}

// An element with its properties and attributes, and what it holds.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

// The arrow keys walk from a field through links and back.
function walk(field, links) {
  document.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const all = links(), at = all.indexOf(document.activeElement);
    if (!all.length || (at < 0 && document.activeElement !== field)) return;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? field : all[Math.min(next, all.length - 1)]).focus();
  });
}

// What a reader knows of a work, kept in this browser.
function kept(work) {
  try {
    const list = JSON.parse(localStorage.getItem(`known:${work}`) ?? "[]");
    return Array.isArray(list) ? list.filter((name) => typeof name === "string").slice(0, 1500) : [];
  } catch { return []; }
}
function keep(work, list) {
  try { localStorage.setItem(`known:${work}`, JSON.stringify(list)); } catch { /* storage may be forbidden */ }
}

// Parts of the index of a written site are scripts, which also works for pages opened as files.
const parts = new Map(), loaded = new Map();
function naturalproofsPart(kind, number, data) { parts.get(`${kind}-${number}`)?.(data); }
function part(kind, number, folder = "search/") {
  const name = `${kind}-${number}`;
  if (!loaded.has(name)) {
    loaded.set(name, new Promise((resolve, reject) => {
      const src = `${folder}${name}.js`;
      parts.set(name, resolve);
      document.head.append(make("script", {src, onerror: () => reject(new Error(`${src} cannot be loaded`))}));
    }));
  }
  return loaded.get(name);
}

// Fetches a part of a page; an older answer that comes after a newer question is dropped.
function partFetcher() {
  let latest = 0;
  let running = null;
  return async (address, options = {}) => {
    const mine = ++latest;
    running?.abort();
    running = new AbortController();
    try {
      const answer = await fetch(address, {...options, signal: running.signal, headers: {...options.headers, "X-Part": "1"}});
      const text = await answer.text();
      return mine === latest ? {ok: answer.ok, text} : null;
    } catch (error) {
      if (error.name === "AbortError" || mine !== latest) return null;
      return {ok: false, text: ""};
    }
  };
}

// On a narrow screen the contents of a chapter are folded above it.
if (matchMedia("(max-width: 58rem)").matches) document.querySelector(".beside details")?.removeAttribute("open");

// The section that is being read is marked in the contents beside the chapter.
const sections = [...document.querySelectorAll(".beside a")].map((link) => [link, document.getElementById(decodeURIComponent(link.hash.slice(1)))]);
function markSection() {
  const read = sections.findLast(([, heading]) => heading?.getBoundingClientRect().top < innerHeight / 3)?.[0];
  for (const [link] of sections) read === link ? link.setAttribute("aria-current", "location") : link.removeAttribute("aria-current");
}
if (sections.length) {
  addEventListener("scroll", markSection, {passive: true});
  markSection();
}
