// What is to be read: the details of a statement, lists, search results, and the card under the pointer.

function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name in element) element[name] = value; else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}
const plural = (count, word) => `${count.toLocaleString('en')} ${word}${count === 1 ? '' : 's'}`;

function title(node) {
  const rest = data.title_of[node] || (data.number[node] ? '' : shortLabel(node));
  return make('h2', { className: `k${data.kind[node]}` }, heading(node), rest ? make('span', { className: 'title' }, rest) : '');
}
function nodeButton(node, note) {
  const button = make('button', { type: 'button', className: `item k${data.kind[node]}`, onclick: () => goTo(node) },
    make('span', { className: 'name' }, heading(node)), ' ', make('span', { className: data.title_of[node] ? 'title' : 'label' }, subtitle(node)));
  if (note) button.append(' ', make('span', { className: 'hint' }, note));
  return make('li', {}, button);
}
function listOf(title, nodes, note = () => '') {
  const shown = nodes.slice(0, 150), list = make('ul', { className: 'list' }, ...shown.map((node) => nodeButton(node, note(node))));
  if (nodes.length > shown.length) list.append(make('li', { className: 'hint' }, `… and ${nodes.length - shown.length} more`));
  return nodes.length ? [make('h3', {}, title), list] : [];
}

let panelTurn = 0;
async function fillPanel() {
  const turn = ++panelTurn, panel = byId('panel'), node = state.selected;
  if (node < 0 || state.view === 'chapters') {
    panel.replaceChildren(...overview());
    return;
  }
  const text = make('div', { className: 'statement' });
  const rests = reach(node, citedOf, Infinity).size - 1, carries = reach(node, citersOf, Infinity).size - 1;
  const where = [data.groups[data.group[node]], data.section[node]].filter((part, index, all) => part && !all[index - 1]?.endsWith(part));
  const facts = make('p', { className: 'hint' }, where.join(' › '));
  const names = make('p', { className: 'hint' }, make('code', {}, data.label[node]));
  if (data.tag[node]) names.append(' · tag ', make('code', {}, data.tag[node]));
  if (data.origin[node]) names.append(` · ${data.origin[node]}`);
  const users = new Map(usedByEdges[node].map((edge) => [TO[edge], MASK[edge]])), used = new Map(usesEdges[node].map((edge) => [FROM[edge], MASK[edge]]));
  const where2 = (masks) => (other) => noteOf(masks.get(other));
  panel.replaceChildren(
    title(node),
    facts, text,
    make('p', { className: 'actions' },
      state.view === 'focus' && state.focus === node ? '' : make('button', { type: 'button', id: 'focus', onclick: () => focusOn(node) }, 'Show its surroundings'),
      state.view === 'chapter' && state.group === data.group[node] ? '' : make('button', { type: 'button', onclick: () => openGroup(data.group[node], node) }, `Show in its ${data.word}`),
      pathButton(node),
      carries ? make('button', { type: 'button', id: 'breaks', onclick: () => show({ view: 'focus', focus: node, selected: node, up: 0, down: 20, inferred: false }, { push: true }) }, 'What breaks if it falls') : '',
      data.site ? make('a', { className: 'page', href: data.site.statement + encodeURIComponent(data.id[node] ?? `${data.name}:${data.label[node]}`) }, 'Open its page') : ''),
    make('p', { className: 'facts' }, `${rests ? `Rests on ${plural(rests, 'statement')} in all` : 'Cites nothing here'}; ${plural(carries, 'statement')} rest${carries === 1 ? 's' : ''} on it. `,
      data.kind[node] === 0 ? (data.proofs[node] ? plural(data.proofs[node], 'proof') + '.' : 'No proof here.') : ''),
    data.stage.length ? make('p', { className: 'facts' }, make('span', { className: `dot stage-${data.stage[node]}`, 'aria-hidden': 'true' }), capital(STAGES[data.stage[node]]), '.') : '',
    ...listOf('Uses', usedOf(node), where2(used)), ...listOf('Used by', usersOf(node), where2(users)), names);
  panel.scrollTop = 0;
  text.append(make('p', { className: 'hint loading' }, 'Loading …'));
  const html = await textOf(node);
  if (turn === panelTurn) text.innerHTML = html;
}
// The first press chooses where a path begins, the second where it ends.
function pathButton(node) {
  if (state.start < 0 || state.start === node) {
    return make('button', { type: 'button', id: 'path', 'aria-pressed': String(state.start === node), onclick: () => { state.start = state.start === node ? -1 : node; fillPanel(); } },
      state.start === node ? 'Path from here: choose its end' : 'Path from here');
  }
  return make('button', { type: 'button', id: 'path', onclick: () => {
    const path = [state.start, node];
    state.start = -1;
    show({ view: 'path', path, focus: -1, group: -1, selected: node }, { push: true });
    if (!countCited()) byId('live').textContent = 'No chain of references joins them.';
  } }, `Path from ${heading(state.start)} to here`);
}
function overview() {
  if (state.view === 'chapter') {
    return [make('h2', {}, data.groups[state.group]), make('p', { className: 'hint' }, plural(members[state.group].length, 'statement')),
      make('ul', { className: 'list' }, ...members[state.group].map((node) => nodeButton(node)))];
  }
  const head = state.view === 'chapters' && state.selected >= 0 ? chapterLinks(state.selected) : [
    make('h2', {}, data.title), make('p', { className: 'hint' }, `${plural(N, 'statement')}, ${plural(MASK.filter((mask) => !(mask & INFERRED)).length, 'reference')}`),
    make('p', {}, `An arrow runs from a result to each one that uses it, dashed where the statement and not a proof cites it${data.inferred.length ? '. A faint dotted one is inferred from a name or from what the text says, and counts as no reference' : ''}. Click to read, double-click to see what is around.`)];
  const carried = (node) => `${plural(reach(node, citersOf, Infinity).size - 1, 'statement')} rest on it`;
  if (state.view === 'all' || !data.all || state.selected < 0) head.push(...listOf('Bottlenecks', [...bottlenecks()].slice(0, 6), carried), ...nextInLean());
  if (G === 1) return [...head, make('ul', { className: 'list' }, ...members[0].map((node) => nodeButton(node)))];
  return [...head, make('h3', {}, `${capital(data.word)}s`), make('ul', { className: 'list' }, ...data.groups.map((_, group) => groupItem(group, String(data.counts[group]))))];
}
// What can be formalised now: nothing that it uses is missing.
function nextInLean() {
  return listOf('Can be done in Lean next', data.stage.flatMap((stage, node) => (stage === 2 || (stage === 3 && citedOf(node).every((other) => data.stage[other] >= 3)) ? [node] : [])).slice(0, 12));
}
function groupItem(group, note) {
  return make('li', {}, make('button', { type: 'button', className: 'item', onclick: () => openGroup(group) },
    make('span', { className: 'title' }, data.groups[group]), ' ', make('span', { className: 'hint' }, note)));
}
function chapterLinks(group) {
  const column = { both: 2, statement: 3, proof: 4 }[state.edges];
  const side = (own, other) => data.links.filter((link) => link[own] === group && link[column]).sort((a, b) => b[column] - a[column])
    .slice(0, 12).map((link) => groupItem(link[other], plural(link[column], 'reference')));
  const part = (title, items) => (items.length ? [make('h3', {}, title), make('ul', { className: 'list' }, ...items)] : []);
  return [make('h2', {}, data.groups[group]), make('p', { className: 'hint' }, plural(data.counts[group], 'statement')),
    make('p', { className: 'actions' }, make('button', { type: 'button', id: 'open', onclick: () => openGroup(group) }, `Open this ${data.word}`)),
    ...part('Uses most', side(1, 0)), ...part('Most used by', side(0, 1))];
}
byId('panel').addEventListener('click', (event) => {
  const link = event.target.closest('a[data-node]');
  if (link) { event.preventDefault(); goTo(Number(link.dataset.node)); }
});

// What is drawn, as a file for papers and slides.
function saveSvg() {
  const { x, y, w, h } = scene.bounds, pad = 16, escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const parts = [`<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x - pad} ${y - pad} ${w + 2 * pad} ${h + 2 * pad}" font-family="STIX Two Text, Times New Roman, serif" font-size="13">`,
    `<title>${escaped(data.title)}</title><defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0L8 4L0 8z"/></marker></defs>`];
  for (const { line, mask } of scene.edges) {
    if (line) parts.push(`<path d="${svgPath(line)}" fill="none" stroke="#777" ${line.up ? 'marker-start' : 'marker-end'}="url(#tip)"${mask & 2 ? '' : mask & INFERRED ? ' stroke-dasharray="2 4" stroke-opacity="0.45"' : ' stroke-dasharray="5 4"'}/>`);
  }
  for (const node of scene.nodes) {
    const chapter = scene.kind === 'chapters', [line, ground] = chapter ? hueOf(node.id) : coloursOf(node.id);
    pen.font = '13px serif';
    const lines = chapter ? wrapped(data.groups[node.id], node.w - 16) : [heading(node.id), ...twoLines(subtitle(node.id), node.w - 24)];
    parts.push(`<rect x="${node.x}" y="${node.y}" width="${node.w}" height="${node.h}" rx="6" fill="${ground}" stroke="${line}"/>`);
    lines.forEach((text, index) => parts.push(`<text x="${node.x + 11}" y="${node.y + 19 + 17 * index}" fill="${ink.ink}"${index || chapter ? '' : ' font-weight="600"'}>${escaped(text)}</text>`));
  }
  const link = make('a', { href: URL.createObjectURL(new Blob([...parts, '</svg>'], { type: 'image/svg+xml' })), download: `${data.name.replace(/[^\w-]+/g, '-')}.svg` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// The card under the pointer.
let tipTimer = 0;
function hideTip() { clearTimeout(tipTimer); byId('tip').hidden = true; }
function showTip(node) {
  hideTip();
  tipTimer = setTimeout(async () => {
    const tip = byId('tip'), text = make('div', { className: 'statement' });
    text.innerHTML = await textOf(node);
    if (state.hover !== node || !scene.at.has(node)) return;
    tip.replaceChildren(title(node), text);
    tip.hidden = false;
    const { x, y, h } = scene.nodes[scene.at.get(node)], [sx, sy] = toScreen(x, y), height = h * camera.k;
    const below = sy + height + 8, fits = below + tip.offsetHeight < stage.clientHeight;
    tip.style.left = `${Math.max(8, Math.min(stage.clientWidth - tip.offsetWidth - 8, sx))}px`;
    tip.style.top = `${fits ? below : Math.max(8, sy - tip.offsetHeight - 8)}px`;
  }, 140);
}

// Search.
const fold = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const haystack = data.label.map((label, node) => fold(`${heading(node)} ${data.title_of[node]} ${label} ${data.tag[node]}`));
function find(query) {
  const words = fold(query).split(/\s+/).filter(Boolean), whole = fold(query).trim(), found = [];
  if (!words.length) return found;
  haystack.forEach((text, node) => {
    if (!words.every((word) => text.includes(word))) return;
    const exact = [data.number[node], data.label[node], data.tag[node], data.title_of[node], shortLabel(node)].some((name) => name && fold(name) === whole);
    found.push([exact ? 0 : fold(data.title_of[node]).startsWith(whole) ? 1 : text.includes(whole) ? 2 : 3, text.length, node]);
  });
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]).slice(0, 40).map((row) => row[2]);
}
let results = [], chosen = -1;
function showResults() {
  const box = byId('results'), input = byId('search');
  results = find(input.value);
  chosen = results.length ? 0 : -1;
  box.replaceChildren(...results.map((node, index) => make('li', {
    id: `found-${index}`, role: 'option', className: `item k${data.kind[node]}`, onpointerdown: (event) => { event.preventDefault(); take(index); },
  }, make('span', { className: 'name' }, heading(node)), ' ', make('span', { className: data.title_of[node] ? 'title' : 'label' }, subtitle(node)), ' ', make('span', { className: 'hint' }, data.groups[data.group[node]]))));
  if (!results.length && input.value.trim()) box.replaceChildren(make('li', { className: 'hint' }, 'Nothing found'));
  box.hidden = !input.value.trim();
  input.setAttribute('aria-expanded', String(!box.hidden));
  mark();
}
function mark() {
  [...byId('results').children].forEach((item, index) => item.setAttribute('aria-selected', String(index === chosen)));
  const now = byId(`found-${chosen}`);
  byId('search').setAttribute('aria-activedescendant', now ? now.id : '');
  now?.scrollIntoView({ block: 'nearest' });
}
function closeResults() { byId('results').hidden = true; byId('search').setAttribute('aria-expanded', 'false'); }
function take(index) {
  if (results[index] === undefined) return;
  closeResults();
  byId('search').value = '';
  goTo(results[index]);
  stage.focus();
}
byId('search').addEventListener('input', showResults);
byId('search').addEventListener('blur', closeResults);
byId('search').addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    chosen = Math.max(0, Math.min(results.length - 1, chosen + (event.key === 'ArrowDown' ? 1 : -1)));
    mark();
  } else if (event.key === 'Enter') take(chosen);
  else if (event.key === 'Escape') { event.target.value = ''; closeResults(); stage.focus(); }
});
