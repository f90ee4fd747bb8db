// The page of `wikinav-eval view`. Whatever it shows of releases, models and people is set as text,
// never as markup. It knows no family: what can be done follows from the shape of an observation.
'use strict';

const main = document.getElementById('main');
const says = document.getElementById('says');
const SVG = 'http://www.w3.org/2000/svg';

// Elements.

function make(space, name, attributes, children) {
  const e = space ? document.createElementNS(space, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else e.setAttribute(key, value === true ? '' : String(value));
  }
  e.append(...children.flat(Infinity).filter((c) => c !== undefined && c !== null && c !== false &&
    c !== ''));
  return e;
}
const el = (name, attributes, ...children) => make(null, name, attributes, children);
const sv = (name, attributes, ...children) => make(SVG, name, attributes, children);
// clean replaces what controls or turns the writing around it.
const turns =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const clean = (text) => String(text).replace(turns, '\ufffd');
const title = (text) => el('span', { class: 't', dir: 'auto' }, clean(text));
const text = (words) => el('div', { class: 'text', dir: 'auto', tabindex: 0 }, clean(words));
const link = (hash, ...children) => el('a', { href: hash }, ...children);
const go = (...parts) => '#/' + parts.map(encodeURIComponent).join('/');
const button = (label, onclick, more) => el('button', { type: 'button', onclick, ...more }, label);
const heading = (...children) => el('h1', { tabindex: -1 }, ...children);

function table(caption, headings, rows) {
  const head = headings.map((h) => h instanceof Node ? h : el('th', { scope: 'col' }, h));
  return el('div', { class: 'box', tabindex: 0, role: 'region', 'aria-label': caption },
    el('table', {}, el('caption', {}, caption), el('thead', {}, el('tr', {}, head)),
      el('tbody', {}, rows.map((cells) => el('tr', {}, cells.map((c) => el('td',
        { class: typeof c === 'number' ? 'n' : null }, c === null ? '–' : c instanceof Node ||
        Array.isArray(c) ? c : clean(c))))))));
}

function choose(label, value, options, onchange) {
  const list = el('select', { onchange: () => onchange(list.value) },
    options.map(([v, name]) => el('option', { value: v, selected: v === value }, clean(name))));
  return el('label', {}, label, list);
}

// Requests.

async function ask(path, parameters, body) {
  const query = new URLSearchParams(Object.entries(parameters || {}).filter(([, v]) => v !== '' &&
    v !== undefined && v !== null));
  const how = body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body) };
  const answer = await fetch(path + (query.size ? '?' + query : ''), how);
  const value = await answer.json().catch(() => ({}));
  if (answer.ok) return value;
  const { code, message } = value.error || { message: 'the server answered ' + answer.status };
  throw Object.assign(new Error(message), { code });
}

// Drawings.

const ruler = document.createElement('canvas').getContext('2d');
function cut(words, room, font) {
  words = clean(words);
  ruler.font = font + 'px system-ui, sans-serif';
  if (ruler.measureText(words).width <= room) return words;
  const letters = Array.from(words);
  let n = letters.length;
  while (n > 1 && ruler.measureText(letters.slice(0, n).join('') + '…').width > room) n = Math.min(n - 1,
    Math.ceil(n * 0.95));
  return letters.slice(0, n).join('') + '…';
}

function drawing(d, legend, here) {
  const node = (n) => {
    const now = here && (n.label === here || n.id === here);
    const y = n.y + n.h / 2 + 4 - (n.under ? 8 : 0), x = n.x + n.w / 2;
    return sv('g', { class: [...(n.marks || []), now ? 'here' : ''].join(' ') },
      sv('title', {}, clean([n.label, n.under, n.note].filter(Boolean).join('\n'))),
      sv('rect', { x: n.x, y: n.y, width: n.w, height: n.h, rx: 4 }),
      n.under && sv('text', { class: 'q', x, y: y + 16 }, cut(n.under, n.w - 10, 11)),
      sv('text', { x, y }, cut(n.label, n.w - 10, 12)));
  };
  const edge = (e) => [
    sv('path', { class: (e.marks || []).join(' '), d: e.path }, e.note && sv('title', {}, clean(e.note))),
    e.label && sv('text', { class: 'e', x: e.x, y: e.y + 4 }, cut(e.label, 90, 11)),
  ];
  const layer = (l) => l.label && [
    sv('text', { class: 'h', x: l.x, y: l.y }, clean(l.label)),
    sv('text', { class: 'q l', x: l.x, y: l.y + 15 }, l.size + (l.size === 1 ? ' page' : ' pages')),
  ];
  const width = Math.max(d.width, 320);
  return el('figure', {},
    el('div', { class: 'box', tabindex: 0, role: 'region', 'aria-label': 'Drawing' },
      sv('svg', { class: 'dag', role: 'img', width, height: d.height, viewBox: `0 0 ${width} ${d.height}` },
        sv('title', {}, clean(d.title)), sv('desc', {}, clean(d.says)), (d.layers || []).map(layer),
          (d.edges || []).map(edge), (d.nodes || []).map(node))),
    el('figcaption', {}, title(d.says), (d.notes || []).map((n) => el('div', {}, title(n))),
      legend && legend.length > 0 && el('ul', { class: 'legend' },
        legend.map((m) => el('li', {}, swatch(m), m.says)))));
}

const swatch = (m) => sv('svg', { class: 'dag', width: 30, height: 18, 'aria-hidden': 'true' },
  m.edge ? sv('path', { class: m.mark, d: 'M2 9h26' }) : sv('g', { class: m.mark },
    sv('rect', { x: 2, y: 2, width: 26, height: 14, rx: 3 })));

function distances(turns, best, now) {
  const left = (list) => list.map((t) => t.before).concat(list.length ? [list[list.length - 1].after] : []);
  const mine = left(turns), ideal = best ? left(best.game.turns) : [];
  const known = mine.concat(ideal).filter((v) => v !== null);
  if (known.length < 2) return null;
  const top = Math.max(...known), most = Math.max(mine.length, ideal.length) - 1;
  const x = (i) => 34 + i * 500 / Math.max(most, 1), y = (v) => 110 - v * 96 / Math.max(top, 1);
  const points = (list) => list.map((v, i) => v === null ? '' : `${x(i)},${y(v)}`).join(' ');
  return el('figure', {}, sv('svg', { class: 'line', role: 'img', viewBox: '0 0 560 132', width: 560,
    height: 132 },
    sv('title', {}, 'Turns that an optimal player has left, by step'),
    sv('path', { d: 'M34 8V112H548' }), sv('text', { x: 4, y: 18 }, String(top)),
      sv('text', { x: 4, y: 114 }, '0'),
    sv('text', { x: 34, y: 128 }, 'start'), sv('text', { x: 500, y: 128 }, 'step ' + most),
    sv('polyline', { class: 'best', points: points(ideal) }), sv('polyline', { points: points(mine) }),
    mine.map((v, i) => v !== null && sv('circle', { cx: x(i), cy: y(v), r: i === now ? 5 : 2.5,
      class: i === now ? 'now' : null }))),
  el('figcaption', {}, `Turns that an optimal player has left${best ? `; dashed: ${best.name.toLowerCase()}` : ''}.`));
}

// short is a feature as a table has room for it.
function short(v) {
  if (v === undefined) return null;
  return /^-?[0-9.]+(e[+-]?[0-9]+)?$/i.test(v) ? Number(Number(v).toPrecision(4)) : v;
}

// What is known of an instance, in one line.
function about(info) {
  return Object.entries(info || {}).filter(([key]) => !['id', 'split', 'schema'].includes(key)).map(([key, v],
    i) => {
    const value = v && typeof v === 'object' ? v.title || v.name || JSON.stringify(v) : v;
    return [i ? ' · ' : '', key.replaceAll('_', ' ') + ' ', title(value)];
  });
}

const outcome = (g) => el('span', { class: g.success ? 'good' : 'bad' },
  (g.success ? '✓ ' : '✗ ') + g.outcome);

// Views. Each returns what stands in main.

async function home() {
  const [r, runs] = await Promise.all([ask('/api/release'), ask('/api/runs')]);
  const twin = runs.findIndex((x, i) => runs.slice(0, i).some((y) => y.family === x.family));
  const pick = twin < 0 ? ['0', '1'] : [String(runs.findIndex((x) => x.family === runs[twin].family)),
    String(twin)];
  const option = runs.map((x) => [String(x.n), `${x.n}: ${x.family}, ${x.player} (${x.dir})`]);
  return [heading('Release ', title(r.name || r.id)),
    el('p', { class: 'faint' },
      `wiki ${r.wiki}, snapshot of ${r.date}, id ${r.id}. Games that you play are kept in ${r.log}.`),
    el('h2', {}, 'Look at instances, or play them'),
    r.families.map((f) => el('section', {}, el('h3', {}, f.name), f.says &&
      el('p', { class: 'faint' }, f.says),
      f.absent ? el('p', { class: 'faint' }, clean(f.absent)) : el('ul', {},
        (f.splits || []).map((s) => el('li', {}, link(go('list', f.name, s.Name), s.Name),
        `${s.Got || s.Requested ? ` (${s.Got || s.Requested})` : ''}`))))),
    el('h2', {}, 'Runs'),
    runs.length === 0 ? el('p', {}, 'None were named with --run, and nothing was played here.') : [
      table('Runs that were named, and games that were played here', ['run', 'family', 'player', 'folder'],
        runs.map((x) => [link(go('run', x.n), title(x.run || x.dir)), x.error || x.family, x.player, x.dir])),
      runs.length > 1 && el('div', { class: 'bar' }, choose('Compare ', pick[0], option,
        (v) => { pick[0] = v; }), choose(' with ', pick[1], option, (v) => { pick[1] = v; }),
        button('Compare', () => { location.hash = go('compare', pick[0], pick[1]); }))]];
}

async function list([family, split], q) {
  const state = { q: q.get('q') || '', sort: q.get('sort') || '', desc: q.get('desc') || '',
    all: q.get('all') || '', offset: Number(q.get('offset') || 0), limit: 50 };
  const show = (change) => {
    const next = new URLSearchParams(Object.entries({ ...state, ...change }).filter(([k, v]) => v &&
      k !== 'limit'));
    location.hash = go('list', family, split) + (next.size ? '?' + next : '');
  };
  const r = await ask('/api/list', { family, split, q: state.q, sort: state.sort, desc: state.desc,
    offset: state.offset, limit: state.limit });
  const all = r.features || [], features = all.filter((f, i) => state.all || i < 4 || f === state.sort);
  const column = (name, label) => {
    const on = state.sort === name, down = on && state.desc === '1';
    return el('th', { scope: 'col', 'aria-sort': on ? (down ? 'descending' : 'ascending') : 'none' },
      button(label, () => show({ sort: name, desc: on && !down ? '1' : '', offset: 0 })));
  };
  const field = el('input', { type: 'search', value: state.q, 'aria-label': 'Search titles and names' });
  return [heading(`${family}, ${split}`),
    el('form', { class: 'search', role: 'search',
      onsubmit: (e) => { e.preventDefault(); show({ q: field.value, offset: 0 }); } }, field,
      el('button', {}, 'Search')),
    el('p', {}, `${r.total} instances`),
    table('Instances', [column('task', 'instance'), el('th', { scope: 'col' }, 'about'), r.called &&
      column('length', r.called), ...features.map((f) => column(f, f.replaceAll('_', ' ')))].filter(Boolean),
      r.rows.map((x) => [[link(go('instance', x.task), title(x.task)), ' ',
        el('div', {}, link(go('play', x.task), 'play'))], el('div', { class: 'about' }, x.playing &&
        'being played · ', about(x.info)),
        ...(r.called ? [x.length] : []), ...features.map((f) => short((x.features || {})[f]))])),
    all.length > 4 && el('p', {},
      button(state.all ? 'Show fewer features' : `Show all ${all.length} features`,
      () => show({ all: state.all ? '' : '1' }))),
    el('div', { class: 'bar' },
      state.offset > 0 && button('Previous page', () => show({ offset: Math.max(0,
        state.offset - state.limit) })),
      el('span', {}, `${Math.min(state.offset + 1, r.total)} to ${Math.min(state.offset + state.limit, r.total)}`),
      state.offset + state.limit < r.total && button('Next page',
        () => show({ offset: state.offset + state.limit })))];
}

async function instance([task]) {
  const r = await ask('/api/instance', { task });
  const d = r.difficulty;
  return [heading(title(r.task)), el('p', {}, about(r.info)),
    el('div', { class: 'bar' }, link(go('play', task), 'Play it'),
      link(go('list', r.family, r.split), 'All of ' + r.split)),
    r.playing ? el('p', { class: 'warning' },
      'It is being played: what is known of it is shown once the game is over.') : [
      r.drawing ? drawing(r.drawing, r.legend) : r.undrawn && el('p', { class: 'faint' }, clean(r.undrawn)),
      el('div', { class: 'columns' },
        el('section', {}, el('h2', {}, 'What makes it hard'),
          d ? el('dl', {}, el('dt', {}, d.called), el('dd', {}, d.length),
          (d.features || []).map((f) => [el('dt', {}, f.Name), el('dd', {}, title(f.Value))])) : el('p', {},
            'Nothing is known.'),
        r.key && el('details', {}, el('summary', {}, 'What is right'), text(r.key))),
        el('section', {}, el('h2', {}, 'Games'), r.games.length ? table('Games of this instance',
          ['player', 'game', 'outcome', 'steps'],
          r.games.map((g) => [g.player, link(go('run', g.n, 'game', g.item), title(g.item)), outcome(g),
            `${g.steps} of ${g.optimal}`])) : el('p', {}, 'No run has it.'))),
      r.messages && el('details', {}, el('summary', {}, 'What a model reads first'),
        r.messages.map((m) => [el('h3', {}, m.role), text(m.content)]))]];
}

async function run([n]) {
  const r = await ask('/api/run', { n });
  const body = el('div');
  let shown = 'all', most = 200;
  const fill = () => {
    const games = r.games.filter((g) => shown === 'all' || g.success === (shown === 'won'));
    body.replaceChildren(table('Games', ['game', 'outcome', 'steps', 'optimal', 'where most was lost'],
      games.slice(0, most).map((g) => [
      link(go('run', n, 'game', g.item), title(g.item)), outcome(g), g.steps, g.optimal,
      g.lost ? link(go('run', n, 'game', g.item, 'step', g.lost), `step ${g.lost}: `,
        title(g.why)) : title(g.why || '')])),
    games.length > most ? button(`Show ${games.length - most} more`,
      () => { most = games.length; fill(); }) : '');
  };
  fill();
  return [heading('Run ', title(r.run.run)), el('p', {}, `${r.run.family}, played by `, title(r.run.player),
    `, in ${r.run.dir}`),
    r.wrong && el('p', { class: 'warning' }, clean(r.wrong)),
    table('Score', ['split', 'group', 'n', 'missing', ...r.headings, 'flags'],
      r.rows.filter((x) => x.n > 0 || x.by.length === 0).map((x) => [x.split,
      x.by.map((b) => `${b.name} ${b.value}`).join(', '), x.n, x.missing, ...x.values.map(short),
      (x.flags || []).join(', ')])),
    el('details', {}, el('summary', {}, 'Rules'), text(JSON.stringify(r.rules, null, 2))),
    el('div', { class: 'bar' }, choose('Games ', shown, [['all', 'all'], ['won', 'won'], ['lost', 'lost']],
      (v) => { shown = v; fill(); })), body];
}

const choices = (list, chosen) => el('ul', { class: 'menu' },
  list.map((c) => el('li', { class: [c.optimal ? 'optimal' : '', c === chosen ? 'chosen' : ''].join(' ') },
  title(c.label), c.optimal && el('span', { class: 'good' }, ' ✓ optimal'), c === chosen && ' ← chosen')));

// One step of a game.
function step(t) {
  const left = (v) => v === null ? 'nothing leads to success' : String(v);
  const menu = t.menu || [], chosen = t.valid ? menu.findIndex((c) => c.label === t.done) : -1;
  return [el('dl', {}, t.place && [el('dt', {}, 'at'), el('dd', {}, el('b', {}, title(t.place)))],
    el('dt', {}, 'did'), el('dd', {}, title(t.done || 'nothing'), !t.valid &&
      el('span', { class: 'bad' }, ` not valid: ${t.reason}`)),
    (t.before !== null || t.after !== null) && [el('dt', {}, 'turns left'),
      el('dd', {}, `${left(t.before)} → ${left(t.after)}`)]),
  (t.remarks || []).map((r) => el('p', { class: 'bad' }, '! ', title(r))),
  menu.length > 0 && [el('h3', {}, `Of ${menu.length} that could be done`),
    choices(menu.filter((c, i) => c.optimal || i === chosen), menu[chosen])],
  menu.some((c, i) => !c.optimal && i !== chosen) && el('details', {}, el('summary', {}, 'The others'),
    choices(menu.filter((c, i) => !c.optimal && i !== chosen))),
  t.reasoning && [el('h3', {}, 'Reasoning'), text(t.reasoning)],
  t.reply && [el('h3', {}, 'Reply'), text(t.reply)],
  t.messages && t.messages.length > 0 && el('details', {}, el('summary', {}, 'What the player read'),
    t.messages.map((m) => [el('b', {}, m.role), text(m.content)]))];
}

// stepper shows games side by side, a step at a time; at says where the address is.
function stepper(games, k, at) {
  const most = Math.max(...games.map((g) => g.game.turns.length), 1);
  k = Math.min(Math.max(k, 1), most);
  const to = (n) => { history.replaceState(null, '', at(n)); fill(n); };
  const body = el('div');
  const fill = (n) => {
    k = Math.min(Math.max(n, 1), most);
    const lead = games[0].game.turns;
    body.replaceChildren(
      el('div', { class: 'bar' }, button('← Previous', () => to(k - 1), { disabled: k === 1 }),
        el('span', {}, `step ${k} of ${most}`), button('Next →', () => to(k + 1), { disabled: k === most }),
        el('span', { class: 'faint' }, 'or the arrow keys')),
      el('ol', { class: 'steps', 'aria-label': 'Steps' }, Array.from({ length: most },
        (_, i) => el('li', {}, button(String(i + 1), () => to(i + 1), {
        'aria-current': i + 1 === k ? 'step' : null, 'aria-label': `step ${i + 1}` + (lead[i] &&
          (lead[i].remarks || []).length ? ', something went wrong' : ''), class: lead[i] &&
          (lead[i].remarks || []).length ? 'bad' : null })))),
      el('div', { class: 'columns' }, games.map((g) => el('section', {}, el('h2', {}, g.name),
        g.game.turns[k - 1] ? step(g.game.turns[k - 1]) : el('p', { class: 'faint' },
          `It ended after ${g.game.turns.length} steps`, g.game.final && [' at ', title(g.game.final)])))),
      distances(lead, games[1], k - 1) || '',
      games[0].drawing ? drawing(games[0].drawing, games[0].legend, (lead[k - 1] || {}).place) : '');
    says.textContent = `step ${k} of ${most}`;
  };
  keys = (e) => {
    const by = { ArrowLeft: k - 1, ArrowRight: k + 1, Home: 1, End: most }[e.key];
    if (by !== undefined) { e.preventDefault(); to(by); }
  };
  fill(k);
  return body;
}

async function game([n, , item, , k]) {
  const r = await ask('/api/game', { n, item }), g = r.game;
  const games = [{ name: 'This game', game: g, drawing: r.drawing, legend: r.legend }];
  if (r.best) games.push({ name: 'The best game', game: r.best });
  return [heading(title(g.item)),
    el('p', {}, outcome(g), ` after ${g.steps} steps; an optimal player makes ${g.optimal}. Played by `,
    title(r.run.player), '. ', about(r.info)),
    g.lost > 0 && el('p', {}, g.success ? 'Turns were lost at ' : 'Lost at ',
      link(go('run', n, 'game', item, 'step', g.lost), `step ${g.lost}`), ': ', title(g.why)),
    g.untold && el('p', { class: 'warning' }, clean(g.untold)),
    el('div', { class: 'bar' }, g.task && link(go('instance', g.task), 'The instance'), g.task &&
      link(go('play', g.task), 'Play it'), link(go('run', n), 'The run')),
    g.turns.length ? stepper(games, Number(k || 1), (i) => go('run', n, 'game', item, 'step', i)) : el('p',
      {}, 'The log holds no turn of it.')];
}

async function compare([a, b, , name, , k]) {
  const [x, y] = await Promise.all([ask('/api/run', { n: a }), ask('/api/run', { n: b })]);
  const key = (g) => `${g.task} ${g.attempt}`;
  const other = new Map(y.games.map((g) => [key(g), g]));
  if (name !== undefined) {
    const g = x.games.find((g) => key(g) === name), h = other.get(name);
    if (!g || !h) throw new Error('not both runs have this game');
    const [one, two] = await Promise.all([ask('/api/game', { n: a, item: g.item }),
      ask('/api/game', { n: b, item: h.item })]);
    return [heading(title(g.instance)), el('p', {}, title(x.run.player), ': ', outcome(g), ', ',
      title(y.run.player), ': ', outcome(h)),
      link(go('compare', a, b), 'All games of the two runs'),
      stepper([{ name: clean(x.run.player), game: one.game, drawing: one.drawing, legend: one.legend },
        { name: clean(y.run.player), game: two.game }], Number(k || 1),
        (i) => go('compare', a, b, 'game', name, 'step', i))];
  }
  const both = x.games.filter((g) => other.has(key(g))).map((g) => [g, other.get(key(g))]);
  const who = ([g, h]) => g.success === h.success ? (g.success ? 'both' : 'neither') : g.success ? 'first' : 'second';
  const names = { both: 'both', neither: 'neither', first: `${a}: ${x.run.player}`,
    second: `${b}: ${y.run.player}` };
  const count = (w) => both.filter((p) => who(p) === w).length;
  const body = el('div');
  let shown = 'all';
  const fill = () => body.replaceChildren(table('Games of both runs',
    ['instance', names.first, names.second, 'optimal', 'won by'],
    both.filter((p) => shown === 'all' || who(p) === shown || shown === 'differ' &&
      p[0].success !== p[1].success).map(([g, h]) => [
      link(go('compare', a, b, 'game', key(g)), title(g.item)), [outcome(g), ` in ${g.steps}`],
        [outcome(h), ` in ${h.steps}`], g.optimal, clean(names[who([g, h])])])));
  fill();
  return [heading('Two runs'), x.run.family !== y.run.family &&
    el('p', { class: 'warning' }, 'They are of two families and have no game in common.'),
    table('Who won', ['won by', 'games'], ['both', 'first', 'second',
      'neither'].map((w) => [names[w], count(w)])),
    el('div', { class: 'bar' }, choose('Games ', shown, [['all', 'all'], ['differ', 'that differ'],
      ['first', 'won by the first alone'], ['second', 'won by the second alone'], ['both', 'won by both'],
      ['neither', 'won by neither']], (v) => { shown = v; fill(); })), body];
}

// Playing.

async function play([task]) {
  const about0 = await ask('/api/task', { task });
  const base = `/play/${encodeURIComponent(about0.family)}/v1/games`;
  const name = el('input', { value: localStorage.getItem('wikinav-player') || 'me',
    pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]{0,63}', required: true, autocomplete: 'off' });
  const body = el('div');
  const begin = async (e) => {
    e.preventDefault();
    localStorage.setItem('wikinav-player', name.value);
    const g = await attempt(() => ask(base, {}, { instance: task, client_id: name.value }));
    if (g) seat(body, about0, base, g);
  };
  const start = el('button', {}, 'Start the game');
  body.append(el('form', { onsubmit: begin }, el('label', {}, 'Your name in the log ', name), ' ', start));
  return [heading('Play ', title(task)), el('p', {}, about(about0.info)), body];
}

async function attempt(what) {
  try {
    says.textContent = '';
    says.className = '';
    return await what();
  } catch (e) {
    says.className = 'bad';
    says.textContent = e.message;
  }
}

// seat is a game under way: what is seen, and what can be done.
function seat(body, known, base, begun) {
  const first = begun.observation, log = [];
  let now = first;
  const send = (path, fields) => attempt(async () => {
    const r = await ask(`${base}/${encodeURIComponent(begun.game)}/${path}`, {},
      { step: now.step || 1, ...fields });
    if (r.observation) now = r.observation;
    for (const one of now.results || []) log.push([one.tool, one.output]);
    if (now.message) log.push([fields.title || path, now.message]);
    says.textContent = r.valid === false ? `not valid: ${r.reason}` : '';
    if (r.done) await over(body, known, begun.game, r.outcome);
    else show();
  });
  const show = () => {
    const seen = sights(now, first, log);
    body.replaceChildren(el('div', { class: 'columns' }, el('section', {},
      el('h2', {}, `Step ${now.step || 1}`), seen), el('section', {}, el('h2', {}, 'Your turn'),
      controls(now, first, known, send))),
      el('div', { class: 'bar' }, button('Give up', () => send('give-up', {}))));
    const f = body.querySelector('input, textarea, ol.menu button, form button');
    if (f) f.focus();
  };
  show();
}

// sights shows an observation, whatever fields it has.
function sights(now, first, log) {
  const out = [];
  const plain = { ...now };
  for (const key of ['schema', 'game', 'instance', 'step', 'links', 'calls', 'tools', 'results', 'messages',
    'prompt_sha256', 'done', 'outcome', 'rules', 'riddle', 'message']) delete plain[key];
  const rows = Object.entries(plain).filter(([, v]) => v !== null && v !== '' &&
    !(Array.isArray(v) && v.length === 0));
  out.push(el('dl', {}, rows.map(([k, v]) => [el('dt', {}, k.replaceAll('_', ' ')),
    el('dd', {}, title(Array.isArray(v) ? v.map((x) => x.title || x).join(' → ') : v &&
    typeof v === 'object' ? v.title || JSON.stringify(v) : v))])));
  if (first.riddle) out.push(el('h3', {}, 'Riddle'), text(first.riddle));
  if (first.message) out.push(el('h3', {}, 'Task'), text(first.message));
  if (first.rules) out.push(el('details', { open: now === first }, el('summary', {}, 'Rules'),
    text(first.rules)));
  for (const m of now.messages || []) out.push(text(m.content));
  if (log.length) out.push(el('h3', {}, 'So far, the last first'));
  for (const [what, came] of log.slice().reverse()) out.push(el('b', {}, title(what)), text(came));
  return out;
}

function controls(now, first, known, send) {
  if (now.links) return linkControls(now, send);
  if (first.tools) return toolControls(now, first, send);
  if (now.calls) return now.calls.map((form) => callControl(form, send));
  return questionControls(now, known, send);
}

function linkControls(now, send) {
  const filter = el('input', { type: 'search', 'aria-label': 'Filter the links; Enter takes the first' });
  const menu = el('ol', { class: 'menu' });
  const reasons = now.banned !== undefined && now.banned !== '' ? [el('input',
    { 'aria-label': 'Why this page' }), el('input', { 'aria-label': 'Why it is not banned' })] : null;
  const take = (l) => {
    const said = reasons && (reasons[0].value || reasons[1].value) ? { reasoning: reasons[0].value,
      restriction_reasoning: reasons[1].value } : {};
    send('move', { choice: l.i, ...said });
  };
  const fill = () => {
    const words = filter.value.toLowerCase();
    const list = now.links.filter((l) => l.title.toLowerCase().includes(words));
    menu.replaceChildren(...list.map((l) => el('li', {}, button(title(l.title), () => take(l)))));
    return list;
  };
  filter.addEventListener('input', fill);
  filter.addEventListener('keydown', (e) => {
    if (e.key !== 'Enter') return;
    e.preventDefault();
    const list = fill();
    if (list.length) take(list[0]);
  });
  fill();
  return [el('label', { class: 'block' }, 'Filter (Enter takes the first) ', filter),
    reasons && el('details', {}, el('summary', {}, 'Say why (optional)'),
      el('label', { class: 'block' }, 'Why this page ', reasons[0]),
      el('label', { class: 'block' }, 'Why it is not banned ', reasons[1])),
    menu, now.back && button(['Back to ', title(now.back.title || now.back)], () => send('back', {}))];
}

// callControl is a form for a call such as pop(index); all but numbers are put in quotes.
function callControl(form, send) {
  const [, name, argument] = /^([A-Za-z_]+)\((.*)\)$/.exec(form) || [null, form, ''];
  if (!argument) return el('p', {}, button(form, () => send('move', { title: `${name}()` })));
  const field = el('input', { required: true, autocomplete: 'off' });
  const quoted = () => /^[+-]?[0-9]+$/.test(field.value.trim()) &&
    !/name|label|id/.test(argument) ? field.value.trim() : '"' + field.value.replace(/[\\"]/g, '\\$&') + '"';
  return el('form', { onsubmit: (e) => { e.preventDefault(); send('move',
    { title: `${name}(${quoted()})` }); } },
    el('label', {}, form, ' ', field), ' ', el('button', {}, name));
}

function questionControls(now, known, send) {
  const field = el('textarea', { rows: 3, required: true });
  // Some questions number what they list, and a title may be a number as well.
  const numbered = (now.messages || []).some((m) => known.choices &&
    m.content.includes(`\n0. ${known.choices[0]}\n`));
  const pick = (c, i) => send('move', numbered ? { choice: i } : { title: c });
  return [known.choices && el('ol', { class: 'menu' }, known.choices.map((c, i) => el('li', {},
    button(title(c), () => pick(c, i))))),
    el('form', { onsubmit: (e) => { e.preventDefault(); send('move', { title: field.value }); } },
      el('label', { class: 'block' }, 'Your answer, in the form that is asked for ', field),
        el('button', {}, 'Answer'))];
}

// toolControls are a form for each tool, made of the schema of its arguments, and the answer.
function toolControls(now, first, send) {
  const body = el('div');
  const addresses = el('datalist', { id: 'addresses' });
  const told = JSON.stringify([first.seed_url, ...Array.from(document.querySelectorAll('.text'),
    (e) => e.textContent)]);
  const urls = new Set(told.match(/https?:\/\/[^\s"\\)\]>]+/g) || []);
  const base = first.seed_url && new URL('/', first.seed_url).href.replace(/\/$/, '');
  for (const path of told.match(/\/wiki\/[^\s"\\)\]>]+/g) || []) if (base) urls.add(base + path);
  addresses.append(...Array.from(urls).slice(0, 300).map((u) => el('option', { value: u })));
  const fill = (name) => {
    const tool = first.tools.find((t) => t.name === name);
    const properties = Object.entries((tool.parameters || {}).properties || {}),
      required = (tool.parameters || {}).required || [];
    const fields = properties.map(([key, p]) => [key, p, p.type === 'boolean' ? el('select', {},
      ['', 'true', 'false'].map((v) => el('option', {}, v))) : el(p.type === 'object' ||
      p.type === 'array' ? 'textarea' : 'input', {
      required: required.includes(key), autocomplete: 'off', type: p.type === 'integer' ||
        p.type === 'number' ? 'number' : null, step: 'any', list: /url/.test(key) ? 'addresses' : null,
        value: /url/.test(key) && now === first ? first.seed_url : null })]);
    const read = (p, v) => p.type === 'integer' ||
      p.type === 'number' ? Number(v) : p.type === 'boolean' ? v === 'true' : p.type === 'object' ||
      p.type === 'array' ? JSON.parse(v) : v;
    body.replaceChildren(el('form', { onsubmit: (e) => {
      e.preventDefault();
      attempt(async () => {
        const args = {};
        for (const [key, p, f] of fields) if (f.value !== '') args[key] = read(p, f.value);
        await send('calls', { calls: [{ tool: name, args }] });
      });
    } }, el('p', { class: 'faint' }, clean(tool.description)),
      fields.map(([key, p, f]) => el('label', { class: 'block' }, key, ' ', p.description &&
      el('span', { class: 'faint' }, clean(p.description)), f)),
    el('button', {}, `Call ${name}`)));
  };
  fill(first.tools[0].name);
  const answer = el('input', { required: true, autocomplete: 'off', size: 4 });
  return [addresses, choose('Tool ', first.tools[0].name, first.tools.map((t) => [t.name, t.name]), fill),
    body,
    el('form', { onsubmit: (e) => { e.preventDefault(); send('answer', { answer: answer.value }); } },
      el('label', {}, 'Hand in the answer ', answer), ' ', el('button', {}, 'Answer'))];
}

async function over(body, known, id, how) {
  body.replaceChildren(el('h2', { tabindex: -1 }, `The game is over: ${how}`));
  const g = await ask('/api/played', { task: known.task, game: id });
  const to = go('run', g.n, 'game', g.item);
  body.append(el('p', {}, outcome(g), ` after ${g.steps} steps; an optimal player makes ${g.optimal}.`),
    el('p', {}, link(to, 'See your path next to the best one')),
      el('p', { class: 'faint' }, `It is kept in ${g.dir}, which wikinav-eval score takes.`),
    el('p', {}, link(go('instance', known.task), 'The instance'), ' · ',
      link(go('list', known.family, known.split), 'Another one')));
  body.querySelector('a').focus();
}

// Routes.

let keys = null;
document.addEventListener('keydown', (e) => {
  if (keys && !e.ctrlKey && !e.metaKey && !e.altKey &&
    !/^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName)) keys(e);
});

const views = { '': home, list, instance, play, run: (p) => p[1] === 'game' ? game(p) : run(p), compare };
let asked = 0;

async function route() {
  const mine = ++asked, [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  const [name, ...parts] = path.split('/').map(decodeURIComponent);
  keys = null;
  says.textContent = '';
  main.setAttribute('aria-busy', 'true');
  let shown;
  try {
    shown = await (views[name] || home)(parts, new URLSearchParams(query || ''));
  } catch (e) {
    shown = [heading('That cannot be shown'), el('p', { class: 'warning' }, clean(e.message)),
      link('#/', 'To the beginning')];
  }
  if (mine !== asked) return;
  main.replaceChildren(...[shown].flat(Infinity).filter((c) => c instanceof Node));
  main.removeAttribute('aria-busy');
  const h = main.querySelector('h1');
  document.title = `${h.textContent} · wikinav`;
  document.getElementById('crumbs').replaceChildren(el('li', {}, link('#/', 'Release and runs')),
    name ? el('li', {}, el('span', { class: 'faint' }, h.cloneNode(true).textContent)) : '');
  h.focus({ preventScroll: mine === 1 });
}
addEventListener('hashchange', route);
document.querySelector('.skip').addEventListener('click', (e) => { e.preventDefault(); main.focus(); });
route();
