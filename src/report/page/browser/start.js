// Views, links, and what needs a script.
import { cellHash, neighbour, openCell } from './cell.js';
import { ask } from './ask.js';
import { compare, pickA, pickB } from './compare.js';
import { $, $$, copyButton, data, fieldsOf, h } from './page.js';

const views = $$('main > section[id]:not(#found)').map(({ id }) => id);

function show(view) {
  for (const id of views) document.getElementById(id).classList.toggle('on', id === view);
  for (const link of $$('nav a')) {
    if (link.hash === `#${view}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Opens what the address names: a view, a place in one, a pair of models, or a cell. */
function follow() {
  const hash = location.hash.slice(1);
  const dialog = $('#cell');
  const [, key] = /^cell=(.*)$/.exec(hash) ?? [];
  if (key !== undefined) {
    const isFirst = !$('main > section.on');
    if (isFirst) show('matrix');
    void openCell(decodeURIComponent(key)).then(() => isFirst && reveal(decodeURIComponent(key)));
    return;
  }
  if (dialog.open) dialog.close();
  const [, a, b] = /^compare=(.*)\.\.(.*)$/.exec(hash) ?? [];
  if (b !== undefined) [pickA.value, pickB.value] = [decodeURIComponent(a), decodeURIComponent(b)];
  const [, asked] = /^ask=(.*)$/.exec(hash) ?? [];
  const view = b !== undefined ? 'compare' : asked !== undefined ? 'matrix' : null;
  const place = document.getElementById(view ?? (hash || 'overview'));
  show(place?.closest('main > section')?.id ?? 'overview');
  if ($('#compare').classList.contains('on')) void compare();
  if ($('#matrix').classList.contains('on')) void ask((asked ?? '').split('&').filter(Boolean).map(decodeURIComponent));
  if (place !== null && !views.includes(place.id)) place.scrollIntoView();
  else scrollTo(0, 0);
  $('#found').hidden = true;
}

/** What a copied link names stands beside the dialog, with its row and its heading. */
async function reveal(key) {
  const cell = (await data()).byKey.get(key);
  fieldsOf(cell?.model).get(cell?.row)?.field?.scrollIntoView({ block: 'center', inline: 'nearest' });
  $('.frame').scrollIntoView();
}

document.documentElement.classList.add('js');
// Places for links without a script: here, a link opens its cell.
for (const place of $$('[id^="cell="]')) place.removeAttribute('id');
for (const hidden of $$('.search, .compare-pick, .ask')) hidden.hidden = false;
for (const link of $$('a[data-pair]')) link.hash = `#compare=${link.dataset.pair}`;
for (const code of $$('.command > code')) code.after(copyButton(() => code.textContent));

let before = '';
let opener = null;
/** At once: the event of closing comes later, when a key may already have opened the next cell. */
function leave() {
  const dialog = $('#cell');
  dialog.close();
  if (location.hash.startsWith('#cell=')) history.replaceState(null, '', before || location.pathname);
  opener?.focus();
}
$('#cell').addEventListener('cancel', (event) => {
  event.preventDefault();
  leave();
});
$('#cell').addEventListener('close', ({ target }) => {
  if (!target.open && location.hash === cellHash(target.dataset.key)) leave();
});
$('#cell').addEventListener('click', (event) => {
  if (event.target === event.currentTarget || event.target.closest('.close')) leave();
});
document.addEventListener('click', (event) => {
  const field = event.target.closest('td[data-cell]');
  if (field !== null) {
    opener = field;
    before = location.hash.startsWith('#cell=') ? before : location.hash;
    location.hash = cellHash(field.dataset.cell);
  }
  if (event.target.closest('a[href^="#cell="]')) {
    opener = event.target;
    before = location.hash.startsWith('#cell=') ? before : location.hash;
  }
});

// Arrow keys move through the matrix.
$('table.matrix').addEventListener('keydown', (event) => {
  const field = event.target.closest('td');
  if (field === null) return;
  const { parentElement: row, cellIndex } = field;
  const rows = $$('tbody tr:not(.family, [hidden])', event.currentTarget);
  const at = rows.indexOf(row);
  const next = {
    ArrowLeft: field.previousElementSibling,
    ArrowRight: field.nextElementSibling,
    ArrowUp: rows[at - 1]?.cells[cellIndex],
    ArrowDown: rows[at + 1]?.cells[cellIndex],
  }[event.key];
  if (event.key === 'Enter') field.click();
  else if (next?.tagName === 'TD') next.focus();
  else return;
  event.preventDefault();
});
$('table.matrix td[data-cell]')?.setAttribute('tabindex', '0');

/** Numbers as numbers, small ones like 3e-5 too. */
function byValue(one, other) {
  const [a, b] = [Number(one), Number(other)];
  return one === '' || other === '' || Number.isNaN(a) || Number.isNaN(b) ? one.localeCompare(other, 'en') : a - b;
}

for (const head of $$('table.sortable thead th')) {
  const button = h('button', { type: 'button' }, head.textContent);
  head.replaceChildren(button);
  button.addEventListener('click', () => {
    const body = $('tbody', head.closest('table'));
    const up = head.getAttribute('aria-sort') === 'ascending';
    for (const other of $$('th', head.parentElement)) other.removeAttribute('aria-sort');
    head.setAttribute('aria-sort', up ? 'descending' : 'ascending');
    const valueOf = (row) => row.cells[head.cellIndex].dataset.sort ?? row.cells[head.cellIndex].textContent;
    const rows = [...body.rows].sort((a, b) => byValue(valueOf(a), valueOf(b)));
    body.append(...(up ? rows.reverse() : rows));
  });
}

// One unfolded field at a time.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open || !target.closest('table.usable')) return;
    for (const other of $$('table.usable details[open]')) if (other !== target) other.open = false;
  },
  true,
);

// Arrow keys lead from an opened cell to other models and other checks.
$('#cell').addEventListener('keydown', (event) => {
  if (!event.key.startsWith('Arrow') || event.target.closest('pre, a')) return;
  event.preventDefault();
  void neighbour(event.currentTarget.dataset.key, event.key).then((key) => {
    if (key !== null) location.hash = cellHash(key);
  });
});

// Arrow keys move through the picture of the runs: nights across, models down.
$('.picture')?.addEventListener('keydown', (event) => {
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const [down, across] = steps[event.key] ?? [];
  const row = event.target.closest('tr');
  if (down === undefined || row === null) return;
  event.preventDefault();
  const at = [...event.target.parentElement.children].indexOf(event.target);
  const next = $$('tr', event.currentTarget)[row.rowIndex + down];
  next?.cells[1].children[at + across]?.focus();
});

const foldAll = () => {
  for (const open of $$('table.usable details[open]')) {
    // What is folded cannot keep the focus.
    if (open.contains(document.activeElement)) $('summary', open).focus();
    open.open = false;
  }
};
document.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') foldAll();
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('table.usable details')) foldAll();
});

addEventListener('hashchange', follow);
follow();
