import { drawer } from './drawer.js';
import { fields, make } from './fields.js';
import { matrix } from './matrix.js';
import { search } from './search.js';
import { swap } from './swap.js';
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
/** Where there are many models, long families begin as one row each. */
const many = { models: 40, rows: 8 };
const foldedFirst = fields.families
  .filter(({ rows }) => fields.columns.length > many.models && rows.length > many.rows)
  .map(({ id }) => id);
let state = { ...nothing, folded: foldedFirst };

const input = document.getElementById('find');
const output = document.querySelector('.search output');
const found = document.querySelector('.found');

const known = {
  sort: ['given', 'name', 'passes'],
  rows: ['given', 'fails'],
  level: ['', 'parses', 'conforms', 'correct'],
};

function read() {
  const hash = location.hash.slice(1);
  if (!hash.includes('=')) return { ...state, cell: '' };
  const given = new URLSearchParams(hash);
  const one = (name) => (known[name].includes(given.get(name)) ? given.get(name) : known[name][0]);
  return {
    ...{ q: given.get('q') ?? '', cell: given.get('cell') ?? '' },
    ...{ only: given.getAll('only'), differences: given.has('differences'), turned: given.has('turned') },
    ...{ level: one('level'), sort: one('sort'), rows: one('rows') },
    ...{ pinnedModels: given.getAll('model'), pinnedRows: given.getAll('row') },
    folded: given.has('folded') ? given.getAll('folded') : foldedFirst,
  };
}

/** The address holds what differs from a page that was just opened, so that it can be sent to others. */
function write() {
  const parts = new URLSearchParams();
  for (const name of ['q', 'level', 'cell']) if (state[name]) parts.set(name, state[name]);
  for (const name of ['sort', 'rows']) if (state[name] !== 'given') parts.set(name, state[name]);
  for (const name of ['differences', 'turned']) if (state[name]) parts.set(name, '1');
  for (const name of state.only) parts.append('only', name);
  for (const id of state.pinnedModels) parts.append('model', id);
  for (const id of state.pinnedRows) parts.append('row', id);
  if (String(state.folded) !== String(foldedFirst)) {
    for (const id of state.folded.length > 0 ? state.folded : ['']) parts.append('folded', id);
  }
  const hash = parts.toString();
  const address = hash === '' ? location.pathname + location.search : `#${hash}`;
  if (location.hash.slice(1) !== hash) history.replaceState(null, '', address);
}

let level = '';
let isDrawn = false;
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
  const planned = matrix.plan(state, words);
  const inText = search.inText(words);
  const hits = inText.hits + (words.length > 0 ? planned.hits : 0);
  output.textContent = words.length === 0 ? '' : `${hits.toLocaleString('en')} ${hits === 1 ? 'hit' : 'hits'}`;
  matrix.hideRows(planned);
  controls.sync();
  if (address) write();
  // The answer is painted before what takes longer.
  if (isDrawn) await painted();
  isDrawn = true;
  if (state !== next) return;
  matrix.showRest(planned);
  if (planned.hits > 0) inText.kept?.add(document.getElementById('matrix'));
  search.keep(inText.kept);
  search.mark([...inText.elements, ...matrix.heads(words)], words);
  void listCells(words);
  drawer.sync(state);
  cards.refresh();
  if (state.cell && (state.cell !== before.cell || !drawer.isOpen())) await drawer.open(state.cell, state);
  if (!state.cell && before.cell) drawer.close();
}

/** After the next frame is on the screen, or soon where no frames are drawn. */
const painted = () =>
  new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
    setTimeout(resolve, 150);
  });

const toggled = (list, one) => (list.includes(one) ? list.filter((other) => other !== one) : [...list, one]);
const change = (changes) => show({ ...state, ...changes });

/** Lists the first cells in which all words stand. */
async function listCells(words) {
  found.hidden = true;
  if (words.length === 0) return;
  const index = await store.index();
  const texts = fields.cellTexts();
  const numbers = [];
  for (let number = 0; number < texts.length && numbers.length < 12; number++) {
    if (search.hasAll(texts[number], words)) numbers.push(number);
  }
  if (numbers.length === 0 || search.wordsOf(state.q).join() !== words.join()) return;
  const links = numbers.map((number) => {
    const [name, model, , verdict] = index.cells[number];
    const key = `${name}@${index.models[model]}`;
    const { name: className, glyph: textContent } = index.verdicts[verdict];
    return make(
      'a',
      { href: `#cell=${encodeURIComponent(key)}`, className: 'key' },
      make('b', { className, textContent }),
      ` ${key}`,
    );
  });
  found.replaceChildren(make('p', { className: 'quiet', textContent: 'Cells' }), ...links);
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
    chip.addEventListener('click', () => change({ only: toggled(state.only, name) }));
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
    change({ folded: state.folded.length > 0 ? [] : fields.families.map(({ id }) => id) }),
  );
  const reset = make('button', { type: 'button', className: 'chip', textContent: 'Reset' });
  reset.addEventListener('click', () => show({ ...nothing, folded: foldedFirst, cell: state.cell }));
  const help = 'Arrow keys move between fields, Enter opens one, r pins its row and m its model, / goes to the search.';
  fields.table.parentElement.before(make('p', { className: 'help quiet', textContent: help }));
  if (matchMedia('(max-width: 600px)').matches) tools.open = false;
  tools
    .querySelector('summary')
    .after(
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
  for (const { head, id, rows } of fields.families) {
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
        folded: toggled(state.folded, id),
      });
    th.addEventListener('click', turn);
  }
  return {
    sync() {
      for (const [name, chip] of chips) chip.setAttribute('aria-pressed', String(state.only.includes(name)));
      for (const [name, button] of toggles) button.setAttribute('aria-pressed', String(state[name]));
      // To set a value can make the browser style the page at once, also where it is the same.
      for (const [name, box] of selects) if (box.value !== state[name]) box.value = state[name];
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
    const [row, column] = fields.places.get(td);
    if (event.key === 'r') void change({ pinnedRows: toggled(state.pinnedRows, fields.rows[row].id) });
    if (event.key === 'm') void change({ pinnedModels: toggled(state.pinnedModels, fields.columns[column].id) });
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
    // The names of capabilities can be longer than their rows.
    if (target.tagName === 'TH' && target.title === '') target.title = target.textContent;
    const place = target.tagName === 'TD' ? fields.places.get(target) : undefined;
    if (!place) return;
    const text = `${fields.rows[place[0]].name}, ${fields.columns[place[1]].name}: ${target.textContent}`;
    target.title = text;
    target.setAttribute('aria-label', text);
  };
  region.addEventListener('focusin', ({ target }) => {
    if (fields.places.has(target)) mark(target);
  });
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
          const looks = fields.rows.flatMap((row) => row.looks[column.number].split(' '));
          const amount = (kind) => looks.filter((look) => look === kind).length;
          const counts = [
            ['pass', '✓'],
            ['partial', '◐'],
            ['flaky', '≈'],
            ['fail', '✗'],
            ['d-lost', '▼'],
            ['d-changed', '◆'],
            ['d-new', '●'],
            ['d-gained', '▲'],
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
    const command = event.target.closest('code.command');
    if (command) void drawer.copy(command.textContent, command);
    const snippet = event.target.closest('button.snippet');
    if (snippet) void openSnippet(Number(snippet.value));
    const button = event.target.closest('#drawer button');
    if (button?.matches('.close')) closeDrawer();
    if (button?.matches('.pin-row')) void change({ pinnedRows: toggled(state.pinnedRows, button.value) });
    if (button?.matches('.pin-model')) void change({ pinnedModels: toggled(state.pinnedModels, button.value) });
    return;
  }
  event.preventDefault();
  void change({ cell: decodeURIComponent(link.getAttribute('href').slice(6)) });
});
addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && drawer.isOpen()) {
    event.preventDefault();
    closeDrawer();
  }
  if (event.key === '/' && !/^(?:INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
function closeDrawer() {
  drawer.close();
  void change({ cell: '' });
}
async function openSnippet(number) {
  await change({ cell: '' });
  await drawer.openSnippet(number);
}
document.documentElement.classList.add('scripted');
swap.start();
void show(read(), { address: false });
// The first search should not wait for this.
const whenIdle = (act) => (globalThis.requestIdleCallback ?? setTimeout)(act);
whenIdle(async () => {
  await fields.learn();
  whenIdle(() => search.prepare());
});
