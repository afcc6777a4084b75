// Search in a written site.
"use strict";

// The words of a text: the same as in the program that writes the index.
const GREEK = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma tau upsilon phi chi psi omega".split(" ");
const SIGNS = {"∑": "sum", "∏": "prod", "∫": "int", "∞": "infty", "∀": "forall", "∃": "exists", "∂": "partial", "⊗": "otimes", "⊕": "oplus", "√": "sqrt", "∅": "emptyset", "∪": "cup", "∩": "cap", "⊂": "subset", "→": "to", "≅": "cong", "≤": "leq", "≥": "geq"};
function fold(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()
    .replace(/[α-ω]/g, (sign) => ` ${GREEK[sign.codePointAt(0) - 0x3b1]} `)
    .replace(/[∑∏∫∞∀∃∂⊗⊕√∅∪∩⊂→≅≤≥]/g, (sign) => ` ${SIGNS[sign]} `);
}
function stem(word) {
  if (word.length < 4 || !word.endsWith("s") || /(ss|us|is)$/.test(word)) return word;
  return word.endsWith("ies") && word.length > 4 ? word.slice(0, -3) + "y" : word.slice(0, -1);
}
const LATEX = /\\(?:math[a-z]+|text[a-z]*|operatorname\*?|left|right|big+|displaystyle)\b/g;
function words(text) {
  const plain = text.replace(LATEX, " ").replace(/\\var(?=[a-z])/g, "\\").replace(/[{}^]/g, "");
  return (fold(plain).match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => [...word].length > 1);
}
const exact = (name) => "=" + fold(name).trim().split(/\s+/).join(" ");
const before = (a, b) => { // Terms are sorted by code points, as the index is.
  const x = [...a], y = [...b];
  for (let i = 0; i < x.length && i < y.length; i += 1) {
    if (x[i] !== y[i]) return x[i].codePointAt(0) < y[i].codePointAt(0);
  }
  return x.length < y.length;
};
function partOf(term) {
  const firsts = naturalproofsIndex.terms;
  let low = 0, high = firsts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(term, firsts[middle])) high = middle; else low = middle + 1;
  }
  return Math.max(0, low - 1);
}
function near(a, b) { // Whether one change, or one exchange of neighbours, makes a word into another.
  if (Math.abs(a.length - b.length) > 1) return false;
  let i = 0;
  while (i < a.length && a[i] === b[i]) i += 1;
  const x = a.slice(i), y = b.slice(i);
  return x.slice(1) === y || x === y.slice(1) || x.slice(1) === y.slice(1)
    || (x.length > 1 && x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
}
async function postings(word, prefix) {
  const first = partOf(word), last = prefix ? Math.min(partOf(word + "\uffff"), first + 2) : first;
  const found = new Map();
  const take = (list, share) => {
    for (let i = 0, at = 0; i < list.length; i += 2) {
      at += list[i];
      found.set(at, Math.max(found.get(at) ?? 0, list[i + 1] * share));
    }
  };
  const likely = [];
  for (let number = first; number <= last; number += 1) {
    const terms = await part("terms", number);
    for (let i = 0; i < terms.length; i += 2) {
      if (terms[i] === word) take(terms[i + 1], 1);
      else if (prefix && terms[i].startsWith(word)) take(terms[i + 1], 0.7);
      else if (word.length > 3 && !word.startsWith("=") && near(word, terms[i])) likely.push(terms[i + 1]);
    }
  }
  if (!found.size) for (const list of likely) take(list, 0.5);
  return found;
}

const ASKED = /^\s*(?:(?:the )?(?:definition|defn\.?|def\.?|meaning) of|define|what is|what are|what does|when is|when are)\s+(?:an?\s+|the\s+)?(.*?)\s*(?:mean)?\??\s*$/i;
const FORM = /^(?:theorem|lemma|proposition|corollary|definition|remark|example|tag|thm|prop|def|cor)\.?\s+/i;
async function search(query) {
  const asked = ASKED.exec(query), text = asked?.[1] || query;
  const list = words(text).map(stem);
  const scores = new Map(), matched = new Map();
  const typed = /[\p{L}\p{N}]$/u.test(query) ? list.length - 1 : -1;
  const wanted = list.length ? list.map((word, place) => postings(word, place === typed && word.length > 2)) : [];
  const names = [...new Set([text.trim(), text.trim().replace(FORM, "")])].filter(Boolean).map((name) => postings(exact(name), false));
  // The definition of a term comes before what only has it as a title.
  names.push(postings(`==${list.join(" ")}`, false));
  for (const found of await Promise.all(wanted)) {
    for (const [at, weight] of found) {
      scores.set(at, (scores.get(at) ?? 0) + weight);
      matched.set(at, (matched.get(at) ?? 0) + 1);
    }
  }
  for (const [at, count] of matched) scores.set(at, scores.get(at) * (count / list.length) ** 2);
  for (const found of await Promise.all(names)) {
    for (const [at, weight] of found) scores.set(at, (scores.get(at) ?? 0) + weight);
  }
  const ranked = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const first = ranked.slice(0, asked ? 40 : 20);
  const hits = await Promise.all(first.map(async ([at, score]) => [score, await statementAt(at)]));
  if (asked) hits.sort((a, b) => b[0] * (b[1][1] === 1 ? 2 : 1) - a[0] * (a[1][1] === 1 ? 2 : 1));
  return {total: ranked.length, hits: hits.slice(0, 20).map(([, hit]) => hit)};
}

const field = document.getElementById("q"), list = document.getElementById("hits"), status = document.getElementById("status");
let latest = 0;
function hit(found) {
  const item = document.createElement("li"), heading = document.createElement("h2"), place = document.createElement("p");
  item.className = `hit k${found[1]}`;
  heading.append(statementLink(found));
  place.className = "where";
  place.textContent = found[4];
  item.append(heading, place);
  return item;
}
async function show() {
  const query = field.value.trim(), mine = ++latest;
  const address = new URL(location.href);
  if (query) address.searchParams.set("q", query); else address.searchParams.delete("q");
  history.replaceState(null, "", address);
  if (!query) { list.replaceChildren(); status.textContent = ""; return; }
  status.textContent = "Searching …";
  try {
    if (!naturalproofsIndex) await load("index");
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
document.addEventListener("keydown", (event) => {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
  if (!links.length || (at < 0 && document.activeElement !== field)) return;
  event.preventDefault();
  const next = at + (event.key === "ArrowDown" ? 1 : -1);
  (next < 0 ? field : links[Math.min(next, links.length - 1)]).focus();
});
field.value = new URLSearchParams(location.search).get("q") ?? "";
field.focus();
show();
