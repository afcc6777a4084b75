// What to read before a statement, in a written site; what a reader knows is kept in this browser.
"use strict";
const MOST = 120;
const main = document.getElementById("path"), steps = document.getElementById("steps"), status = document.getElementById("status");
const asked = (new URLSearchParams(location.search).get("of") ?? "").toUpperCase();
let graph = null; // tags and uses by position, chapters, and the chapter of each position.

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

const tick = (value, label, checked) => make("input", {type: "checkbox", name: "known", value, checked, ariaLabel: label});
const labelled = (value, text, checked) => make("li", {}, make("label", {}, tick(value, null, checked), " ", text));

async function show() {
  const target = graph.tags.indexOf(asked), known = new Set(kept(main.dataset.work));
  if (target < 0) { status.textContent = "There is no such statement here."; return; }
  const isKnown = (at) => at !== target && (known.has(graph.tags[at]) || known.has(`chapter ${graph.chapters[graph.home[at]]}`));
  const {found, cutAt} = collect(target, isKnown), order = ordered(found);
  const shown = await Promise.all(order.map(statementAt));
  const items = shown.map((one, place) => make("li", {className: `k${one[1]}`},
    ...(order[place] === target ? [] : [tick(one[0], `I know ${one[2]}`, false), " "]), statementLink(one)));
  const more = [];
  if (graph.chapters.length > 1) {
    const names = graph.chapters.map((name) => labelled(`chapter ${name}`, name, known.has(`chapter ${name}`)));
    more.push(make("details", {className: "chapters", open: steps.querySelector(".chapters")?.open ?? false},
      make("summary", {}, "I know whole chapters"), make("ul", {}, ...names)));
  }
  if (known.size) {
    const entries = await Promise.all([...known].map(async (name) => {
      const at = graph.tags.indexOf(name);
      return labelled(name, at < 0 ? name : (await statementAt(at))[2], true);
    }));
    more.push(make("section", {id: "known"}, make("h2", {}, "Known ", make("span", {className: "figure"}, known.size)),
      make("ul", {className: "entries"}, ...entries), make("button", {type: "button", id: "forget"}, "Forget all")));
  }
  const focused = document.activeElement?.closest("#steps") ? [...steps.querySelectorAll("input")].indexOf(document.activeElement) : -1;
  steps.replaceChildren(make("ol", {className: "entries numbered steps"}, ...items), ...more);
  if (focused >= 0) [...steps.querySelectorAll("input")][Math.min(focused, steps.querySelectorAll("input").length - 1)]?.focus({preventScroll: true});
  const before = order.length - 1;
  status.textContent = `${before} statement${before === 1 ? "" : "s"}, in an order in which each rests only on what stands above it.`
    + (cutAt ? ` The list stops ${cutAt} step${cutAt === 1 ? "" : "s"} back, where it would get too long.` : "");
  document.getElementById("target").replaceChildren(statementLink(shown[order.indexOf(target)]));
}

steps.addEventListener("change", (event) => {
  const known = new Set(kept(main.dataset.work)), box = event.target;
  if (box.checked) known.add(box.value); else known.delete(box.value);
  keep(main.dataset.work, [...known]);
  show();
});
steps.addEventListener("click", (event) => { if (event.target.id === "forget") { keep(main.dataset.work, []); show(); } });

status.textContent = "Loading …";
part("graph", 0).then((data) => { graph = data; atOnce = data.atOnce; return show(); })
  .catch((error) => { status.textContent = `The path cannot be made: ${error.message}`; });
