// Search in a written site.
"use strict";

// What the ranking asks of the index, whose parts are loaded when they are needed.
class Index {
  constructor(data, load) {
    const {vocabulary, rules: given, ...known} = data;
    Object.assign(this, known);
    rules = given;
    this.load = load;
    this.size = this.kinds.length;
    this.vocabulary = [];
    for (let at = 0; at < vocabulary.length; at += 2) this.vocabulary.push([vocabulary[at], vocabulary[at + 1]]);
    this.counts = new Map(this.vocabulary);
    this.values = new Map();
  }
  async get(table, key) {
    const firsts = this.firsts[table], name = `${table} ${key}`;
    let low = 0, high = firsts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (key < firsts[middle]) high = middle; else low = middle + 1;
    }
    if (!low) return undefined;
    if (!this.values.has(name)) {
      const value = (await this.load(table, low - 1))[key];
      this.values.set(name, value && {terms: (one) => this.postings(one), formulas: this.positions, names: (one) => one, places: this.places}[table](value));
    }
    return this.values.get(name);
  }
  places(rows) { return new Map(rows.map(([at, ...places]) => [at, new Set(places)])); }
  positions(distances) {
    let at = 0;
    return distances.map((distance) => at += distance);
  }
  postings([list, vector]) {
    const found = new Map();
    for (let i = 0, at = 0; i < list.length; i += 3) found.set(at += list[i], [list[i + 1] / 1000, list[i + 2]]);
    return [found, vector && this.vector(vector)];
  }
  vector([scale, bytes]) { return Float32Array.from(atob(bytes), (one) => scale * (one.charCodeAt(0) << 24 >> 24)); }
  async cosines(place) {
    this.vectors ??= await this.load("vectors", 0);
    this.rows ??= this.vectors.map((one) => this.vector(one));
    return this.rows.map((row) => row.reduce((total, value, at) => total + value * place[at], 0));
  }
  // The statements that pass the filters of a query; none if there are no filters.
  async passing(query) {
    const wanted = Object.entries(query.filters).filter(([facet]) => ["kind", "chapter", "category"].includes(facet));
    if (!wanted.length && !query.phrases.length && !query.excluded.length) return null;
    let found = new Set(this.kinds.keys());
    const facets = await this.load("facets", 0);
    for (const [facet, names] of wanted) {
      const asked = names.map((one) => casefold(one).trim()), kept = new Set();
      for (const [value, positions] of Object.entries(facets[facet] ?? {})) {
        if (asked.some((one) => facet === "kind" ? one === value || one === `${value}s` : value.includes(one))) positions.forEach((at) => kept.add(at));
      }
      found = new Set([...found].filter((at) => kept.has(at)));
    }
    for (const [phrases, inside] of [[query.phrases, true], [query.excluded, false]]) {
      for (const phrase of phrases) {
        const [first, ...rest] = await Promise.all(phrase.map((term) => this.get("places", term)));
        const beside = (at) => [...first?.get(at) ?? []].some((place) => rest.every((one, step) => one?.get(at)?.has(place + step + 1)));
        found = new Set([...found].filter((at) => beside(at) === inside));
      }
    }
    return found;
  }
}

let opened = null;
async function openIndex() {
  const data = await part("search", 0);
  atOnce = data.atOnce;
  return new Index(data, part);
}
async function search(query) {
  opened ??= openIndex();
  const found = await ranked(await opened, query);
  return {total: found.total, hits: await Promise.all(found.positions.slice(0, 20).map(statementAt))};
}

const field = document.getElementById("q"), list = document.getElementById("hits"), status = document.getElementById("status");
let latest = 0;
function hit(found) {
  return make("li", {className: `hit k${found[1]}`}, make("h2", {}, statementLink(found)), make("p", {className: "where"}, found[4]));
}
async function show() {
  const query = field.value.trim(), mine = ++latest;
  const address = new URL(location.href);
  if (query) address.searchParams.set("q", query); else address.searchParams.delete("q");
  history.replaceState(null, "", address);
  if (!query) { list.replaceChildren(); status.textContent = ""; return; }
  status.textContent = "Searching …";
  try {
    const found = await search(query);
    if (mine !== latest) return;
    list.replaceChildren(...found.hits.map(hit));
    const total = found.total;
    status.textContent = !total ? "Nothing was found. Try fewer or other words." : total > found.hits.length
      ? `The first ${found.hits.length} of ${total.toLocaleString("en")}` : `${total} statement${total === 1 ? "" : "s"}`;
  } catch (error) {
    if (mine === latest) status.textContent = `The search index is incomplete: ${error.message}`;
  }
}
field.addEventListener("input", later(120, show));
document.getElementById("search").addEventListener("submit", (event) => { event.preventDefault(); show(); });
walk(field, () => [...list.querySelectorAll("a")]);
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.focus();
show();
