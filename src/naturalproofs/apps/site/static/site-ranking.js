// The ranking of search: the same steps as in naturalproofs.workspace.search, with its weights, tables and patterns as
// data. What they need of the index comes from an `index` with `get(table, key)`; see site-parts.js.
"use strict";

const patterns = new Map(), UP = "\uffff", STOPPED = () => new Set(rules.text.STOP);
let rules = null;

function pattern(one, flags = "", around = (source) => source) {
  const key = `${one.pattern}/${flags}/${around("")}`;
  if (!patterns.has(key)) patterns.set(key, new RegExp(around(one.pattern), one.flags + flags));
  return patterns.get(key);
}
const every = (one) => pattern(one, "g"), atStart = (one) => pattern(one, "", (source) => `^(?:${source})`);
const whole = (one) => pattern(one, "", (source) => `^(?:${source})$`);
const sum = (list) => list.reduce((a, b) => a + b, 0);
const idf = (count, size) => Math.log1p((size - count + 0.5) / (count + 0.5));
const saturated = (count) => count / (rules.tokens.K1 + count);

// Words.

function singular(word) {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word;
}
function stem(word) {
  if (word.length <= 3 || !/^\p{L}+$/u.test(word)) return word;
  word = singular(word);
  for (const [ending, instead] of rules.text.ENDINGS) {
    const rest = word.slice(0, -ending.length);
    if (word.endsWith(ending) && rest.length >= (rules.text.SHORTEST[ending] ?? 3) && /[aeiouy]/.test(rest)) {
      word = rest + instead;
      break;
    }
  }
  if (word.at(-1) === word.at(-2) && "bdgmnprt".includes(word.at(-1))) word = word.slice(0, -1);
  return word.endsWith("e") && word.length > 3 ? word.slice(0, -1) : word;
}
const casefold = (text) => text.toLowerCase().replaceAll("ß", "ss").replaceAll("ς", "σ");
function fold(word) {
  return stem(casefold(word).replaceAll("’", "'").replace(/'s$/, "").normalize("NFKD").replace(/\p{M}/gu, ""));
}
// The words of a text, folded and as typed; formulas, commands and comments are skipped.
function words(text) {
  return [...text.matchAll(every(rules.text.PIECE))].filter((found) => found.groups.word)
    .map((found) => [fold(found[0]), found[0]]);
}

// Formulas.

function symbols(formula) {
  const scripts = rules.formulas.SCRIPTS;
  let text = [...formula.slice(0, rules.formulas.LONGEST).trim().replace(every(rules.formulas.FENCE), "")].map((one) => scripts[one] ?? one).join("");
  text = text.replace(every(rules.formulas.NAMED), (_, one, other) => `\\${one ?? other} `);
  const found = (text.match(every(rules.formulas.SYMBOL)) ?? []).map((one) => rules.formulas.WRITTEN[one] ?? one).filter(Boolean);
  const large = new Set(rules.formulas.LARGE), apart = [];
  function group(at, depth) { return depth < 50 ? linear(at, depth + 1) : [[], at]; }
  function argument(at, depth) {
    if (at >= found.length) return [[], at];
    return found[at] === "{" ? group(at + 1, depth) : [[found[at]], at + 1];
  }
  function linear(at, depth) {
    const made = [];
    while (at < found.length) {
      const symbol = found[at];
      at += 1;
      if (symbol === "}") return [made, at];
      if (symbol === "{") {
        const [inner, end] = group(at, depth);
        made.push(...inner);
        at = end;
      } else if (symbol === "\\frac") {
        const [above, middle] = argument(at, depth), [below, end] = argument(middle, depth);
        made.push(...above, "/", ...below);
        at = end;
      } else if (large.has(symbol)) {
        made.push(symbol);
        while (at < found.length && "^_".includes(found[at])) {
          const [limit, end] = argument(at + 1, depth);
          apart.push("", ...limit);
          at = end;
        }
      } else if (symbol !== "_") made.push(symbol);
    }
    return [made, at];
  }
  const [main] = linear(0, 0);
  return [...main, ...apart];
}
const operatorNames = (formula) => symbols(formula).filter((one) => rules.formulas.NOTIONS.includes(one)).map((one) => one.slice(1));
const crcTable = Array.from({length: 256}, (_, byte) => {
  for (let bit = 0; bit < 8; bit += 1) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
  return byte >>> 0;
});
function crc32(text) {
  let crc = 0xffffffff;
  for (const byte of new TextEncoder().encode(text)) crc = (crc >>> 8) ^ crcTable[(crc ^ byte) & 255];
  return (crc ^ 0xffffffff) >>> 0;
}
function isLetter(symbol) {
  const look = symbol.startsWith("\\") ? rules.symbols.LETTERS[symbol.slice(1)] ?? "" : symbol;
  return [...look].length === 1 && /\p{L}/u.test(look);
}
// The n-grams of a formula: symbols side by side, with their letters alike, and the parts between relations.
function grams(formula) {
  const found = new Set(), runs = [[]];
  for (const one of symbols(formula)) if (one) runs.at(-1).push(one); else runs.push([]);
  const joined = (first, second) => first.slice(0, second.length).map((one, at) => (Math.imul(one, 1000003) ^ second[at]) >>> 0);
  const renamed = (part) => {
    const names = new Map();
    return crc32(part.map((one) => {
      if (!isLetter(one)) return one;
      if (!names.has(one)) names.set(one, names.size);
      return `v${names.get(one)}`;
    }).join(" "));
  };
  for (const run of runs) {
    const exact = run.map(crc32), pairs = joined(exact, exact.slice(1)), triples = joined(pairs, exact.slice(2));
    const shapes = run.map((one) => crc32(isLetter(one) ? "a" : one)), shapePairs = joined(shapes, shapes.slice(1));
    const cuts = [...run.keys()].filter((at) => rules.formulas.CUTS.includes(run[at]));
    const starts = [0, ...cuts.map((at) => at + 1)], parts = [];
    for (const [number, end] of [...cuts, run.length].entries()) {
      const start = starts[number], before = starts[number - 1];
      if (end - start >= 3 && end - start <= 40) parts.push(renamed(run.slice(start, end)));
      if (number && end > start && end - before >= 4 && end - before <= 60) parts.push(renamed(run.slice(before, end)));
    }
    for (const list of [pairs, triples, joined(triples, pairs.slice(3)), joined(shapePairs, shapePairs.slice(2)), parts]) {
      for (const one of list) found.add(one);
    }
  }
  return [...found];
}

// Queries.

function parseQuery(given) {
  const Q = rules.query, prose = [], phrases = [], excluded = [], formulas = [], filters = {};
  const text = given.slice(0, Q.LONGEST).replace(every(Q.CITED), " ")
    .replace(every(Q.GROUPED), (all, command, letter) => command ? all : letter);
  const asked = atStart(Q.DEFINITION).exec(text)?.[0] ?? "";
  const subject = asked ? text.slice(asked.length).replace(/^[ ?]+|[ ?]+$/g, "") : text, intent = subject ? asked : "";
  const parts = new RegExp(every(Q.PART).source, "gu");
  parts.lastIndex = intent.length;
  let plain = [];
  for (let found = parts.exec(text); found; found = parts.exec(text)) {
    const part = found.groups;
    if (part.plain) { plain.push(part.plain); continue; }
    sortPlain(plain, prose, formulas);
    plain = [];
    if (part.formula) formulas.push(part.formula);
    else if (part.filter && !part.filter.startsWith("-")) (filters[part.filter] ??= []).push(part.quoted ?? part.value);
    else if (part.phrase !== undefined) {
      const folded = words(part.phrase).map(([term]) => term);
      if (folded.length) (part.not ? excluded : phrases).push(folded);
    } else if (part.without !== undefined) excluded.push(...words(part.without).map(([term]) => [term]));
  }
  sortPlain(plain, prose, formulas);
  const all = words([...prose, ...formulas.flatMap(operatorNames)].join(" "));
  const stopped = STOPPED(), kept = new Map(all.filter(([, spelt]) => !stopped.has(casefold(spelt))));
  const telling = [...(kept.size ? kept : new Map(all))].slice(0, Q.MOST_WORDS);
  return {
    text, subject: intent ? subject : text, definition: Boolean(intent), claim: !intent && pattern(Q.CLAIM).test(text),
    words: telling.map(([term]) => term), spelt: new Map(telling.map(([term, spelt]) => [term, casefold(spelt)])), phrases, excluded, formulas, filters,
    unfinished: prose.length > 0 && text.endsWith(prose.at(-1)) && /[\p{L}\p{N}]$/u.test(text),
  };
}
function sortPlain(plain, prose, formulas) {
  let run = [];
  for (const [number, part] of [...plain, ""].entries()) {
    const modified = part ? whole(rules.query.MODIFIER).exec(part)?.groups : null;
    if (modified) {
      addRun([...run, modified.formula], prose, formulas);
      prose.push(modified.word);
      run = [];
    } else if (part && mayBelong(part, plain[number - 1], plain[number + 1])) run.push(part);
    else {
      addRun(run, prose, formulas);
      if (part) prose.push(part);
      run = [];
    }
  }
}
function mayBelong(part, before, after) {
  const Q = rules.query;
  if (pattern(Q.MATHS).test(part) || rules.formulas.NAMED_OPERATORS.includes(part)) return true;
  if (STOPPED().has(casefold(part))) return Boolean(before && pattern(Q.OPERATOR).test(before.at(-1))) || Boolean(after && atStart(Q.OPERATOR).test(after));
  return !pattern(Q.LONG_WORD).test(part) && (part.match(every(Q.LETTERS)) ?? []).length <= 3 && !(part.includes("-") && part.length > 3);
}
function addRun(run, prose, formulas) {
  const Q = rules.query, certain = [...run.keys()].filter((at) => pattern(Q.MATHS).test(run[at]));
  if (!certain.length) { prose.push(...run); return; }
  let last = certain.at(-1);
  if (!atStart(Q.OPERATOR).test(run[certain[0]])) {
    prose.push(...run.slice(0, certain[0]));
    run = run.slice(certain[0]);
    last -= certain[0];
  }
  if (!pattern(Q.OPERATOR).test(run[last].at(-1)) && pattern(Q.MATHS).test(run[last]) && run.length > last + 2) {
    prose.push(...run.slice(last + 1));
    run = run.slice(0, last + 1);
  }
  formulas.push(run.join(" "));
}
// The query in other words: a name replaced by another of the same notion, or a notation by its name.
function rewritten(text) {
  const Q = rules.query, made = new Map();
  for (const found of text.matchAll(every(Q.NAME))) {
    for (const other of Q.OTHERS[found[1].toLowerCase()] ?? []) {
      made.set(text.slice(0, found.index) + other + text.slice(found.index + found[0].length), Q.SAME);
    }
  }
  for (const [notation, name] of rules.formulas.NOTATION) {
    const named = text.replace(every(notation), ` ${name} `);
    if (named !== text && !made.has(named)) made.set(named, Q.NOTATION_ONLY);
  }
  return [...made].slice(0, Q.MOST);
}

// Corrections.

function oneEdit(first, second) {
  if (Math.abs(first.length - second.length) > 1) return false;
  let start = 0;
  while (start < first.length && first[start] === second[start]) start += 1;
  const one = first.slice(start), two = second.slice(start);
  return one.slice(1) === two.slice(1) || one.slice(1) === two || one === two.slice(1)
    || (one.slice(0, 2) === [...two.slice(0, 2)].reverse().join("") && one.slice(2) === two.slice(2));
}
function near(first, second) {
  first = first.replaceAll("ph", "f");
  second = second.replaceAll("ph", "f");
  if (Math.abs(first.length - second.length) > 2) return false;
  let row = Array.from({length: second.length + 1}, (_, at) => at);
  for (let at = 1; at <= first.length; at += 1) {
    const cells = [at];
    for (let to = 1; to <= second.length; to += 1) {
      cells.push(Math.min(row[to] + 1, cells[to - 1] + 1, row[to - 1] + (first[at - 1] !== second[to - 1])));
    }
    row = cells;
  }
  return row.at(-1) <= 2;
}
const oftenest = (terms) => terms.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
function completions(index, start) {
  return oftenest(index.vocabulary.filter(([term]) => term.startsWith(start))).slice(0, rules.index.MAX_ALTERNATIVES);
}
function corrections(index, word) {
  const I = rules.index;
  if (word.length < I.SHORTEST_CORRECTED || word.length > I.LONGEST_CORRECTED || !/^\p{L}+$/u.test(word)) return [];
  const half = (word.length - 1) >> 1;
  const around = (first, last) => oftenest(index.vocabulary.filter(([term]) =>
    (term.startsWith(first) || term.endsWith(last)) && Math.abs(term.length - word.length) <= 2));
  let nearest = around(word.slice(0, half), word.slice(half + 1)).filter(([term]) => term !== word && oneEdit(word, term));
  if (!nearest.length && word.length >= I.SHORTEST_TWICE_WRONG) {
    nearest = around(word.slice(0, 2), word.slice(-2)).slice(0, I.MAX_COMPARED).filter(([term]) => near(word, term));
  }
  return nearest.slice(0, I.MAX_ALTERNATIVES);
}
function isMisspelt(index, word) {
  const W = rules.ranking, count = index.counts.get(word) ?? 0;
  if (count <= W.SELDOM && word.length >= W.SHORTEST_SLIP
      && (corrections(index, word)[0]?.[1] ?? 0) >= W.OFTENER * Math.max(count, 1)) return true;
  return !count && !(word.length >= 3 && index.vocabulary.some(([term]) => term.startsWith(word)));
}

// Ranking.

// What each word of the query stands for here: terms with their shares, and how rare it is.
function wordsOf(index, query) {
  const W = rules.ranking, asked = [...new Set([...query.words, ...query.phrases.flat()])];
  return asked.map((word) => {
    const shares = new Map(), correct = isMisspelt(index, word) ? corrections(index, word) : [];
    let count = index.counts.get(word) ?? 0;
    if (count) shares.set(word, 1);
    const unfinished = query.unfinished && word === query.words.at(-1) && word.length >= 2;
    if (unfinished || (!shares.size && word.length >= 3)) {
      for (const [term, number] of completions(index, word)) {
        if (!shares.has(term)) shares.set(term, W.PREFIX_SHARE);
        count ||= number;
      }
    }
    for (const other of rules.query.ALIKE[query.spelt.get(word)] ?? []) {
      if (index.counts.has(fold(other)) && !shares.has(fold(other))) shares.set(fold(other), W.ALIKE_SHARE);
    }
    if (correct.length) count = Math.max(count, correct[0][1]);
    for (const [term] of correct) shares.set(term, W.CORRECTED_SHARE);
    const weight = rules.text.KINDS_OF_RESULT.includes(word) && asked.length > 1 ? W.KIND_OF_RESULT : 1;
    return {word, shares, idf: weight * idf(count, index.size)};
  });
}
function rarest(found) {
  const wanted = rules.ranking.FIRST_STAGE_SHARE * sum(found.map((one) => one.idf)) - 1e-9, kept = [];
  for (const one of found) {
    if (sum(kept.map((other) => other.idf)) >= wanted) break;
    kept.push(one);
  }
  return kept;
}
async function formulaShares(index, formulas) {
  const found = new Map();
  for (const formula of formulas) {
    const held = await Promise.all(grams(formula).map((gram) => index.get("formulas", gram.toString(16).padStart(8, "0"))));
    const all = held.map((one) => one ?? []), rare = all.filter((one) => one.length < rules.index.COMMON_GRAM);
    const used = rare.length ? rare : all, most = sum(used.map((one) => idf(one.length, index.size)));
    for (const positions of used) {
      for (const at of positions) found.set(at, (found.get(at) ?? 0) + idf(positions.length, index.size) / most);
    }
  }
  return found;
}
// For each definition of a term that the query contains, the term's share of the query.
async function defining(index, found) {
  const W = rules.ranking, weights = new Map(), shares = new Map();
  if (!found.length || found.length > W.MAX_PHRASE) return shares;
  for (let start = 0; start < found.length; start += 1) {
    let options = [""];
    for (let end = start; end < found.length; end += 1) {
      const terms = [...found[end].shares.keys()].slice(0, 3);
      options = options.flatMap((one) => terms.map((term) => `${one} ${term}`.trim())).slice(0, 9);
      for (const option of options) weights.set(option, sum(found.slice(start, end + 1).map((one) => one.idf)));
    }
  }
  const asked = sum(found.map((one) => one.idf)) || 1, names = [...weights.keys()].slice(0, 400);
  const held = await Promise.all(names.map((name) => index.get("names", `defines:${name}`)));
  names.forEach((name, place) => {
    for (const at of held[place] ?? []) shares.set(at, Math.max(shares.get(at) ?? 0, weights.get(name) / asked));
  });
  return shares;
}
// What nearness in meaning adds to candidates and to the nearest other statements.
async function nearness(index, query, found, pool) {
  const W = rules.ranking, weight = W.MEANING_WEIGHT * Math.min(1, (query.words.length - 1) / 5), near = new Map();
  if (weight <= 0) return near;
  let place = null;
  for (const one of found) {
    for (const [term, share] of [...one.shares].slice(0, 3)) {
      const vector = (await index.get("terms", term))?.[1];
      if (vector) place ??= new Float32Array(vector.length);
      vector?.forEach((value, at) => { place[at] += share * one.idf * value; });
    }
  }
  const length = place ? Math.hypot(...place) : 0;
  if (!length) return near;
  const cosines = (await index.cosines(place)).map((value) => value / length);
  const best = [...cosines.keys()].sort((a, b) => cosines[b] - cosines[a]).slice(0, W.NEAREST);
  for (const at of new Set([...best, ...pool])) if (cosines[at] > 0) near.set(at, weight * cosines[at]);
  return near;
}
// The scores of statements by their positions, and how many have every word.
async function rank(index, query, further = false) {
  const W = rules.ranking, scores = new Map(), matches = new Set();
  const allowed = await index.passing(query), may = (at) => !allowed || allowed.has(at);
  if (!query.words.length && !query.phrases.length && !query.formulas.length) {
    return {scores: new Map([...allowed ?? index.kinds.keys()].map((at) => [at, 1])), total: allowed?.size ?? index.size};
  }
  const found = wordsOf(index, query), searched = found.filter((one) => one.shares.size).sort((a, b) => b.idf - a.idf);
  const shares = await formulaShares(index, query.formulas), defined = await defining(index, found);
  const counts = new Map(); // By term, then by position: the weighted count, and how often the text has it.
  for (const term of new Set(searched.flatMap((one) => [...one.shares.keys()]))) counts.set(term, (await index.get("terms", term))?.[0] ?? new Map());
  const having = (words) => words.map((one) => new Set([...one.shares.keys()].flatMap((term) => [...counts.get(term).keys()])));
  const pool = new Set(shares.keys()), asked = sum(found.map((one) => one.idf));
  let all = 0;
  if (sum(searched.map((one) => one.idf)) > W.CHANCE * asked) {
    const sets = having(rarest(searched.slice(0, W.FIRST_STAGE_WORDS)));
    const every = [...sets[0] ?? []].filter((at) => may(at) && sets.every((one) => one.has(at)));
    const enough = every.length >= (further ? W.FEWER_CANDIDATES : W.CANDIDATES);
    for (const at of enough ? every : sets.flatMap((one) => [...one])) pool.add(at);
    if (!query.formulas.length && searched.length === found.length) {
      const whole = having(found);
      all = [...whole[0]].filter((at) => may(at) && whole.every((one) => one.has(at))).length;
    }
  }
  const close = further ? new Map() : await nearness(index, query, found, pool);
  const bestShare = Math.max(0, ...shares.values());
  for (const at of new Set([...pool, ...close.keys(), ...defined.keys()])) {
    if (!may(at)) continue;
    let score = 0, held = 0, said = 0, present = 0;
    const seen = new Set();
    for (const one of found) {
      let worth = 0, inText = 0;
      for (const [term, share] of one.shares) {
        const count = counts.get(term)?.get(at);
        if (!count) continue;
        worth = Math.max(worth, share * saturated(count[0]));
        if (count[1]) inText = Math.max(inText, share);
        if (!seen.has(term)) present += count[1];
        seen.add(term);
      }
      score += one.idf * worth;
      said += one.idf * inText;
      if (worth) held += one.idf;
    }
    score = asked ? score / asked : 0;
    const share = (shares.get(at) ?? 0) * Math.min(1, 0.6 + 0.4 * W.FORMULA_LENGTH / Math.max(index.grams[at], 1));
    const matching = found.length ? held >= W.ENOUGH * asked - 1e-6 : share >= 0.5 * bestShare;
    if (present && asked && (query.claim || index.lengths[at] <= W.LONG_TEXT)) score += W.TEXT_WEIGHT * said * present / index.lengths[at] / asked;
    score += W.FORMULA_WEIGHT * share + (close.get(at) ?? 0);
    if (defined.has(at) && held >= 0.99 * asked && !query.claim) score += W.TERM_WEIGHT * defined.get(at);
    score *= prior(index.kinds[at], index.used[at], query);
    if (matching) matches.add(at);
    else if (query.phrases.length || query.excluded.length) continue;
    else score *= 0.5;
    if (score >= W.LEAST) scores.set(at, score);
  }
  const named = await addNamed(index, query, may, scores);
  for (const at of named) matches.add(at);
  return {scores, total: Math.max(all || matches.size, named.size)};
}
function prior(kind, used, query) {
  const W = rules.ranking, definition = kind === 1;
  let factor = 1 + W.USED_WEIGHT * Math.min(1, Math.log1p(used) / Math.log1p(W.MOST_USED));
  if ((definition && query.claim) || (!definition && query.definition)) factor *= W.NOT_CLAIMED;
  return kind === 2 && query.words.length ? factor * W.OTHER_KINDS : factor;
}
async function namesOf(index, text) {
  const found = new Map(), lookup = async (field, name) => await index.get("names", `${field}:${name}`) ?? [];
  let name = casefold(text.trim().replace(/^[[\]]+|[[\]]+$/g, "")).replace(/^tag /, "").trim();
  const rest = name.startsWith(`${casefold(index.name)}:`) ? name.slice(index.name.length + 1) : "";
  if (rest && !(await lookup("label", name)).length) name = rest;
  const number = whole(rules.index.NUMBER).exec(name)?.groups;
  for (const field of ["label", "tag", "number", "title"]) {
    let held = field === "number" ? number ? await lookup("number", number.number) : [] : await lookup(field, name);
    if (field === "number" && number?.form) held = held.filter((at) => index.forms[at].startsWith(number.form));
    for (const at of [...held].sort((a, b) => a - b)) if (!found.has(at)) found.set(at, field);
  }
  return [...found].slice(0, rules.index.MAX_NAMED);
}
async function addNamed(index, query, may, scores) {
  const W = rules.ranking, first = await namesOf(index, query.text), named = first.length ? first : await namesOf(index, query.subject);
  let terms = [], keyed = [];
  if (query.words.length && !query.formulas.length && !query.phrases.length) {
    terms = (await index.get("names", `defines:${query.words.join(" ")}`) ?? []).map((at) => [at, "title"]);
    const key = query.words.filter((word) => !rules.text.KINDS_OF_RESULT.includes(word)).join(" ");
    let titled = (key ? await index.get("names", `key:${key}`) ?? [] : []).sort((a, b) => a - b).slice(0, rules.index.MAX_NAMED);
    if (query.definition) titled = titled.filter((at) => index.kinds[at] === 1);
    if (!titled.length && !terms.length) titled = await qualified(index, query);
    keyed = titled.map((at) => [at, "title"]);
  }
  const keys = named.filter(([, field]) => field !== "title" || (first.length && query.definition));
  const exact = new Set([...named, ...terms].map(([at]) => at)), names = [];
  for (const [at] of [...keys, ...terms, ...named, ...keyed]) if (may(at) && !names.includes(at)) names.push(at);
  names.forEach((at, place) => scores.set(at, (exact.has(at) || query.definition ? W.NAMED : W.KEYED) - 0.01 * place));
  return new Set(names);
}
// Definitions of all words but the last, which they say it of: "a subgroup is normal if" of a normal subgroup.
async function qualified(index, query) {
  if (query.claim || query.words.length < 2 || query.words.length > rules.ranking.MAX_PHRASE) return [];
  const found = await index.get("names", `defines:${query.words.slice(0, -1).join(" ")}`) ?? [];
  const inTexts = (await index.get("terms", query.words.at(-1)))?.[0];
  return found.filter((at) => inTexts?.get(at)?.[1]);
}
// The positions of what answers a query, the best first, and how many there are.
async function ranked(index, text) {
  const query = parseQuery(text), result = await rank(index, query);
  for (const [other, factor] of query.phrases.length ? [] : rewritten(text)) {
    const further = await rank(index, parseQuery(other), true);
    for (const [at, score] of further.scores) {
      const worth = factor * Math.min(score, rules.ranking.BEST_REWRITTEN);
      if (worth > (result.scores.get(at) ?? 0)) result.scores.set(at, worth);
    }
    result.total = Math.max(result.total, further.total);
  }
  return {total: result.total, positions: [...result.scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([at]) => at)};
}
