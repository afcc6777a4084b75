// Scenes: which nodes and edges are shown, and where.

const NODE = { w: 184, h: 66 };
const [PAD, HEAD] = [28, 64];

let scene = null;

function makeScene() {
  if (state.view === 'chapters') return chapterScene();
  if (state.view === 'chapter') return groupScene([state.group]);
  if (state.view === 'focus') return layeredScene([...reach(state.focus, usedOf, state.up).keys(), ...reach(state.focus, usersOf, state.down).keys()]);
  if (state.view === 'path') return layeredScene(state.path.concat(between(...state.path)));
  return groupScene(data.groups.map((_, group) => group));
}

// About as wide as a screen: the widest row of so many boxes.
const rowOf = (count, width) => Math.max(8, Math.ceil(Math.sqrt(count) * 1.7)) * (width + 20);

const insides = new Map();
// A chapter is laid out once, with all its references, so that nothing moves when some are hidden.
function inside(group) {
  if (!insides.has(group)) {
    const nodes = members[group], at = new Map(nodes.map((node, index) => [node, index]));
    const edges = nodes.flatMap((node) => usesEdges[node].filter((edge) => at.has(FROM[edge])));
    const links = edges.map((edge) => [at.get(FROM[edge]), at.get(TO[edge])]);
    const made = layoutGraph(nodes.map(() => NODE), links, { widest: rowOf(nodes.length, NODE.w), last: at.get(mainOf(nodes)) ?? -1 });
    made.line = new Map(made.routed ? edges.map((edge, index) => [edge, made.lines[index]]) : []);
    insides.set(group, made);
  }
  return insides.get(group);
}
// The theorem that rests on most of the others: it stands at the bottom.
function mainOf(nodes) {
  const own = new Set(nodes), within = (node) => citedOf(node).filter((other) => own.has(other));
  let best = -1, most = 0;
  if (nodes.length > 1500) return best;
  for (const node of nodes) {
    if (data.kind[node] !== 0 || citersOf(node).some((other) => own.has(other))) continue;
    const rests = reach(node, within, Infinity).size;
    if (rests > most) { best = node; most = rests; }
  }
  return best;
}
function shifted({ points, up }, dx, dy) {
  return { points: points.map(([x, y]) => [x + dx, y + dy]), up };
}

function groupScene(groups) {
  const nodes = [], blocks = [], lines = new Map(), bands = [];
  const sizes = groups.map((group) => ({ w: inside(group).w + 2 * PAD, h: inside(group).h + HEAD + PAD }));
  const { corners } = layoutGraph(sizes, [], { gapX: 80, gapY: 230 });
  groups.forEach((group, index) => {
    const [x, y] = corners[index], made = inside(group);
    blocks.push({ group, x, y, ...sizes[index], title: data.groups[group] });
    members[group].forEach((node, place) => {
      const [left, top] = made.corners[place];
      if (kindShown(node)) nodes.push({ id: node, x: x + PAD + left, y: y + HEAD + top, ...NODE });
    });
    for (const [edge, line] of made.line) lines.set(edge, shifted(line, x + PAD, y + HEAD));
    for (const band of made.bands) bands.push({ x: x + PAD / 2, y: y + HEAD + band.y - 10, w: sizes[index].w - PAD, h: band.h + 20 });
  });
  return finished('statements', nodes, blocks, (edge) => lines.get(edge), bands);
}

function finished(kind, nodes, blocks, lineOf, bands = []) {
  const at = new Map(nodes.map((node, index) => [node.id, index]));
  const edges = [];
  if (kind === 'statements') {
    for (const node of nodes) {
      for (const edge of usesEdges[node.id]) {
        if (edgeShown(edge) && at.has(FROM[edge])) edges.push({ a: nodes[at.get(FROM[edge])], b: node, mask: MASK[edge], line: lineOf(edge), weight: 1 });
      }
    }
  }
  const left = Math.min(0, ...nodes.map((n) => n.x)), top = Math.min(0, ...nodes.map((n) => n.y));
  const bounds = { x: left, y: top, w: 100, h: 100 };
  for (const one of [...blocks, ...nodes]) {
    bounds.w = Math.max(bounds.w, one.x + one.w - left);
    bounds.h = Math.max(bounds.h, one.y + one.h - top);
  }
  return { kind, nodes, blocks, edges, at, bounds, bands };
}

// Chapters are as large as what they hold, and their links are routed like all others.
function chapterScene() {
  const column = { both: 2, statement: 3, proof: 4 }[state.edges], most = Math.max(...data.counts);
  let links = data.links.filter((link) => link[column] >= Math.max(1, state.min));
  if (state.reduce) links = essential(links);
  const boxes = data.counts.map((count) => ({ w: Math.round(150 + 150 * Math.sqrt(count / most)), h: Math.round(58 + 40 * Math.sqrt(count / most)) }));
  const made = layoutGraph(boxes, links.map(([a, b]) => [a, b]), { gapX: 26, gapY: 64, widest: rowOf(G, 230) });
  const nodes = boxes.map((box, group) => ({ id: group, x: made.corners[group][0], y: made.corners[group][1], ...box }));
  const found = finished('chapters', nodes, [], null, made.bands.map((band) => ({ x: -16, y: band.y - 12, w: made.w + 32, h: band.h + 24 })));
  found.edges = links.map((link, index) => ({ a: nodes[link[0]], b: nodes[link[1]], mask: 2, weight: link[column], line: made.routed ? made.lines[index] : undefined }));
  return found;
}

// Leave out a link that a chain of other links says already; links against the book's order are kept.
function essential(links) {
  const next = new Map();
  for (const [a, b] of links) if (a < b) next.set(a, [...(next.get(a) || []), b]);
  const implied = ([a, b]) => {
    const seen = new Set(), queue = (next.get(a) || []).filter((other) => other !== b);
    while (queue.length) {
      const node = queue.pop();
      if (node === b) return true;
      if (!seen.has(node)) { seen.add(node); queue.push(...(next.get(node) || [])); }
    }
    return false;
  };
  return links.filter((link) => link[0] >= link[1] || !implied(link));
}

function layeredScene(ids) {
  const always = new Set([state.focus, ...state.path]);
  const kept = [...new Set(ids)].filter((node) => node >= 0 && (always.has(node) || kindShown(node))).sort((a, b) => a - b);
  const at = new Map(kept.map((node, index) => [node, index]));
  const edges = kept.flatMap((node) => usesEdges[node].filter((edge) => edgeShown(edge) && at.has(FROM[edge])));
  const made = layoutGraph(kept.map(() => NODE), edges.map((edge) => [at.get(FROM[edge]), at.get(TO[edge])]), { gapY: 56, widest: rowOf(kept.length, NODE.w) });
  const lines = new Map(made.routed ? edges.map((edge, index) => [edge, made.lines[index]]) : []);
  const nodes = kept.map((id, index) => ({ id, x: made.corners[index][0], y: made.corners[index][1], ...NODE }));
  const bands = made.bands.map((band) => ({ x: -14, y: band.y - 10, w: made.w + 28, h: band.h + 20 }));
  return finished('statements', nodes, [], (edge) => lines.get(edge), bands);
}
