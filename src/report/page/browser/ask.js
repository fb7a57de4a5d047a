/* global said */
// Needs, settings and questions above the matrix: what answers them stays, and the address keeps them.
import { cellHash } from './cell.js';
import { $, $$, data, fieldsOf, h } from './page.js';

const askChips = $$('.ask [data-ask]');
let asked = [];

/** A chip pressed or not; of the questions, one at a time. */
function pressed(id, { chips }) {
  if (asked.includes(id)) return asked.filter((one) => one !== id);
  const groupOf = (one) => chips.find((chip) => chip.id === one)?.group;
  const isQuestion = groupOf(id) === 'question';
  return [...asked.filter((one) => !isQuestion || groupOf(one) !== 'question'), id];
}

for (const chip of askChips) {
  chip.addEventListener('click', async () => {
    const { ask: found } = await data();
    const ids = pressed(chip.dataset.ask, found).map(encodeURIComponent);
    location.hash = ids.length === 0 ? '#matrix' : `#ask=${ids.join('&')}`;
  });
}

// One step of the Tab key for all chips, and the arrow keys between them.
const holdTab = (held) => {
  for (const chip of askChips) chip.tabIndex = chip === held ? 0 : -1;
};
holdTab(askChips[0]);
$('.ask').addEventListener('keydown', (event) => {
  const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
  const next = askChips[askChips.indexOf(event.target) + step];
  if (next === undefined) return;
  event.preventDefault();
  holdTab(next);
  next.focus();
});

const isBroken = (settings, { name, most, not }) =>
  settings[name] !== undefined && (most === undefined ? settings[name] === not : Number(settings[name]) > most);

/** Without a need, all that the model serves must keep the settings. */
function qualifies({ needs }, chosen) {
  const wanted = chosen.filter(({ group }) => group === 'need').map(({ id }) => id);
  const rules = chosen.flatMap(({ rule }) => rule ?? []);
  if (wanted.length === 0 && rules.length === 0) return true;
  const served = wanted.length === 0 ? Object.keys(needs) : wanted;
  return served.length > 0 && served.every((id) => needs[id] && !rules.some((rule) => isBroken(needs[id], rule)));
}

const sumOfPrice = ({ price }) => (price === null ? Infinity : price.prompt + price.completion);

/** Shows what answers these chips; without any, all. */
export async function ask(ids) {
  const { ask: found, compared, byKey } = await data();
  asked = ids.filter((id) => found.chips.some((chip) => chip.id === id));
  const chosen = found.chips.filter(({ id }) => asked.includes(id));
  for (const chip of askChips) chip.setAttribute('aria-pressed', String(asked.includes(chip.dataset.ask)));
  const cells = chosen.flatMap(({ id }) => found.answers[id] ?? []).map((key) => byKey.get(key));
  const isQuestion = chosen.some(({ id }) => found.answers[id]);
  const filters = chosen.filter(({ group, models }) => group !== 'question' || models !== null);
  const stay = Object.keys(found.models)
    .filter((id) => qualifies(found.models[id], filters))
    .filter((id) => filters.every(({ models }) => models === null || models.includes(id)))
    .toSorted((a, b) => (filters.length === 0 ? 0 : sumOfPrice(found.models[a]) - sumOfPrice(found.models[b])));
  const answering = cells.filter(({ model }) => stay.includes(model));
  showModels(isQuestion ? stay.filter((id) => answering.some(({ model }) => model === id)) : stay);
  showAnswers(isQuestion ? answering : null);
  $('.asked').replaceChildren(
    ...(filters.length === 0 ? [] : modelList(stay, compared)),
    ...(isQuestion ? cellList(answering) : []),
  );
}

function modelList(stay, compared) {
  const total = Object.keys(compared).length;
  const links = stay.map((id) => {
    const { name, anchor, price } = compared[id];
    return h('li', {}, h('a', { href: `#${anchor}` }, name), price === '' ? null : ` (${price})`);
  });
  const order = stay.some((id) => compared[id].price !== '') ? said.cheapestFirst : '';
  return [h('p', {}, `${stay.length} ${said.ofAll} ${total} ${said.qualify}${order}.`), h('ol', {}, ...links)];
}

function cellList(cells) {
  const links = cells
    .slice(0, 60)
    .map(({ key, sign }) => h('li', {}, h('a', { href: cellHash(key) }, `${sign} ${key}`)));
  return [h('p', {}, `${said.checksFound} ${cells.length}`), h('ul', {}, ...links)];
}

/** Rows or columns of the matrix in this order, the others hidden behind them. */
function showModels(ids) {
  const rank = (id) => (ids.includes(id) ? ids.indexOf(id) : Infinity);
  const table = $('table.matrix');
  const sorted = (elements, idOf) => elements.toSorted((a, b) => rank(idOf(a)) - rank(idOf(b)) || 0);
  if (table.classList.contains('wide')) {
    const idOf = ({ dataset }) => dataset.model;
    for (const row of sorted($$('tbody tr', table), idOf)) {
      row.hidden = !ids.includes(idOf(row));
      row.parentElement.append(row);
    }
    return;
  }
  const models = $$('thead th', table)
    .slice(1)
    .map(({ dataset }) => dataset.model);
  const order = sorted([...models.keys()], (at) => models[at]);
  for (const row of $$('tr:not(.family)', table)) {
    const [, ...fields] = row.cells;
    for (const at of order) {
      fields[at].hidden = !ids.includes(models[at]);
      row.append(fields[at]);
    }
  }
}

/** Marks the fields of these cells, and hides rows without any; null: no question is asked. */
function showAnswers(cells) {
  const table = $('table.matrix');
  for (const field of $$('td.answer', table)) field.classList.remove('answer');
  for (const [model, some] of Map.groupBy(cells ?? [], (cell) => cell.model)) {
    const fields = fieldsOf(model);
    for (const { row } of some) fields.get(row)?.field?.classList.add('answer');
  }
  table.classList.toggle('questioned', cells !== null);
  if (table.classList.contains('wide')) return;
  for (const row of $$('tbody tr:not(.family)', table)) row.hidden = cells !== null && $('td.answer', row) === null;
  for (const body of $$('tbody', table)) body.hidden = $$('tr:not(.family)', body).every(({ hidden }) => hidden);
}
