// Painting: everything that is visible, as simply as the zoom allows.

const pen = stage.getContext('2d');
const SERIF = '"STIX Two Text", "STIX Two Math", Cambria, "Times New Roman", serif';
const DASHES = [5, 4], DOTS = [2, 4];
let ink = {}, curves = null, pending = false;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  ink = Object.fromEntries(['paper', 'card', 'ink', 'soft', 'line', 'block', 'band', 'uses', 'users', 'warn'].map((name) => [name, value(`--${name}`)]));
  ink.kinds = [value('--theorem'), value('--definition'), value('--other')];
  ink.states = { proved: value('--proved'), unproved: value('--unproved'), given: value('--other') };
  ink.stages = Array.from({ length: 6 }, (_, stage) => [value(`--stage-${stage}`), value(`--stage-${stage}-tint`)]);
  ink.dark = (document.documentElement.dataset.theme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
  ink.tints = [value('--theorem-tint'), value('--definition-tint'), value('--other-tint')];
  repaint();
}
function repaint() {
  if (!pending) { pending = true; requestAnimationFrame(() => { pending = false; paint(); }); }
}
function resize() {
  const scale = devicePixelRatio || 1;
  stage.width = Math.round(stage.clientWidth * scale);
  stage.height = Math.round(stage.clientHeight * scale);
  repaint();
}

const upward = ({ a, b, line }) => (line ? line.up : b.y <= a.y);
// Where the arrow of an edge points: a line that was turned round ends where it begins.
function tipOf({ a, b, line }) {
  if (line) return line.up ? line.points[0] : line.points[line.points.length - 1];
  return [b.x + b.w / 2, b.y <= a.y ? b.y + b.h : b.y];
}
// An edge without a route is drawn only for what is pointed at, from box to box.
function trace(path, edge) {
  if (edge.line) return traceLine(edge.line, path.moveTo.bind(path), path.lineTo.bind(path), path.bezierCurveTo.bind(path));
  const { a, b } = edge, [x, y] = tipOf(edge), from = b.y <= a.y ? a.y : a.y + a.h, bend = (y - from) / 2;
  path.moveTo(a.x + a.w / 2, from);
  path.bezierCurveTo(a.x + a.w / 2, from + bend, x, y - bend, x, y);
}
// The curves of a scene are traced once, by how they are to be drawn.
function traceAll() {
  curves = { near: new Path2D(), dashed: new Path2D(), faint: new Path2D(), up: new Path2D() };
  for (const edge of scene.edges) if (edge.line) trace(edge.mask & INFERRED ? curves.faint : upward(edge) ? curves.up : edge.mask & 2 ? curves.near : curves.dashed, edge);
}

function paint() {
  if (!scene || !ink.paper) return;
  const scale = devicePixelRatio || 1, { k } = camera;
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.fillStyle = ink.paper;
  pen.fillRect(0, 0, stage.clientWidth, stage.clientHeight);
  pen.setTransform(scale * k, 0, 0, scale * k, -camera.x * k * scale, -camera.y * k * scale);
  // The focus itself dims nothing: all that is shown then is about it.
  const chosen = state.view === 'focus' && state.selected === state.focus ? -1 : state.selected;
  const centre = state.hover >= 0 ? state.hover : chosen;
  const lit = centre >= 0 && scene.at.has(centre) ? surroundings(centre) : null;
  for (const block of scene.blocks) paintBlock(block, ink.block);
  for (const band of scene.bands) paintBlock(band, ink.band);
  paintEdges(lit, centre);
  for (const node of scene.nodes) if (visible(node)) paintNode(node, lit, centre);
  if (scene.blocks.length > 1) for (const block of scene.blocks) paintTitle(block);
}
function visible({ x, y, w, h }) {
  const [sx, sy] = toScreen(x, y);
  return sx < stage.clientWidth && sy < stage.clientHeight && sx + w * camera.k > 0 && sy + h * camera.k > 0;
}
function surroundings(centre) {
  const lit = new Set([centre]);
  for (const { a, b } of scene.edges) {
    if (a.id === centre) lit.add(b.id);
    if (b.id === centre) lit.add(a.id);
  }
  return lit;
}

function paintBlock({ x, y, w, h }, colour) {
  pen.fillStyle = colour;
  pen.beginPath();
  pen.roundRect(x, y, w, h, 14);
  pen.fill();
}
// A chapter's title keeps a readable size; drawn last, it stays above what is small.
function paintTitle({ x, y, w, title }) {
  const size = Math.max(21, 12.5 / camera.k);
  pen.font = `600 ${size}px ${SERIF}`;
  pen.fillStyle = ink.ink;
  pen.textBaseline = 'alphabetic';
  pen.textAlign = 'left';
  const low = camera.k < 0.33;
  pen.fillText(shortened(title, w - (low ? 0 : 56)), x + (low ? 2 : 28), low ? y - 5 / camera.k : y + 40);
}

function paintEdges(lit, centre) {
  const thin = scene.kind === 'chapters' ? 0 : Math.max(1, 0.7 / camera.k);
  pen.lineCap = 'round';
  const stroke = (path, colour, alpha, dash) => {
    pen.globalAlpha = alpha; pen.strokeStyle = colour; pen.lineWidth = thin;
    pen.setLineDash(dash);
    pen.stroke(path);
  };
  const dim = lit ? 0.3 : 1;
  if (scene.kind === 'chapters') {
    pen.setLineDash([]);
    const top = Math.max(1, ...scene.edges.map((edge) => edge.weight));
    for (const edge of scene.edges) {
      if (lit && (edge.a.id === centre || edge.b.id === centre)) continue;
      weigh(edge, top);
      pen.globalAlpha = (upward(edge) ? 0.35 : 0.6) * dim;
      pen.strokeStyle = upward(edge) ? ink.warn : ink.line;
      paintArrow(edge, pen.strokeStyle);
    }
  } else {
    stroke(curves.near, ink.line, 0.75 * dim, []);
    stroke(curves.dashed, ink.line, 0.75 * dim, DASHES);
    stroke(curves.faint, ink.line, 0.4 * dim, DOTS);
    stroke(curves.up, ink.warn, 0.8 * dim, []);
    if (camera.k > 0.45 && scene.edges.length < 1500 && !lit && !moving) {
      for (const edge of scene.edges) {
        pen.globalAlpha = edge.mask & INFERRED ? 0.4 : 0.75;
        if (edge.line) paintHead(edge, upward(edge) && !(edge.mask & INFERRED) ? ink.warn : ink.line);
      }
    }
  }
  if (lit) {
    const top = Math.max(1, ...scene.edges.map((edge) => edge.weight));
    for (const edge of scene.edges) {
      if (edge.a.id !== centre && edge.b.id !== centre) continue;
      pen.globalAlpha = edge.mask & INFERRED ? 0.6 : 1;
      if (scene.kind === 'chapters') weigh(edge, top); else pen.lineWidth = Math.max(1.6, 1.2 / camera.k);
      pen.setLineDash(edge.mask & 2 ? [] : edge.mask & INFERRED ? DOTS : DASHES);
      paintArrow(edge, edge.b.id === centre ? ink.uses : ink.users);
      if (scene.kind === 'chapters') paintWeight(edge);
    }
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
const weigh = (edge, top) => { pen.lineWidth = 1 + 5 * Math.sqrt(edge.weight / top); };
function paintArrow(edge, colour) {
  const path = new Path2D();
  trace(path, edge);
  pen.strokeStyle = colour;
  pen.stroke(path);
  paintHead(edge, colour);
}
function paintHead(edge, colour) {
  const [x, y] = tipOf(edge), size = Math.max(5, pen.lineWidth * 1.4), back = upward(edge) ? size * 1.3 : -size * 1.3;
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y);
  pen.lineTo(x - size * 0.62, y + back);
  pen.lineTo(x + size * 0.62, y + back);
  pen.fill();
}
function paintWeight(edge) {
  const [x, y] = edge.line ? edge.line.points[Math.floor(edge.line.points.length / 2)] : tipOf(edge), text = String(edge.weight);
  pen.font = `600 13px ${SERIF}`;
  pen.textAlign = 'center'; pen.textBaseline = 'middle';
  pen.lineWidth = 5; pen.strokeStyle = ink.paper; pen.strokeText(text, x, y);
  pen.fillStyle = ink.ink; pen.fillText(text, x, y);
}

// The colours of a statement, or of a chapter: of its line and name, and of its ground.
function hueOf(group) {
  const hue = Math.round((group * 137.508) % 360);
  return ink.dark ? [`hsl(${hue} 55% 72%)`, `hsl(${hue} 25% 20%)`] : [`hsl(${hue} 60% 32%)`, `hsl(${hue} 60% 93%)`];
}
function coloursOf(id) {
  if (state.colour === 'chapter') return hueOf(data.group[id]);
  if (state.colour === 'kind') return [ink.kinds[data.kind[id]], ink.tints[data.kind[id]]];
  if (state.colour === 'lean') return ink.stages[data.stage[id]];
  const name = data.proofs[id] ? 'proved' : data.kind[id] !== 0 ? 'given' : 'unproved';
  return [ink.states[name], ink.card];
}
function paintNode(node, lit, centre) {
  const chapter = scene.kind === 'chapters', { x, y, id, w, h } = node;
  const kind = chapter ? 0 : data.kind[id], bold = id === centre || (id === state.focus && state.view === 'focus' && !chapter);
  pen.globalAlpha = lit && !lit.has(id) ? 0.28 : 1;
  const radius = chapter ? 8 : kind === 1 ? 20 : 6;
  pen.beginPath();
  pen.roundRect(x, y, w, h, radius);
  const readable = camera.k > 0.42, [line, ground] = chapter ? hueOf(id) : coloursOf(id);
  pen.fillStyle = chapter || readable ? ground : line;
  pen.fill();
  if (readable || chapter || bold) {
    pen.lineWidth = bold ? Math.max(2.6, 2 / camera.k) : 1.2;
    pen.strokeStyle = bold ? ink.ink : line;
    pen.setLineDash(kind === 2 && !bold ? [4, 3] : []);
    pen.stroke();
    pen.setLineDash([]);
  }
  if (chapter) paintChapter(node);
  else if (readable) paintCaption(node, radius);
  pen.globalAlpha = 1;
}
function paintCaption({ x, y, id, w }, radius) {
  const left = x + Math.max(11, radius * 0.6), room = w - 2 * Math.max(11, radius * 0.6);
  pen.textAlign = 'left'; pen.textBaseline = 'alphabetic';
  pen.font = `600 12.5px ${SERIF}`;
  pen.fillStyle = coloursOf(id)[0];
  pen.fillText(shortened(`${bottlenecks().has(id) ? '◆ ' : ''}${heading(id)}`, room), left, y + 19);
  pen.font = data.title_of[id] ? `13.5px ${SERIF}` : `italic 12.5px ${SERIF}`;
  pen.fillStyle = data.title_of[id] ? ink.ink : ink.soft;
  twoLines(subtitle(id), room).forEach((line, index) => pen.fillText(line, left, y + 37 + 16 * index));
}
function twoLines(text, room) {
  const lines = wrapped(text, room);
  return lines.length > 2 ? [lines[0], shortened(lines.slice(1).join(' '), room)] : lines;
}
function paintChapter({ x, y, id, w, h }) {
  const centre = x + w / 2, count = camera.k > 0.6;
  let size = Math.max(17, Math.min(25, (count ? 13 : 9.5) / camera.k)), lines;
  pen.textAlign = 'center'; pen.textBaseline = 'alphabetic';
  pen.fillStyle = ink.ink;
  // The largest size that holds the whole title.
  do {
    pen.font = `${size}px ${SERIF}`;
    lines = wrapped(data.groups[id], w - 16);
    size -= 1;
  } while (size > 12 && (lines.length * size * 1.14 > h - (count ? 22 : 8)));
  size += 1;
  const step = size * 1.14, first = y + h / 2 - ((lines.length - 1) * step) / 2 + size * 0.32 - (count ? 7 : 0);
  lines.forEach((line, index) => pen.fillText(line, centre, first + index * step));
  if (!count) return;
  pen.font = `13px ${SERIF}`;
  pen.fillStyle = ink.soft;
  pen.fillText(`${data.counts[id]} statement${data.counts[id] === 1 ? '' : 's'}`, centre, y + h - 7);
}

const cut = new Map();
function shortened(text, width) {
  const key = `${pen.font}|${Math.round(width)}|${text}`;
  if (!cut.has(key)) {
    if (cut.size > 20000) cut.clear();
    let kept = text;
    if (pen.measureText(text).width > width) {
      let low = 0, high = text.length;
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (pen.measureText(`${text.slice(0, middle)}…`).width <= width) low = middle; else high = middle - 1;
      }
      kept = `${text.slice(0, low).trimEnd()}…`;
    }
    cut.set(key, kept);
  }
  return cut.get(key);
}
function wrapped(text, width) {
  const lines = [];
  for (const word of text.split(' ')) {
    const longer = lines.length ? `${lines[lines.length - 1]} ${word}` : word;
    if (lines.length && pen.measureText(longer).width <= width) lines[lines.length - 1] = longer;
    else lines.push(shortened(word, width));
  }
  return lines;
}
