// What to read before a statement, in a written site; what a reader knows is kept in this browser.
"use strict";
const MOST = 120;
const main = document.getElementById("path"), steps = document.getElementById("steps"), status = document.getElementById("status");
const key = `known:${main.dataset.work}`;
const asked = (new URLSearchParams(location.search).get("of") ?? "").toUpperCase();
let graph = null; // tags and uses by position, chapters, and the chapter of each position.

function kept() {
  try {
    const list = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(list) ? list.filter((name) => typeof name === "string").slice(0, 5000) : []);
  } catch { return new Set(); }
}
function keep(known) {
  try { localStorage.setItem(key, JSON.stringify([...known])); } catch { /* storage may be forbidden */ }
}

// Everything within reach that is not known, nearest first; where a step would bring in too much, the path stops.
function collect(target, isKnown) {
  const found = new Set([target]);
  for (let edge = [target], distance = 1; edge.length; distance += 1) {
    const next = [...new Set(edge.flatMap((at) => graph.uses[at]))].filter((at) => !found.has(at) && !isKnown(at));
    if (found.size + next.length > MOST) return {found, cutAt: distance};
    next.forEach((at) => found.add(at));
    edge = next;
  }
  return {found, cutAt: 0};
}
// What is rested on comes first; among what is free, the order of the book. A circle is read in that order too.
function ordered(found) {
  const left = [...found].sort((a, b) => a - b), done = new Set();
  while (left.length) {
    const free = left.findIndex((at) => graph.uses[at].every((other) => !found.has(other) || done.has(other)));
    done.add(...left.splice(Math.max(free, 0), 1));
  }
  return [...done];
}

function tick(value, label, checked) {
  const box = document.createElement("input");
  Object.assign(box, {type: "checkbox", name: "known", value, checked});
  if (label) box.setAttribute("aria-label", label);
  return box;
}
function labelled(value, text, checked) {
  const item = document.createElement("li"), label = document.createElement("label");
  label.append(tick(value, "", checked), " ", text);
  item.append(label);
  return item;
}
function section(title, count, items) {
  const made = document.createElement("section"), heading = document.createElement("h2"), figure = document.createElement("span"), list = document.createElement("ul");
  figure.className = "figure";
  figure.textContent = count;
  heading.append(`${title} `, figure);
  list.className = "entries";
  list.append(...items);
  made.append(heading, list);
  return made;
}

async function show() {
  const target = graph.tags.indexOf(asked), known = kept();
  if (target < 0) { status.textContent = "There is no such statement here."; return; }
  const isKnown = (at) => at !== target && (known.has(graph.tags[at]) || known.has(`chapter ${graph.chapters[graph.home[at]]}`));
  const {found, cutAt} = collect(target, isKnown), order = ordered(found);
  const shown = await Promise.all(order.map(statementAt));
  const items = shown.map((one, place) => {
    const item = document.createElement("li");
    item.className = `k${one[1]}`;
    if (order[place] !== target) item.append(tick(one[0], `I know ${one[2]}`, false), " ");
    item.append(statementLink(one));
    return item;
  });
  const list = document.createElement("ol");
  list.className = "entries numbered steps";
  list.append(...items);
  const more = [];
  if (graph.chapters.length > 1) {
    const chapters = document.createElement("details"), summary = document.createElement("summary"), names = document.createElement("ul");
    chapters.className = "chapters";
    chapters.open = steps.querySelector(".chapters")?.open ?? false;
    summary.textContent = "I know whole chapters";
    names.append(...graph.chapters.map((name) => labelled(`chapter ${name}`, name, known.has(`chapter ${name}`))));
    chapters.append(summary, names);
    more.push(chapters);
  }
  if (known.size) {
    const entries = await Promise.all([...known].map(async (name) => {
      const at = graph.tags.indexOf(name);
      return labelled(name, at < 0 ? name : (await statementAt(at))[2], true);
    }));
    const forget = Object.assign(document.createElement("button"), {type: "button", id: "forget", textContent: "Forget all"});
    const made = section("Known", known.size, entries);
    made.id = "known";
    made.append(forget);
    more.push(made);
  }
  const focused = document.activeElement?.closest("#steps") ? [...steps.querySelectorAll("input")].indexOf(document.activeElement) : -1;
  steps.replaceChildren(list, ...more);
  if (focused >= 0) [...steps.querySelectorAll("input")][Math.min(focused, steps.querySelectorAll("input").length - 1)]?.focus({preventScroll: true});
  const before = order.length - 1;
  status.textContent = `${before} statement${before === 1 ? "" : "s"}, in an order in which each rests only on what stands above it.`
    + (cutAt ? ` The list stops ${cutAt} step${cutAt === 1 ? "" : "s"} back, where it would get too long.` : "");
  document.getElementById("target").replaceChildren(statementLink(shown[order.indexOf(target)]));
}

steps.addEventListener("change", (event) => {
  const known = kept(), box = event.target;
  if (box.checked) known.add(box.value); else known.delete(box.value);
  keep(known);
  show();
});
steps.addEventListener("click", (event) => { if (event.target.id === "forget") { keep(new Set()); show(); } });

status.textContent = "Loading …";
part("graph", 0).then((data) => { graph = data; atOnce = data.atOnce; return show(); })
  .catch((error) => { status.textContent = `The path cannot be made: ${error.message}`; });
