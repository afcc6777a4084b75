// The layout of every drawing of a graph: boxes in rows, what is used above what uses it, and lines that meet no other box.
//
// A line that passes a row has a place of its own in that row, so it never runs behind a box. Lines from the same box share
// their places and part where they turn off.

const LANE = 12;
const SWEEPS = 12;
const MOST_LANES = 30000;

// Boxes are {w, h}, in reading order; links are [used, user] by position. The answer: corners, the points of each line, the size,
// the bands of rows that stand for one depth, and whether lines are routed (a very dense graph keeps straight lines).
function layoutGraph(boxes, links, { gapX = 20, gapY = 46, widest = 0, last = -1 } = {}) {
  const joined = new Set(links.flat());
  const arcs = pointingDown(boxes.length, links);
  const depth = depths(boxes.length, arcs, joined, last);
  const { rows, bands } = intoRows(boxes, joined, depth, gapX, widest);
  const net = withLanes(boxes, arcs, rows);
  if (net.items.length) arrange(net, gapX);
  return placed(boxes, joined, net, bands, arcs, gapX, gapY, widest);
}

// Each link as an arc that points down; a link against reading order inside a circle is turned round.
function pointingDown(count, links) {
  const below = Array.from({ length: count }, () => []);
  for (const [a, b] of links) below[a].push(b);
  const home = components(below);
  return links.map(([a, b]) => (home[a] === home[b] && a > b ? { from: b, to: a, turned: true } : { from: a, to: b, turned: false }));
}

// The number of the circle that each node is in (Tarjan, without recursion).
function components(below) {
  const order = below.map(() => -1), low = [], home = below.map(() => -1), stack = [];
  let clock = 0, found = 0;
  for (let root = 0; root < below.length; root++) {
    if (order[root] >= 0) continue;
    const walk = [[root, 0]];
    while (walk.length) {
      const step = walk[walk.length - 1], [node] = step;
      if (step[1] === 0) { order[node] = low[node] = clock++; stack.push(node); }
      let next = -1;
      while (step[1] < below[node].length && next < 0) {
        const other = below[node][step[1]++];
        if (order[other] < 0) next = other;
        else if (home[other] < 0) low[node] = Math.min(low[node], order[other]);
      }
      if (next >= 0) { walk.push([next, 0]); continue; }
      if (step[1] === 0) step[1] = 1;
      walk.pop();
      if (walk.length) { const up = walk[walk.length - 1][0]; low[up] = Math.min(low[up], low[node]); }
      if (low[node] === order[node]) {
        for (let other = -1; other !== node;) { other = stack.pop(); home[other] = found; }
        found++;
      }
    }
  }
  return home;
}

// How deep each box stands: below all that it uses, and right above the first that uses it. One may be told to stand last.
function depths(count, arcs, joined, last) {
  const below = Array.from({ length: count }, () => []), waiting = Array(count).fill(0), depth = Array(count).fill(0);
  for (const { from, to } of arcs) { below[from].push(to); waiting[to]++; }
  const queue = [...joined].sort((a, b) => a - b).filter((node) => waiting[node] === 0);
  for (let at = 0; at < queue.length; at++) {
    for (const other of below[queue[at]]) {
      depth[other] = Math.max(depth[other], depth[queue[at]] + 1);
      if (--waiting[other] === 0) queue.push(other);
    }
  }
  if (last >= 0 && joined.has(last) && !below[last].length) depth[last] = Math.max(...depth);
  for (const node of queue.reverse()) {
    if (below[node].length) depth[node] = Math.min(...below[node].map((other) => depth[other])) - 1;
  }
  return depth;
}

// Boxes of one depth stand in one row; more than a row holds stand in rows close together, which make one band.
function intoRows(boxes, joined, depth, gapX, widest) {
  const levels = [];
  for (const node of [...joined].sort((a, b) => a - b)) (levels[depth[node]] ||= []).push(node);
  const rows = [], bands = [];
  for (const level of levels.filter(Boolean)) {
    const width = level.reduce((sum, node) => sum + boxes[node].w + gapX, 0);
    const parts = Math.min(level.length, Math.max(1, Math.ceil(width / (widest || Infinity)))), each = Math.ceil(level.length / parts);
    const first = rows.length;
    for (let at = 0; at < level.length; at += each) rows.push(level.slice(at, at + each));
    bands.push([first, rows.length - 1]);
  }
  return { rows, bands };
}

// Items of rows: boxes, and lanes where lines pass a row. Segments join items of neighbouring rows.
function withLanes(boxes, arcs, rows) {
  const items = [], inRows = rows.map(() => []), ofBox = new Map();
  const add = (item) => { item.near = [[], []]; item.at = items.length; items.push(item); inRows[item.row].push(item); return item; };
  rows.forEach((row, number) => row.forEach((box) => ofBox.set(box, add({ row: number, box, w: boxes[box].w }))));
  const total = arcs.reduce((sum, { from, to }) => sum + ofBox.get(to).row - ofBox.get(from).row - 1, 0);
  const routed = total <= MOST_LANES, lanes = new Map(), joins = new Set();
  const join = (above, below) => {
    const key = above.at * 1e6 + below.at;
    if (!joins.has(key)) { joins.add(key); above.near[1].push(below); below.near[0].push(above); }
  };
  const routes = arcs.map((arc) => {
    const start = ofBox.get(arc.from), end = ofBox.get(arc.to), way = [start];
    for (let row = start.row + 1; routed && row < end.row; row++) {
      // A line that was turned round shares no lane: it is drawn as what it is.
      const key = arc.turned ? `${arc.from}>${arc.to}|${row}` : `${arc.from}|${row}`;
      if (!lanes.has(key)) lanes.set(key, add({ row, box: -1, w: LANE }));
      way.push(lanes.get(key));
    }
    way.push(end);
    if (routed || end.row === start.row + 1) for (let at = 1; at < way.length; at++) join(way[at - 1], way[at]);
    else { start.near[1].push(end); end.near[0].push(start); }
    return way;
  });
  return { items, rows: inRows, routes, routed };
}

// Order the rows so that few lines cross, then move items towards their neighbours.
function arrange(net, gapX) {
  const { rows, items } = net;
  let best = Infinity, kept = null;
  for (const row of rows) spread(row, row.map(() => 0), gapX);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const side = sweep % 2;
    for (const row of side ? [...rows].reverse() : rows) {
      const wish = new Map(row.map((item) => [item, mean(item.near[side], item.x)]));
      row.sort((a, b) => wish.get(a) - wish.get(b) || a.x - b.x || a.at - b.at);
      spread(row, row.map((item) => wish.get(item)), gapX);
    }
    for (let again = 0; items.length < 4000 && again < 8 && swapped(rows); again++);
    const now = crossings(rows);
    if (now < best) { best = now; kept = rows.map((row) => [...row]); }
    if (!best) break;
  }
  net.crossings = best;
  rows.forEach((row, number) => { row.splice(0, row.length, ...kept[number]); spread(row, row.map((item) => item.x), gapX); });
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const row of sweep % 2 ? [...rows].reverse() : rows) spread(row, row.map(pulled), gapX);
  }
}
const mean = (near, otherwise) => (near.length ? near.reduce((sum, item) => sum + item.x, 0) / near.length : otherwise);
// Where an item would stand best; a lane is straightened before a box is centred.
function pulled(item) {
  let sum = 0, weight = 0;
  for (const other of [...item.near[0], ...item.near[1]]) {
    const share = item.box < 0 && other.box < 0 ? 6 : 1;
    sum += other.x * share; weight += share;
  }
  return weight ? sum / weight : item.x;
}
// Swap neighbours in a row while that leaves fewer crossings.
function swapped(rows) {
  let changed = false;
  rows.forEach((row) => row.forEach((item, index) => { item.index = index; }));
  for (const row of rows) {
    for (let at = 1; at < row.length; at++) {
      const [a, b] = [row[at - 1], row[at]];
      let gain = 0;
      for (const side of [0, 1]) {
        for (const one of a.near[side]) for (const two of b.near[side]) gain += Math.sign(one.index - two.index);
      }
      if (gain > 0) { changed = true; row[at - 1] = b; row[at] = a; a.index = at; b.index = at - 1; [a.x, b.x] = [b.x, a.x]; }
    }
  }
  return changed;
}
function crossings(rows) {
  let total = 0;
  rows.forEach((row) => row.forEach((item, index) => { item.index = index; }));
  for (const row of rows) {
    const ends = row.flatMap((item) => item.near[1].map((other) => [item.index, other.index])).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
    const size = Math.max(1, ...ends.map(([, to]) => to + 1)), tree = Array(size + 1).fill(0);
    ends.forEach(([, to], seen) => {
      let less = 0;
      for (let at = to + 1; at > 0; at -= at & -at) less += tree[at];
      total += seen - less;
      for (let at = to + 1; at <= size; at += at & -at) tree[at]++;
    });
  }
  return total;
}

// Centres as near to the wishes as order and widths allow (isotonic regression).
function spread(row, wishes, gapX) {
  const pools = [], offsets = [];
  row.forEach((item, index) => {
    const before = row[index - 1], gap = before && before.box < 0 && item.box < 0 ? 0 : gapX / 2;
    offsets.push(before ? offsets[index - 1] + before.w / 2 + gap + item.w / 2 : 0);
    pools.push([wishes[index] - offsets[index], 1]);
    while (pools.length > 1 && pools[pools.length - 2][0] >= pools[pools.length - 1][0]) {
      const [value, count] = pools.pop(), last = pools[pools.length - 1];
      last[0] = (last[0] * last[1] + value * count) / (last[1] + count);
      last[1] += count;
    }
  });
  let at = 0;
  for (const [value, count] of pools) for (let end = at + count; at < end; at++) row[at].x = value + offsets[at];
}

function placed(boxes, joined, net, bands, arcs, gapX, gapY, widest) {
  const corners = boxes.map(() => [0, 0]), tops = [], heights = [];
  const left = Math.min(...net.items.map((item) => item.x - item.w / 2), Infinity);
  let width = 0, y = 0;
  for (const [first, end] of bands) {
    for (let row = first; row <= end; row++) {
      tops[row] = y;
      heights[row] = Math.max(...net.rows[row].map((item) => (item.box < 0 ? 0 : boxes[item.box].h)));
      for (const item of net.rows[row]) {
        item.x -= left;
        width = Math.max(width, item.x + item.w / 2);
        if (item.box >= 0) corners[item.box] = [item.x - item.w / 2, y];
      }
      y += heights[row] + (row < end ? gapY * 0.6 : gapY);
    }
  }
  const loose = boxes.map((_, node) => node).filter((node) => !joined.has(node));
  const room = Math.max(width, widest || Math.sqrt(loose.reduce((sum, node) => sum + (boxes[node].w + gapX) * (boxes[node].h + gapY), 0) * 1.6));
  let x = 0, tall = 0;
  for (const node of loose) {
    if (x && x + boxes[node].w > room) { x = 0; y += tall + gapY * 0.6; tall = 0; }
    corners[node] = [x, y];
    x += boxes[node].w + gapX;
    width = Math.max(width, x - gapX);
    tall = Math.max(tall, boxes[node].h);
  }
  const high = loose.length ? y + tall : Math.max(0, y - gapY);
  const lines = linesOf(boxes, net, arcs, corners, tops, heights);
  const wide = bands.filter(([first, end]) => end > first).map(([first, end]) => ({ y: tops[first], h: tops[end] + heights[end] - tops[first] }));
  return { corners, lines, w: width, h: high, bands: wide, routed: net.routed, crossings: net.crossings ?? 0 };
}

// The points of each line, from the bottom of the used box to the top of the user's; where a line was turned round, `up` is set.
function linesOf(boxes, net, arcs, corners, tops, heights) {
  const ways = net.routes.map((way, number) => ({ way, number, turned: arcs[number].turned }));
  const starts = new Map(), ends = new Map();
  // All lines down from a box leave at one place; each turned line has its own. Lines arrive side by side.
  for (const one of ways) {
    const out = one.way[0], key = one.turned ? `t${one.number}` : 'down';
    if (!starts.has(out)) starts.set(out, new Map());
    const group = starts.get(out).get(key) ?? { x: one.way[1].x, n: 0 };
    starts.get(out).set(key, group);
    const into = one.way[one.way.length - 1];
    if (!ends.has(into)) ends.set(into, []);
    ends.get(into).push(one);
  }
  const port = (item, place, count) => item.x + ((place + 0.5) / count - 0.5) * Math.min(item.w * 0.7, 26 * (count - 1) + 0.01);
  for (const [item, groups] of starts) [...groups.values()].sort((p, q) => p.x - q.x).forEach((group, place) => { group.at = port(item, place, groups.size); });
  const arrival = new Map();
  for (const [item, list] of ends) {
    const from = (one) => one.way[one.way.length - 2].x;
    list.sort((p, q) => from(p) - from(q) || p.number - q.number).forEach((one, place) => arrival.set(one.number, port(item, place, list.length)));
  }
  return ways.map(({ way, number, turned }) => {
    const start = way[0], end = way[way.length - 1], x = starts.get(start).get(turned ? `t${number}` : 'down').at;
    const points = [[x, corners[start.box][1] + boxes[start.box].h], [x, tops[start.row] + heights[start.row]]];
    for (const lane of way.slice(1, -1)) points.push([lane.x, tops[lane.row]], [lane.x, tops[lane.row] + heights[lane.row]]);
    points.push([arrival.get(number), tops[end.row]]);
    return { points, up: turned };
  });
}

// A line as the pieces of a path: straight through rows, curved between them. `move`, `line` and `curve` take coordinates.
function traceLine({ points }, move, line, curve) {
  move(...points[0]);
  for (let at = 1; at < points.length; at++) {
    const [x, y] = points[at - 1], [u, v] = points[at], middle = (y + v) / 2;
    if (x === u) line(u, v);
    else curve(x, middle, u, middle, u, v);
  }
}
function svgPath(line) {
  const parts = [], say = (letter) => (...values) => parts.push(letter + values.map((value) => Math.round(value * 10) / 10).join(' '));
  traceLine(line, say('M'), say('L'), say('C'));
  return parts.join('');
}
