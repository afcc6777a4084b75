// Painting: everything that is visible, as simply as the zoom allows.

const pen = stage.getContext('2d');
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, "Book Antiqua", Georgia, serif';
const COARSE = 1200;
let ink = {}, curves = null, pending = false;

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const value = (name) => style.getPropertyValue(name).trim();
  ink = Object.fromEntries(['paper', 'card', 'ink', 'soft', 'line', 'block', 'uses', 'users', 'warn'].map((name) => [name, value(`--${name}`)]));
  ink.kinds = [value('--theorem'), value('--definition'), value('--other')];
  ink.states = { proved: value('--proved'), unproved: value('--unproved'), given: value('--other') };
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

const layered = () => state.view === 'focus' || state.view === 'path';
const upward = ({ a, b }) => b.y <= a.y;
// An edge leaves below and arrives above; one that goes up leaves and arrives at the right-hand side.
const ends = (edge) => {
  const { a, b } = edge;
  if (upward(edge)) return [a.x + scene.w, a.y + scene.h * 0.6, b.x + scene.w, b.y + scene.h * 0.4];
  const lean = Math.max(-0.36, Math.min(0.36, (b.x - a.x) / 2400)) * scene.w;
  return [a.x + scene.w / 2 + lean, a.y + scene.h, b.x + scene.w / 2 - lean, b.y];
};
function trace(path, edge) {
  const [ax, ay, bx, by] = ends(edge);
  path.moveTo(ax, ay);
  if (upward(edge)) {
    const out = Math.max(ax, bx) + 28 + Math.min(90, (ay - by) * 0.2);
    path.bezierCurveTo(out, ay, out, by, bx, by);
    return;
  }
  const bend = Math.max(18, Math.min(140, (by - ay) * 0.5));
  path.bezierCurveTo(ax, ay + bend, bx, by - bend, bx, by);
}
// The curves of a scene are traced once, by how they are to be drawn.
function traceAll() {
  curves = { near: new Path2D(), dashed: new Path2D(), far: new Path2D(), up: new Path2D(), coarse: null };
  if (scene.edges.length > COARSE) curves.coarse = new Path2D();
  for (const edge of scene.edges) {
    if (curves.coarse && !edge.far) { curves.coarse.moveTo(edge.a.x + scene.w / 2, edge.a.y + scene.h); curves.coarse.lineTo(edge.b.x + scene.w / 2, edge.b.y); }
    trace(edge.far ? curves.far : upward(edge) ? curves.up : edge.mask & 2 ? curves.near : curves.dashed, edge);
  }
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
  for (const block of scene.blocks) paintBlock(block);
  paintEdges(lit, centre);
  for (const node of scene.nodes) if (visible(node)) paintNode(node, lit, centre);
  if (scene.blocks.length > 1) for (const block of scene.blocks) paintTitle(block);
}
function visible({ x, y }) {
  const [sx, sy] = toScreen(x, y);
  return sx < stage.clientWidth && sy < stage.clientHeight && sx + scene.w * camera.k > 0 && sy + scene.h * camera.k > 0;
}
function surroundings(centre) {
  const lit = new Set([centre]);
  for (const { a, b } of scene.edges) {
    if (a.id === centre) lit.add(b.id);
    if (b.id === centre) lit.add(a.id);
  }
  return lit;
}

function paintBlock({ x, y, w, h }) {
  pen.fillStyle = ink.block;
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
    pen.setLineDash(dash ? [5, 4] : []);
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
  } else if (moving && curves.coarse) {
    stroke(curves.coarse, ink.line, 0.4, false);
  } else {
    stroke(curves.far, ink.line, (layered() ? 0.75 : 0.1) * dim, false);
    stroke(curves.near, ink.line, 0.75 * dim, false);
    stroke(curves.dashed, ink.line, 0.75 * dim, true);
    stroke(curves.up, ink.warn, 0.8 * dim, false);
    if (camera.k > 0.45 && (layered() || scene.edges.length < 600) && !lit) {
      pen.globalAlpha = 0.75;
      for (const edge of scene.edges) if (!edge.far || layered()) paintHead(edge, upward(edge) ? ink.warn : ink.line);
    }
  }
  if (lit) {
    const top = Math.max(1, ...scene.edges.map((edge) => edge.weight));
    for (const edge of scene.edges) {
      if (edge.a.id !== centre && edge.b.id !== centre) continue;
      pen.globalAlpha = 1;
      if (scene.kind === 'chapters') weigh(edge, top); else pen.lineWidth = Math.max(1.6, 1.2 / camera.k);
      pen.setLineDash(edge.mask & 2 ? [] : [5, 4]);
      paintArrow(edge, edge.b.id === centre ? ink.uses : ink.users);
      if (scene.kind === 'chapters') paintWeight(edge);
    }
  }
  pen.setLineDash([]);
  pen.globalAlpha = 1;
}
const weigh = (edge, top) => { pen.lineWidth = 1 + 6 * Math.sqrt(edge.weight / top); };
function paintArrow(edge, colour) {
  const path = new Path2D();
  trace(path, edge);
  pen.strokeStyle = colour;
  pen.stroke(path);
  paintHead(edge, colour);
}
function paintHead(edge, colour) {
  const [, , x, y] = ends(edge), size = Math.max(5, pen.lineWidth * 2);
  pen.fillStyle = colour;
  pen.beginPath();
  pen.moveTo(x, y);
  if (upward(edge)) { pen.lineTo(x + size * 1.3, y - size * 0.62); pen.lineTo(x + size * 1.3, y + size * 0.62); }
  else { pen.lineTo(x - size * 0.62, y - size * 1.3); pen.lineTo(x + size * 0.62, y - size * 1.3); }
  pen.fill();
}
function paintWeight(edge) {
  const [ax, ay, bx, by] = ends(edge), text = String(edge.weight), x = (ax + bx) / 2, y = (ay + by) / 2;
  pen.font = `600 13px ${SERIF}`;
  pen.textAlign = 'center'; pen.textBaseline = 'middle';
  pen.lineWidth = 5; pen.strokeStyle = ink.paper; pen.strokeText(text, x, y);
  pen.fillStyle = ink.ink; pen.fillText(text, x, y);
}

// The colours of a statement: of its line and name, and of its ground.
function coloursOf(id) {
  if (state.colour === 'chapter') {
    const hue = Math.round((data.group[id] * 137.508) % 360);
    return ink.dark ? [`hsl(${hue} 55% 72%)`, `hsl(${hue} 25% 20%)`] : [`hsl(${hue} 60% 32%)`, `hsl(${hue} 60% 93%)`];
  }
  if (state.colour === 'kind') return [ink.kinds[data.kind[id]], ink.tints[data.kind[id]]];
  const done = state.colour === 'lean' ? data.lean[id] : data.proofs[id];
  const name = done ? 'proved' : state.colour === 'proved' && data.kind[id] !== 0 ? 'given' : 'unproved';
  return [ink.states[name], ink.card];
}
function paintNode(node, lit, centre) {
  const chapter = scene.kind === 'chapters', { x, y, id } = node, { w, h } = scene;
  const kind = chapter ? 0 : data.kind[id], bold = id === centre || (id === state.focus && state.view === 'focus' && !chapter);
  pen.globalAlpha = lit && !lit.has(id) ? 0.28 : 1;
  const radius = chapter ? 8 : kind === 1 ? h / 2 : 6;
  pen.beginPath();
  pen.roundRect(x, y, w, h, radius);
  const readable = camera.k > 0.42, [line, ground] = chapter ? [ink.kinds[0], ink.card] : coloursOf(id);
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
function paintCaption({ x, y, id }, radius) {
  const left = x + Math.max(12, radius * 0.8), room = NODE_W - 2 * Math.max(12, radius * 0.8);
  pen.textAlign = 'left'; pen.textBaseline = 'alphabetic';
  pen.font = `600 12px ${SERIF}`;
  pen.fillStyle = coloursOf(id)[0];
  pen.fillText(shortened(heading(id), room), left, y + 19);
  pen.font = data.title_of[id] ? `13.5px ${SERIF}` : `italic 12.5px ${SERIF}`;
  pen.fillStyle = data.title_of[id] ? ink.ink : ink.soft;
  pen.fillText(shortened(subtitle(id), room), left, y + 36);
}
function paintChapter({ x, y, id }) {
  const centre = x + BOX_W / 2, count = camera.k > 0.6;
  let size = count ? 16 : Math.max(16, Math.min(25, 9.5 / camera.k)), lines;
  pen.textAlign = 'center'; pen.textBaseline = 'alphabetic';
  pen.fillStyle = ink.ink;
  // The largest size that holds the whole title.
  do {
    pen.font = `${size}px ${SERIF}`;
    lines = wrapped(data.groups[id], BOX_W - 16);
    size -= 1;
  } while (size > 12 && (lines.length * size * 1.14 > BOX_H - (count ? 22 : 8)));
  size += 1;
  const step = size * 1.14, first = y + BOX_H / 2 - ((lines.length - 1) * step) / 2 + size * 0.32 - (count ? 7 : 0);
  lines.forEach((line, index) => pen.fillText(line, centre, first + index * step));
  if (!count) return;
  pen.font = `11px ${SERIF}`;
  pen.fillStyle = ink.soft;
  pen.fillText(`${data.counts[id]} statement${data.counts[id] === 1 ? '' : 's'}`, centre, y + BOX_H - 7);
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
