import { drawer } from './drawer.js';
import { fields, lower, make } from './fields.js';
import { matrix } from './matrix.js';
import { search } from './search.js';
import { store } from './store.js';

// Puts the parts together: the state stands in the address, and everything follows from it.
const nothing = {
  q: '',
  only: [],
  differences: false,
  level: '',
  sort: 'given',
  rows: 'given',
  turned: false,
  pinnedModels: [],
  pinnedRows: [],
  folded: [],
  cell: '',
};
const many = 8;
const foldedFirst =
  fields.columns.length * fields.rows.length > 400
    ? fields.families.filter(({ rows }) => rows.length > many).map(({ number }) => number)
    : [];
let state = { ...nothing, folded: foldedFirst };

const input = document.getElementById('find');
const output = document.querySelector('.search output');
const found = document.querySelector('.found');

function read() {
  const hash = location.hash.slice(1);
  if (!hash.includes('=')) return { ...state, cell: '' };
  const given = new URLSearchParams(hash);
  const list = (name, otherwise) => (given.has(name) ? given.get(name).split(',').filter(Boolean) : otherwise);
  return {
    q: given.get('q') ?? '',
    only: list('only', []),
    differences: given.has('differences'),
    level: given.get('level') ?? '',
    sort: ['name', 'passes'].includes(given.get('sort')) ? given.get('sort') : 'given',
    rows: given.get('rows') === 'fails' ? 'fails' : 'given',
    turned: given.has('turned'),
    pinnedModels: list('models', []).map(Number),
    pinnedRows: list('pinned', []).map(Number),
    folded: list('folded', foldedFirst).map(Number),
    cell: given.get('cell') ?? '',
  };
}

function write() {
  const { q, only, differences, level, sort, rows, turned, pinnedModels, pinnedRows, folded, cell } = state;
  const parts = new URLSearchParams();
  if (q) parts.set('q', q);
  if (only.length) parts.set('only', only.join(','));
  if (differences) parts.set('differences', '1');
  if (level) parts.set('level', level);
  if (sort !== 'given') parts.set('sort', sort);
  if (rows !== 'given') parts.set('rows', rows);
  if (turned) parts.set('turned', '1');
  if (pinnedModels.length) parts.set('models', pinnedModels.join(','));
  if (pinnedRows.length) parts.set('pinned', pinnedRows.join(','));
  if (String(folded) !== String(foldedFirst)) parts.set('folded', folded.join(','));
  if (cell) parts.set('cell', cell);
  const hash = parts.toString();
  const address = hash === '' ? location.pathname + location.search : `#${hash}`;
  if (location.hash.slice(1) !== hash) history.replaceState(null, '', address);
}

let level = '';
async function show(next, { address = true } = {}) {
  const before = state;
  state = next;
  if (input.value !== state.q) input.value = state.q;
  const words = search.wordsOf(state.q);
  if (words.length > 0) await fields.learn();
  if (state.level !== level) {
    level = state.level;
    await matrix.level(level);
  }
  if (state !== next) return;
  matrix.order(state);
  const inMatrix = matrix.filter(state, words);
  const inText = search.inText(words);
  await tell(words, inText + (words.length > 0 ? inMatrix : 0));
  controls.sync();
  cards.refresh();
  if (address) write();
  if (state.cell && (state.cell !== before.cell || !drawer.isOpen())) await drawer.open(state.cell);
  if (!state.cell && drawer.isOpen()) drawer.close();
}

const change = (changes) => show({ ...state, ...changes });

/** Says how much was found, and lists the first cells. */
async function tell(words, hits) {
  output.textContent = words.length === 0 ? '' : `${hits.toLocaleString('en')} ${hits === 1 ? 'hit' : 'hits'}`;
  found.replaceChildren();
  found.hidden = true;
  if (words.length === 0) return;
  const index = await store.index();
  const list = [];
  for (const [name, model, , verdict, , what] of index.cells) {
    const key = `${name}@${index.models[model]}`;
    if (!words.every((word) => lower(`${key} ${what}`).includes(word))) continue;
    const glyph = index.verdicts[verdict];
    list.push(
      make(
        'a',
        { href: `#cell=${encodeURIComponent(key)}`, className: 'key' },
        make('b', { className: glyph.name, textContent: glyph.glyph }),
        ` ${key}`,
      ),
    );
    if (list.length === 12) break;
  }
  if (list.length === 0 || list.length === index.cells.length) return;
  found.append(make('p', { className: 'quiet', textContent: 'Cells' }), ...list);
  found.hidden = false;
}

// ---- controls of the matrix
const controls = (() => {
  const tools = document.querySelector('.tools');
  const kinds = {
    fail: '✗ fail',
    flaky: '≈ flaky',
    partial: '◐ on a condition',
    keyword: '○ keyword not enforced',
    unmeasured: '? not measured',
    changed: '▼▲◆ changed',
  };
  const chips = Object.entries(kinds).map(([name, textContent]) => {
    const chip = make('button', { type: 'button', className: `chip ${name}`, textContent });
    chip.addEventListener('click', () =>
      change({ only: state.only.includes(name) ? state.only.filter((one) => one !== name) : [...state.only, name] }),
    );
    return [name, chip];
  });
  const toggle = (textContent, name) => {
    const button = make('button', { type: 'button', className: 'chip', textContent });
    button.addEventListener('click', () => change({ [name]: !state[name] }));
    return [name, button];
  };
  const toggles = [toggle('Only differences', 'differences'), toggle('Transpose', 'turned')];
  const select = (label, name, options) => {
    const box = make(
      'select',
      {},
      ...Object.entries(options).map(([value, textContent]) => make('option', { value, textContent })),
    );
    box.addEventListener('change', () => change({ [name]: box.value }));
    return [name, box, make('label', {}, `${label} `, box)];
  };
  const selects = [
    select('Level', 'level', {
      '': 'verdict',
      parses: 'every answer parses',
      conforms: 'every answer conforms',
      correct: 'every answer is correct',
    }),
    select('Models', 'sort', { given: 'as configured', name: 'by name', passes: 'most passes first' }),
    select('Rows', 'rows', { given: 'by family', fails: 'most failures first' }),
  ];
  const fold = make('button', { type: 'button', className: 'chip', textContent: 'Unfold all' });
  fold.addEventListener('click', () =>
    change({ folded: state.folded.length > 0 ? [] : fields.families.map(({ number }) => number) }),
  );
  const reset = make('button', { type: 'button', className: 'chip', textContent: 'Reset' });
  reset.addEventListener('click', () => show({ ...nothing, folded: foldedFirst, cell: state.cell }));
  tools.append(
    make(
      'div',
      { className: 'chips', attributes: { role: 'group', 'aria-label': 'Show only' } },
      ...chips.map(([, chip]) => chip),
    ),
    make(
      'div',
      { className: 'chips' },
      ...toggles.map(([, button]) => button),
      ...selects.map(([, , label]) => label),
      fold,
      reset,
    ),
  );
  for (const { head, number, rows } of fields.families) {
    const th = head.cells[0];
    const button = make(
      'button',
      { type: 'button', className: 'fold', attributes: { 'aria-expanded': 'true' } },
      ...th.childNodes,
      make('span', { className: 'quiet', textContent: ` ${rows.length}` }),
    );
    th.append(button);
    const turn = () =>
      change({
        folded: state.folded.includes(number)
          ? state.folded.filter((one) => one !== number)
          : [...state.folded, number],
      });
    head.addEventListener('click', turn);
  }
  return {
    sync() {
      for (const [name, chip] of chips) chip.setAttribute('aria-pressed', String(state.only.includes(name)));
      for (const [name, button] of toggles) button.setAttribute('aria-pressed', String(state[name]));
      for (const [name, box] of selects) box.value = state[name];
      fold.textContent = state.folded.length > 0 ? 'Unfold all' : 'Fold all';
    },
  };
})();

// ---- the grid: one field in the order of Tab, arrows between fields
{
  const region = fields.table.parentElement;
  fields.table.setAttribute('role', 'grid');
  let here = null;
  const mark = (td) => {
    if (here) here.tabIndex = -1;
    here = td;
    td.tabIndex = 0;
  };
  const first = fields.rows[0]?.tds[0];
  if (first) mark(first);

  async function openField(td) {
    const [row, column] = fields.places.get(td);
    await fields.learn();
    const index = await store.index();
    const own = fields.cells()[row][column];
    const rank = (number) => [
      index.cells[number][6] ? 0 : 1,
      ['fail', 'flaky'].indexOf(index.verdicts[index.cells[number][3]].name) === -1 ? 1 : 0,
    ];
    const [best] = [...own].sort((a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || a - b);
    if (best === undefined) return;
    const [name, model] = index.cells[best];
    await change({ cell: `${name}@${index.models[model]}` });
  }

  region.addEventListener('click', ({ target }) => {
    const td = target.closest('td');
    if (!td || !fields.places.has(td)) return;
    mark(td);
    td.focus({ preventScroll: true });
    void openField(td);
  });

  const moves = {
    ArrowRight: [0, 1],
    ArrowLeft: [0, -1],
    ArrowDown: [1, 0],
    ArrowUp: [-1, 0],
    Home: [0, -Infinity],
    End: [0, Infinity],
    PageDown: [12, 0],
    PageUp: [-12, 0],
  };
  region.addEventListener('keydown', (event) => {
    const td = event.target.closest('td');
    if (!td || !fields.places.has(td)) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      void openField(td);
      return;
    }
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    const table = td.closest('table');
    const lines = [...table.querySelectorAll('tbody tr:not(.family):not([hidden])')].filter(
      (tr) => !tr.parentElement.hidden,
    );
    const tr = td.parentElement;
    const seen = (line) => [...line.cells].filter((cell) => cell.tagName === 'TD' && !cell.hidden);
    const clamp = (value, most) => Math.max(0, Math.min(most, value));
    const line = lines[clamp(lines.indexOf(tr) + move[0], lines.length - 1)];
    const next = seen(line)[clamp(seen(tr).indexOf(td) + move[1], seen(line).length - 1)];
    mark(next);
    next.focus();
  });
  // What a field is about, for a pointer and for a screen reader.
  const name = ({ target }) => {
    const place = target.tagName === 'TD' ? fields.places.get(target) : undefined;
    if (!place) return;
    const text = `${fields.rows[place[0]].name}, ${fields.columns[place[1]].name}: ${target.textContent}`;
    target.title = text;
    target.setAttribute('aria-label', text);
  };
  region.addEventListener('mouseover', name);
  region.addEventListener('focusin', name);
}

// ---- a card for each model, where there is no room for a table
const cards = (() => {
  const narrow = matchMedia('(max-width: 600px)');
  const region = fields.table.parentElement;
  const list = make('div', { className: 'model-cards', hidden: true });
  region.after(list);
  const open = new Set();
  function fill(details, column) {
    if (!details.open) return;
    const body = make('div', { className: 'card-rows' });
    for (const family of fields.families) {
      const rows = family.rows.filter(
        (row) => row.shown && row.words[column.number] !== '' && matrix.matches[row.number][column.number],
      );
      if (rows.length === 0) continue;
      body.append(make('h4', { textContent: family.head.cells[0].querySelector('button').firstChild.data }));
      for (const row of rows) {
        const button = make(
          'button',
          { type: 'button', className: `card-row` },
          make('b', { className: row.looks[column.number], textContent: row.words[column.number] }),
          ` ${row.name}`,
        );
        button.addEventListener('click', () =>
          row.tds[column.number].dispatchEvent(new MouseEvent('click', { bubbles: true })),
        );
        body.append(button);
      }
    }
    details.querySelector('.card-rows')?.remove();
    details.append(body);
  }
  function refresh() {
    list.hidden = !narrow.matches;
    region.hidden = narrow.matches;
    if (!narrow.matches) return list.replaceChildren();
    list.replaceChildren(
      ...fields.columns
        .filter(({ number }) => matrix.shownColumns[number])
        .map((column) => {
          const looks = fields.rows.map((row) => row.looks[column.number].split(' ')[0]).filter(Boolean);
          const amount = (kind) => looks.filter((look) => look === kind).length;
          const counts = [
            ['pass', '✓'],
            ['partial', '◐'],
            ['flaky', '≈'],
            ['fail', '✗'],
          ].filter(([kind]) => amount(kind) > 0);
          const details = make(
            'details',
            { open: open.has(column.number) },
            make(
              'summary',
              {},
              make('strong', { textContent: column.name }),
              ...counts.map(([kind, glyph]) => make('b', { className: kind, textContent: `${glyph} ${amount(kind)}` })),
            ),
          );
          details.addEventListener('toggle', () => {
            if (details.open) open.add(column.number);
            else open.delete(column.number);
            fill(details, column);
          });
          fill(details, column);
          return details;
        }),
    );
    return undefined;
  }
  narrow.addEventListener('change', refresh);
  return { refresh };
})();

// ---- what happens
input.form.addEventListener('submit', (event) => event.preventDefault());
input.addEventListener('input', () => change({ q: input.value }));
addEventListener('hashchange', () => show(read(), { address: false }));
document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href^="#cell="]');
  if (!link) {
    if (event.target.closest('#drawer .close')) void change({ cell: '' });
    return;
  }
  event.preventDefault();
  void change({ cell: decodeURIComponent(link.getAttribute('href').slice(6)) });
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && drawer.isOpen()) {
    event.preventDefault();
    void change({ cell: '' });
  }
  if (event.key === '/' && !/^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
document.documentElement.classList.add('scripted');
void show(read(), { address: false });
// The first search should not wait for this.
(globalThis.requestIdleCallback ?? setTimeout)(() => void fields.learn());
