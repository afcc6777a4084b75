// The camera: where on the plane we look, and how the hand moves it.

const stage = byId('stage');
const camera = { x: 0, y: 0, k: 1 };
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let flight = 0, moving = false, rest = 0;

// While the camera moves, a large graph is painted coarsely; once it rests, in full.
function inMotion() {
  moving = true;
  clearTimeout(rest);
  rest = setTimeout(() => { moving = false; repaint(); }, 120);
  repaint();
}

const clampZoom = (k) => Math.min(3, Math.max(0.02, k));
const toWorld = (x, y) => [x / camera.k + camera.x, y / camera.k + camera.y];
const toScreen = (x, y) => [(x - camera.x) * camera.k, (y - camera.y) * camera.k];

function zoomAt(x, y, factor) {
  const k = clampZoom(camera.k * factor);
  const [wx, wy] = toWorld(x, y);
  cancelAnimationFrame(flight);
  Object.assign(camera, { k, x: wx - x / k, y: wy - y / k });
  inMotion();
}
function panBy(dx, dy) {
  cancelAnimationFrame(flight);
  camera.x -= dx / camera.k;
  camera.y -= dy / camera.k;
  inMotion();
}
function flyTo(target, fast) {
  cancelAnimationFrame(flight);
  if (fast || calm.matches) { Object.assign(camera, target); repaint(); return; }
  const from = { ...camera }, start = performance.now();
  const frame = (now) => {
    const t = Math.min(1, (now - start) / 260), e = 1 - (1 - t) ** 3;
    for (const key of ['x', 'y', 'k']) camera[key] = from[key] + (target[key] - from[key]) * e;
    inMotion();
    if (t < 1) flight = requestAnimationFrame(frame);
  };
  flight = requestAnimationFrame(frame);
}
// The part of the stage that nothing covers.
function room() {
  const width = stage.clientWidth, height = stage.clientHeight;
  return { x: 24, y: 52, w: Math.max(80, width - 92), h: Math.max(80, height - 76) };
}
const fittingZoom = () => clampZoom(Math.min(room().w / scene.bounds.w, room().h / scene.bounds.h, 1.25));
function fit(fast) {
  const { bounds } = scene, free = room(), k = fittingZoom();
  flyTo({ k, x: bounds.x - (free.x + (free.w - bounds.w * k) / 2) / k, y: bounds.y - (free.y + (free.h - bounds.h * k) / 2) / k }, fast);
}
// A statement in the middle of the stage, or higher: at this part of its height.
function centreOn(node, fast, atLeast = 0.75, part = 0.5) {
  const at = scene.at.get(node);
  if (at === undefined) return;
  const { x, y, w, h } = scene.nodes[at], k = clampZoom(Math.max(camera.k, atLeast)), free = room();
  flyTo({ k, x: x + w / 2 - (free.x + free.w / 2) / k, y: y + h / 2 - (free.y + free.h * part) / k }, fast);
}

const pointers = new Map();
let moved = 0, pinch = 0;

stage.addEventListener('pointerdown', (event) => {
  stage.setPointerCapture(event.pointerId);
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  moved = pointers.size > 1 ? 99 : 0;
  pinch = 0;
});
stage.addEventListener('pointermove', (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) { if (event.pointerType !== 'touch') hoverAt(event.offsetX, event.offsetY); return; }
  const dx = event.offsetX - last[0], dy = event.offsetY - last[1];
  pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
  if (pointers.size === 2) {
    const [[ax, ay], [bx, by]] = [...pointers.values()];
    const distance = Math.hypot(ax - bx, ay - by);
    if (pinch) zoomAt((ax + bx) / 2, (ay + by) / 2, distance / pinch);
    pinch = distance;
    panBy(dx / 2, dy / 2);
    return;
  }
  moved += Math.abs(dx) + Math.abs(dy);
  if (moved > 5) { hideTip(); panBy(dx, dy); }
});
function release(event) {
  const known = pointers.delete(event.pointerId);
  if (known && event.type === 'pointerup' && moved <= 5 && pointers.size === 0) pressAt(event.offsetX, event.offsetY);
  pinch = 0;
}
stage.addEventListener('pointerup', release);
stage.addEventListener('pointercancel', release);
stage.addEventListener('pointerleave', () => { if (!pointers.size) hoverAt(-1, -1); });
stage.addEventListener('dblclick', (event) => enterAt(event.offsetX, event.offsetY));
stage.addEventListener('wheel', (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 16 : 1;
  zoomAt(event.offsetX, event.offsetY, Math.exp(-Math.max(-120, Math.min(120, event.deltaY * unit)) * (event.ctrlKey ? 0.01 : 0.0022)));
}, { passive: false });
