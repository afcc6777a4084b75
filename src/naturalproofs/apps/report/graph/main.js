// Putting it together: every change of what is shown passes through here.

function show(changes, { push = false, look = 'fit', fast = false } = {}) {
  Object.assign(state, { hover: -1 }, changes);
  hideTip();
  scene = makeScene();
  traceAll();
  tellControls();
  fillPanel();
  writeAddress(push);
  if (look === 'fit') fit(fast);
  // Large surroundings open at the statement, at a size that can be read.
  if (look === 'fit' && state.view === 'focus' && fittingZoom() < 0.42) centreOn(state.focus, fast, 0.6);
  // So do long paths, on a phone above all: at their upper end.
  if (look === 'fit' && state.view === 'path' && fittingZoom() < 0.6) centreOn(upperEnd(), fast, 0.75, 0.1);
  if (look === 'node') centreOn(state.selected, fast);
  repaint();
}
function upperEnd() {
  const height = (node) => scene.nodes[scene.at.get(node)]?.y ?? Infinity;
  return height(state.path[0]) <= height(state.path[1]) ? state.path[0] : state.path[1];
}
function select(node) {
  state.selected = node;
  if (node >= 0 && scene.kind === 'statements') byId('live').textContent = `${spoken(node)}. Uses ${citedOf(node).length}, used by ${citersOf(node).length}.`;
  if (node >= 0 && scene.kind === 'chapters') byId('live').textContent = `${data.groups[node]}, ${plural(data.counts[node], 'statement')}.`;
  document.body.dataset.selected = node >= 0 && scene.kind === 'statements' ? data.label[node] : '';
  document.body.classList.toggle('reading', node >= 0);
  fillPanel();
  writeAddress(false);
  repaint();
}
function goTo(node) {
  if (scene.kind === 'statements' && scene.at.has(node)) { select(node); centreOn(node); document.body.classList.add('reading'); return; }
  if (state.view === 'focus') focusOn(node); else openGroup(data.group[node], node);
}
const focusOn = (node) => show({ view: 'focus', focus: node, selected: node }, { push: true });
const openGroup = (group, node = -1) => show({ view: 'chapter', group, focus: -1, selected: node }, { push: true, look: node >= 0 ? 'node' : 'fit' });
const openLevel = (view) => show({ view, focus: -1, group: -1, selected: -1 }, { push: true });
function goBack() {
  if (state.view === 'focus') openGroup(data.group[state.focus], state.focus);
  else if (state.view === 'chapter' || state.view === 'path') openLevel(home());
  else select(-1);
}

const countCited = () => scene.edges.filter((edge) => !(edge.mask & INFERRED)).length;

function tellControls() {
  byId('edges').value = state.edges;
  byId('reduce').checked = state.reduce;
  byId('inferred').checked = state.inferred;
  byId('inferred').parentElement.hidden = !data.inferred.length || state.view === 'chapters';
  byId('depth').hidden = state.view !== 'focus';
  byId('up').value = state.up;
  byId('down').value = state.down;
  byId('weights').hidden = state.view !== 'chapters';
  byId('legend').hidden = state.view === 'chapters';
  byId('legend').classList.toggle('plain', state.colour !== 'kind');
  byId('colours').hidden = state.view === 'chapters';
  byId('colour').value = state.colour;
  tellColours();
  const steps = thresholds();
  byId('min').max = steps.length - 1;
  byId('min').value = Math.max(0, steps.findIndex((value) => value >= state.min));
  byId('weight').textContent = plural(state.min, 'reference');
  for (const button of byId('levels').children) button.setAttribute('aria-pressed', String(button.value === state.view));
  const trail = [make('button', { type: 'button', onclick: () => openLevel(home()) }, home() === 'all' ? 'All statements' : `All ${data.word}s`)];
  const group = state.view === 'focus' ? data.group[state.focus] : state.view === 'chapter' ? state.group : -1;
  if (group >= 0) trail.push(make('button', { type: 'button', onclick: () => openGroup(group) }, data.groups[group]));
  if (state.view === 'path') trail.push(make('span', { 'aria-current': 'page' }, `${spoken(state.path[0])} → ${spoken(state.path[1])}`, countCited() ? '' : ' (nothing joins them)'));
  if (state.view === 'focus') trail.push(make('span', { 'aria-current': 'page' }, heading(state.focus), ' ', make('i', {}, subtitle(state.focus))));
  byId('trail').replaceChildren(...(trail.length > 1 ? trail : []));
  const body = document.body, cited = countCited();
  const edges = plural(cited, scene.kind === 'chapters' ? 'link' : 'reference');
  stage.setAttribute('aria-label', `Reference graph: ${plural(scene.nodes.length, scene.kind === 'chapters' ? data.word : 'statement')}, ${edges}`);
  Object.assign(body.dataset, { view: state.view, nodes: scene.nodes.length, edges: cited, inferred: scene.edges.length - cited, selected: state.selected >= 0 && state.view !== 'chapters' ? data.label[state.selected] : '' });
  body.classList.toggle('reading', state.selected >= 0);
}
const thresholds = () => [...new Set([1, ...data.links.map((link) => link[2])])].sort((a, b) => a - b);

const LEVELS = data.all ? [['all', 'Statements'], ['chapters', `${capital(data.word)}s`]] : [['chapters', `${capital(data.word)}s`]];
if (G > 1 && LEVELS.length > 1) byId('levels').append(...LEVELS.map(([view, name]) => make('button', { type: 'button', value: view, onclick: () => openLevel(view) }, name)));
const KIND_NAMES = [['theorems', 'theorems, lemmas, corollaries'], ['definitions', 'definitions and axioms'], ['others', 'remarks, examples and the like']];
byId('legend').append(...KIND_NAMES.map(([name, all], index) => {
  const count = data.kind.filter((value) => value === index).length;
  return make('li', { hidden: count === 0 }, make('button', { type: 'button', className: `swatch k${index}`, 'aria-pressed': 'true', title: `Show or hide ${all}`, onclick: (event) => {
    state.hidden.has(index) ? state.hidden.delete(index) : state.hidden.add(index);
    event.currentTarget.setAttribute('aria-pressed', String(!state.hidden.has(index)));
    show({}, { look: 'stay' });
  } }, make('span', { className: 'mark', 'aria-hidden': 'true' }), `${name} `, make('span', { className: 'hint' }, count.toLocaleString('en'))));
}));

const COLOUR_NAMES = { kind: 'kind', chapter: data.word, proved: 'with or without proof', lean: 'stage in Lean' };
byId('colour').append(...COLOURS.map((name) => make('option', { value: name }, COLOUR_NAMES[name])));
byId('colour').addEventListener('change', (event) => show({ colour: event.target.value }, { look: 'stay' }));
function tellColours() {
  const keys = { proved: [['proved', 'with a proof'], ['unproved', 'without one'], ['given', 'nothing to prove']], lean: STAGES.map((text, stage) => [`stage-${stage}`, text]).filter((_, stage) => data.stage.includes(stage)) }[state.colour] ?? [];
  byId('key').replaceChildren(...keys.map(([name, text]) => make('li', {}, make('span', { className: `dot ${name}`, 'aria-hidden': 'true' }), text)));
  if (bottlenecks().size && state.view !== 'chapters') byId('key').append(make('li', {}, '◆ bottleneck'));
  byId('key').hidden = !byId('key').childElementCount;
}

byId('edges').addEventListener('change', (event) => show({ edges: event.target.value }, { look: state.view === 'focus' ? 'fit' : 'stay' }));
for (const name of ['reduce', 'inferred']) byId(name).addEventListener('change', (event) => show({ [name]: event.target.checked }, { look: state.view === 'focus' ? 'fit' : 'stay' }));
for (const side of ['up', 'down']) byId(side).addEventListener('change', (event) => show({ [side]: Math.min(20, whole(event.target.value, 0, state[side])) }));
byId('min').addEventListener('input', (event) => show({ min: thresholds()[event.target.value] }, { fast: true }));
byId('closer').addEventListener('click', () => zoomAt(stage.clientWidth / 2, stage.clientHeight / 2, 1.4));
byId('farther').addEventListener('click', () => zoomAt(stage.clientWidth / 2, stage.clientHeight / 2, 1 / 1.4));
byId('whole').addEventListener('click', () => fit());
byId('export').addEventListener('click', saveSvg);
byId('turn').addEventListener('click', () => showList(!document.body.classList.contains('listed')));
byId('home').addEventListener('click', (event) => { event.preventDefault(); openLevel(home()); });
byId('theme').addEventListener('click', () => {
  const root = document.documentElement, dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  readColours();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', readColours);
new ResizeObserver(resize).observe(stage);
window.addEventListener('popstate', () => show(readAddress()));
window.addEventListener('hashchange', () => show(readAddress()));
// For scripts and tests: where a statement is on the screen, and how large.
window.graphPage = Object.freeze({
  zoom: () => camera.k,
  // The boxes and the points of the lines that are drawn.
  geometry: () => ({ nodes: scene.nodes, edges: scene.edges.filter((edge) => edge.line).map(({ a, b, line }) => ({ from: a.id, to: b.id, points: line.points })) }),
  where(label) {
    const at = scene.at.get(byLabel.get(label)), box = stage.getBoundingClientRect();
    if (at === undefined) return null;
    const [x, y] = toScreen(scene.nodes[at].x + scene.nodes[at].w / 2, scene.nodes[at].y + scene.nodes[at].h / 2);
    return { x: x + box.x, y: y + box.y };
  },
});

if (data.site) document.querySelector('header').prepend(make('a', { className: 'back', href: data.site.corpus, 'aria-label': 'Back to the corpus' }, '←'));
// On a phone the list comes first; a drawing is one press away.
function showList(on) {
  document.body.classList.toggle('listed', on);
  byId('turn').textContent = on ? 'Show the drawing' : 'Show the list';
  if (!on && scene) { resize(); fit(true); }
}
if (matchMedia('(max-width: 720px)').matches) byId('options').open = false;
resize();
readColours();
const first = readAddress();
byId('loading').remove();
if (matchMedia('(max-width: 720px)').matches) showList(first.view === 'chapters' || first.view === 'all');
show(first, { fast: true, look: first.selected >= 0 && first.view !== 'focus' ? 'node' : 'fit' });
