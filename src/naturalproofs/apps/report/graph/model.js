// The data of the page, and what can be asked of it without drawing anything.

const byId = (id) => document.getElementById(id);
const data = JSON.parse(byId('data').textContent);
const N = data.label.length;
const G = data.groups.length;

const FROM = [], TO = [], MASK = [];
const usesEdges = Array.from({ length: N }, () => []);
const usedByEdges = Array.from({ length: N }, () => []);
for (let i = 0; i < data.edges.length; i += 3) {
  const edge = FROM.length;
  FROM.push(data.edges[i]); TO.push(data.edges[i + 1]); MASK.push(data.edges[i + 2]);
  usesEdges[data.edges[i + 1]].push(edge);
  usedByEdges[data.edges[i]].push(edge);
}
const byLabel = new Map();
data.label.forEach((label, node) => { if (!byLabel.has(label)) byLabel.set(label, node); });
const members = Array.from({ length: G }, () => []);
data.group.forEach((group, node) => members[group].push(node));

const state = {
  view: 'all', group: -1, focus: -1, selected: -1, hover: -1,
  up: 2, down: 1, path: [-1, -1], start: -1, colour: data.stage.length ? 'lean' : 'kind', edges: 'both', reduce: false, inferred: true, min: data.threshold, hidden: new Set(), list: false,
};

// What no statement cites is drawn faint and counts as no reference; a note says why it is there.
const INFERRED = 32, SHOWN = { both: 3, statement: 1, proof: 2 };
const noteOf = (mask) => (mask & INFERRED ? data.inferred[mask >> 6] : (mask & 3) === 1 ? 'in the statement' : '');
const ESSENTIAL = { both: 4, statement: 8, proof: 16 };

function edgeCited(edge) {
  const mask = MASK[edge];
  return (mask & SHOWN[state.edges]) !== 0 && (!state.reduce || (mask & ESSENTIAL[state.edges]) !== 0);
}
const edgeShown = (edge) => (MASK[edge] & INFERRED ? state.inferred : edgeCited(edge));
const kindShown = (node) => !state.hidden.has(data.kind[node]);
const usedOf = (node) => usesEdges[node].filter(edgeShown).map((edge) => FROM[edge]);
const usersOf = (node) => usedByEdges[node].filter(edgeShown).map((edge) => TO[edge]);
const citedOf = (node) => usesEdges[node].filter(edgeCited).map((edge) => FROM[edge]);
const citersOf = (node) => usedByEdges[node].filter(edgeCited).map((edge) => TO[edge]);

function reach(node, step, depth) {
  const distance = new Map([[node, 0]]);
  const queue = [node];
  for (let at = 0; at < queue.length; at++) {
    const next = distance.get(queue[at]) + 1;
    if (next > depth) continue;
    for (const other of step(queue[at])) {
      if (!distance.has(other)) { distance.set(other, next); queue.push(other); }
    }
  }
  return distance;
}

// The shortest chains of references from one statement to another that builds on it; if there are none, the other way round.
function between(from, to) {
  const chain = (first, last) => {
    const down = reach(first, citersOf, Infinity);
    if (!down.has(last)) return [];
    const kept = new Set([last]), queue = [last];
    for (let at = 0; at < queue.length; at++) {
      for (const other of citedOf(queue[at])) {
        if (down.get(other) === down.get(queue[at]) - 1 && !kept.has(other)) { kept.add(other); queue.push(other); }
      }
    }
    return [...kept];
  };
  const found = chain(from, to);
  return found.length ? found : chain(to, from);
}
const COLOURS = ['kind', 'chapter', 'proved', ...(data.stage.length ? ['lean'] : [])];
// A blueprint is read for what is done and what can be done next.
const HABIT = data.stage.length ? 'lean' : 'kind';
const STAGES = ['not ready', 'written, not yet in Lean', 'can be done next', 'stated in Lean', 'proved in Lean', 'proved, with all below'];

let narrow = null;
// Statements that rest on much and carry much; of a very large work they are not computed.
function bottlenecks() {
  if (!narrow) {
    const weight = (node) => (reach(node, citedOf, Infinity).size - 1) * (reach(node, citersOf, Infinity).size - 1);
    const all = N > 3000 ? [] : data.label.map((_, node) => [node, citedOf(node).length && citersOf(node).length ? weight(node) : 0]);
    const found = all.filter(([, value]) => value >= 12).sort((p, q) => q[1] - p[1] || p[0] - q[0]);
    narrow = new Set(found.slice(0, Math.max(3, Math.round(N / 100))).map(([node]) => node));
  }
  return narrow;
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const formOf = (node) => capital(data.forms[data.form[node]]);
function heading(node) {
  const own = data.number[node] || data.tag[node];
  return own ? `${formOf(node)} ${own}` : formOf(node);
}
// A label without the shorter prefix that only repeats what it is: "lem:zorn" and "sets-lemma-zorn" read "zorn". One without a label says how it starts.
function shortLabel(node) {
  const label = data.excerpt[node] || data.label[node];
  if (data.excerpt[node]) return label;
  const form = `${data.forms[data.form[node]]}-`, at = label.indexOf(form);
  if (at === 0 || (at > 0 && label[at - 1] === '-')) return label.slice(at + form.length);
  const cut = label.search(/[:/]/);
  return cut > 0 && 2 * cut < label.length ? label.slice(cut + 1) : label;
}
const subtitle = (node) => data.title_of[node] || shortLabel(node);
function spoken(node) {
  return data.title_of[node] ? `${heading(node)}, ${data.title_of[node]}` : `${heading(node)} ${shortLabel(node)}`;
}

const unpacked = new Map();
// The statements of a chapter, unpacked when first looked at.
function textsOf(group) {
  if (!unpacked.has(group)) unpacked.set(group, unpack(group));
  return unpacked.get(group);
}
async function unpack(group) {
  const bytes = Uint8Array.from(atob(byId(`text-${group}`).textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const texts = JSON.parse(await new Response(stream).text());
  return new Map(members[group].map((node, index) => [node, texts[index]]));
}
const fetched = new Map();
// On a site the text of a statement is asked for when it is read.
function fetchText(node) {
  if (fetched.size > 500) fetched.clear();
  if (!fetched.has(node)) {
    fetched.set(node, fetch(`${data.site.texts}${node}`).then((answer) => {
      if (!answer.ok) throw new Error(answer.status);
      return answer.text();
    }));
  }
  return fetched.get(node);
}
async function textOf(node) {
  if (data.site?.texts) {
    try {
      return await fetchText(node);
    } catch (error) {
      fetched.delete(node);
      return '<p class="hint">The server did not answer; select the statement again.</p>';
    }
  }
  try {
    return (await textsOf(data.group[node])).get(node);
  } catch (error) {
    return '<p class="hint">This browser cannot unpack the statements; a newer one can.</p>';
  }
}
