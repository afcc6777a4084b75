// Scenes: which nodes and edges are shown, and where. Chapters were laid out beforehand; a focus is laid out here.

const [NODE_W, NODE_H] = data.node;
const [BOX_W, BOX_H] = data.box;

let scene = null;

function makeScene() {
  if (state.view === 'chapters') return chapterScene();
  if (state.view === 'chapter') return groupScene([state.group]);
  if (state.view === 'focus') return layeredScene([...reach(state.focus, usedOf, state.up).keys(), ...reach(state.focus, usersOf, state.down).keys()]);
  if (state.view === 'path') return layeredScene(state.path.concat(between(...state.path)));
  return groupScene(data.groups.map((_, group) => group));
}

function groupScene(groups) {
  const nodes = [], blocks = [], [pad, head] = data.pad;
  for (const group of groups) {
    const [bx, by, w, h] = data.block[group];
    const [x0, y0] = groups.length === 1 ? [0, 0] : [bx, by];
    blocks.push({ group, x: x0, y: y0, w, h, title: data.groups[group] });
    for (const node of members[group]) {
      if (kindShown(node)) nodes.push({ id: node, x: x0 + pad + data.x[node], y: y0 + head + data.y[node] });
    }
  }
  return finished('statements', nodes, blocks, NODE_W, NODE_H);
}

function finished(kind, nodes, blocks, w, h) {
  const at = new Map(nodes.map((node, index) => [node.id, index]));
  const edges = [];
  if (kind === 'statements') {
    for (const node of nodes) {
      for (const edge of usesEdges[node.id]) {
        if (edgeShown(edge) && at.has(FROM[edge])) {
          const a = nodes[at.get(FROM[edge])];
          edges.push({ a, b: node, mask: MASK[edge], far: data.group[a.id] !== data.group[node.id], weight: 1 });
        }
      }
    }
  }
  const left = Math.min(0, ...nodes.map((n) => n.x)), top = Math.min(0, ...nodes.map((n) => n.y));
  const bounds = { x: left, y: top, w: 100, h: 100 };
  for (const one of [...blocks, ...nodes.map((n) => ({ x: n.x, y: n.y, w, h }))]) {
    bounds.w = Math.max(bounds.w, one.x + one.w - left);
    bounds.h = Math.max(bounds.h, one.y + one.h - top);
  }
  return { kind, nodes, blocks, edges, at, w, h, bounds };
}

function chapterScene() {
  const nodes = data.groups.map((title, group) => ({ id: group, x: data.chapter_at[group][0], y: data.chapter_at[group][1] }));
  const made = finished('chapters', nodes, [], BOX_W, BOX_H);
  const column = { both: 2, statement: 3, proof: 4 }[state.edges];
  let links = data.links.filter((link) => link[column] >= Math.max(1, state.min));
  if (state.reduce) links = essential(links, nodes);
  made.edges = links.map((link) => ({ a: nodes[link[0]], b: nodes[link[1]], mask: 2, far: false, weight: link[column] }));
  return made;
}

// Leave out a link that a chain of other downward links says already; links that point up are kept.
function essential(links, nodes) {
  const down = links.filter(([a, b]) => nodes[a].y < nodes[b].y);
  const next = new Map();
  for (const [a, b] of down) next.set(a, [...(next.get(a) || []), b]);
  const implied = ([a, b]) => {
    const seen = new Set(), queue = (next.get(a) || []).filter((other) => other !== b);
    while (queue.length) {
      const node = queue.pop();
      if (node === b) return true;
      if (!seen.has(node)) { seen.add(node); queue.push(...(next.get(node) || [])); }
    }
    return false;
  };
  return links.filter((link) => nodes[link[0]].y >= nodes[link[1]].y || !implied(link));
}

function layeredScene(ids) {
  const always = new Set([state.focus, ...state.path]);
  const kept = [...new Set(ids)].filter((node) => always.has(node) || kindShown(node)).sort((a, b) => a - b);
  const inside = new Set(kept);
  const above = new Map(kept.map((node) => [node, usedOf(node).filter((other) => inside.has(other))]));
  const layers = layersOf(kept, above);
  const centre = new Map();
  for (const row of layers) spread(row, centre, row.map(() => 0));
  const near = new Map(kept.map((node) => [node, [...above.get(node), ...usersOf(node).filter((o) => inside.has(o))]]));
  for (let sweep = 0; sweep < 16; sweep++) {
    for (const row of sweep % 2 ? [...layers].reverse() : layers) {
      const wish = (node) => mean(near.get(node).map((other) => centre.get(other)), centre.get(node));
      if (sweep < 10) {
        const wishes = new Map(row.map((node) => [node, wish(node)]));
        row.sort((a, b) => wishes.get(a) - wishes.get(b) || a - b);
      }
      spread(row, centre, row.map(wish));
    }
  }
  const nodes = [];
  layers.forEach((row, layer) => row.forEach((node) => nodes.push({ id: node, x: centre.get(node) - NODE_W / 2, y: layer * (NODE_H + 58) })));
  return finished('statements', nodes, [], NODE_W, NODE_H);
}

const mean = (values, otherwise) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : otherwise);

// Longest chains first; circles are opened where the walk meets itself; wide layers are folded.
function layersOf(nodes, above) {
  const rank = new Map(), open = new Set();
  const visit = (node) => {
    if (rank.has(node)) return rank.get(node);
    if (open.has(node)) return -1;
    open.add(node);
    let found = 0;
    for (const other of above.get(node)) found = Math.max(found, visit(other) + 1);
    open.delete(node);
    rank.set(node, found);
    return found;
  };
  nodes.forEach(visit);
  // What only the focus needs stands right above what needs it, not at the very top.
  for (const node of [...nodes].sort((a, b) => rank.get(b) - rank.get(a))) {
    const users = usersOf(node).filter((other) => rank.has(other) && rank.get(other) > rank.get(node));
    if (users.length) rank.set(node, Math.min(...users.map((other) => rank.get(other))) - 1);
  }
  const rows = [];
  for (const node of nodes) (rows[rank.get(node)] ||= []).push(node);
  const widest = Math.max(8, Math.ceil(Math.sqrt(nodes.length) * 1.6));
  return rows.filter(Boolean).flatMap((row) => {
    const parts = Math.ceil(row.length / widest), each = Math.ceil(row.length / parts);
    return Array.from({ length: parts }, (_, part) => row.slice(part * each, (part + 1) * each));
  });
}

// Centres as near to the wishes as order and room allow.
function spread(row, centre, wishes) {
  const step = NODE_W + 20, pools = [];
  wishes.forEach((wish, index) => {
    pools.push([wish - index * step, 1]);
    while (pools.length > 1 && pools[pools.length - 2][0] >= pools[pools.length - 1][0]) {
      const [value, count] = pools.pop(), last = pools[pools.length - 1];
      last[0] = (last[0] * last[1] + value * count) / (last[1] + count);
      last[1] += count;
    }
  });
  const starts = pools.flatMap(([value, count]) => Array(count).fill(value));
  row.forEach((node, index) => centre.set(node, starts[index] + index * step));
}
