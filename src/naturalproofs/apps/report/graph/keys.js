// The pointer and the keyboard on the stage.

function nodeAt(x, y) {
  const [wx, wy] = toWorld(x, y), slack = 4 / camera.k;
  for (let index = scene.nodes.length - 1; index >= 0; index--) {
    const node = scene.nodes[index];
    if (wx >= node.x - slack && wx <= node.x + node.w + slack && wy >= node.y - slack && wy <= node.y + node.h + slack) return node.id;
  }
  return -1;
}
function hoverAt(x, y) {
  const node = x < 0 ? -1 : nodeAt(x, y);
  if (node === state.hover) return;
  state.hover = node;
  stage.style.cursor = node >= 0 ? 'pointer' : '';
  if (node >= 0 && scene.kind === 'statements') showTip(node); else hideTip();
  repaint();
}
function pressAt(x, y) {
  const node = nodeAt(x, y);
  hideTip();
  if (node !== state.selected) select(node);
}
function enterAt(x, y) {
  const node = nodeAt(x, y);
  if (node >= 0) enter(node);
}
const enter = (node) => (scene.kind === 'chapters' ? openGroup(node) : focusOn(node));

// The nearest node in a direction: straight ahead counts more than near.
function towards(dx, dy) {
  const from = scene.at.has(state.selected) ? scene.nodes[scene.at.get(state.selected)] : null;
  if (!from) return scene.nodes[0]?.id ?? -1;
  let best = -1, least = Infinity;
  for (const node of scene.nodes) {
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy, aside = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
    if (along > 1 && along + 2.5 * aside < least) { least = along + 2.5 * aside; best = node.id; }
  }
  return best;
}
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
stage.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const middle = [stage.clientWidth / 2, stage.clientHeight / 2], arrow = ARROWS[event.key];
  if (arrow && event.shiftKey) panBy(-arrow[0] * 80, -arrow[1] * 80);
  else if (arrow) {
    const node = towards(...arrow);
    if (node >= 0) { select(node); centreOn(node, false, Math.min(camera.k, 0.75)); }
  } else if (event.key === '+' || event.key === '=') zoomAt(...middle, 1.25);
  else if (event.key === '-' || event.key === '_') zoomAt(...middle, 0.8);
  else if (event.key === '0') fit();
  else if (event.key === 'Enter' && state.selected >= 0) enter(state.selected);
  else if (event.key === 'Escape') goBack();
  else return;
  event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && !/^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    byId('search').focus();
  }
});
