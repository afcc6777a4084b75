// The fragment of the address says what is shown, so that a view can be sent to somebody.

function fragment() {
  const part = new URLSearchParams();
  if (state.view === 'focus') {
    part.set('focus', data.label[state.focus]);
    part.set('up', state.up);
    part.set('down', state.down);
  } else if (state.view === 'path') {
    part.set('from', data.label[state.path[0]]);
    part.set('to', data.label[state.path[1]]);
  } else if (state.view === 'chapter') part.set(data.word, data.groups[state.group]);
  else if (state.view !== home()) part.set('level', state.view === 'chapters' ? data.word : 'statement');
  if (state.selected >= 0 && state.view !== 'chapters' && state.selected !== state.focus) part.set('at', data.label[state.selected]);
  if (state.edges !== 'both') part.set('edges', state.edges);
  if (state.reduce) part.set('reduce', '1');
  if (!state.inferred) part.set('inferred', '0');
  if (state.colour !== HABIT) part.set('colour', state.colour);
  if (state.view === 'chapters' && state.min !== data.threshold) part.set('min', state.min);
  // Labels read better with their own colons and slashes, which a fragment may hold.
  return part.toString().replaceAll('%3A', ':').replaceAll('%2F', '/');
}
function writeAddress(push) {
  const text = `#${fragment()}`;
  if (text === (location.hash || '#')) return;
  history[push ? 'pushState' : 'replaceState'](null, '', text);
}
const home = () => (data.all && data.calm ? 'all' : 'chapters');
const whole = (text, least, otherwise) => (/^\d+$/.test(text ?? '') ? Math.max(least, Number(text)) : otherwise);

function readAddress() {
  const part = new URLSearchParams(location.hash.slice(1));
  const first = data.opening, given = [...part.keys()].length > 0;
  const wish = (name, otherwise) => part.get(name) ?? otherwise;
  const focus = byLabel.get(given ? part.get('focus') : first.focus) ?? -1;
  const group = data.groups.indexOf(part.get('chapter') ?? part.get('section'));
  const level = wish('level', given ? '' : first.level);
  const edges = wish('edges', first.edges);
  let view = home();
  if (level === 'chapter' || level === 'section') view = 'chapters';
  if (level === 'statement' && data.all && given) view = 'all';
  if (group >= 0) view = 'chapter';
  if (focus >= 0) view = 'focus';
  const path = [byLabel.get(part.get('from')) ?? -1, byLabel.get(part.get('to')) ?? -1];
  if (path[0] >= 0 && path[1] >= 0) view = 'path';
  const at = byLabel.get(part.get('at')) ?? focus;
  // A statement that the view does not hold is looked at where it stands.
  const elsewhere = at >= 0 && (view === 'chapters' || (view === 'chapter' && data.group[at] !== group));
  return {
    path, colour: COLOURS.includes(part.get('colour')) ? part.get('colour') : HABIT,
    view: elsewhere ? 'chapter' : view, focus, group: elsewhere ? data.group[at] : group, selected: at, hover: -1,
    up: Math.min(20, whole(part.get('up'), 0, first.up)),
    down: Math.min(20, whole(part.get('down'), 0, first.down)),
    edges: SHOWN[edges] ? edges : 'both',
    reduce: part.has('reduce') ? part.get('reduce') !== '0' : first.reduce,
    inferred: part.get('inferred') !== '0',
    min: whole(part.get('min'), 1, data.threshold),
  };
}
