/* global said */
// Two models side by side: what to send, speed and price, and where they differ.
import { $, coded, data, fieldsOf, h } from './page.js';

export const [pickA, pickB] = [$('#compare-a'), $('#compare-b')];
if (pickB.options.length > 1) pickB.selectedIndex = 1;

export async function compare() {
  const { compared } = await data();
  const [one, other] = [fieldsOf(pickA.value), fieldsOf(pickB.value)];
  const textOf = (field) => field?.textContent.trim() ?? '';
  const rows = [...one].flatMap(([id, { title, field }]) => {
    const sides = [field, other.get(id)?.field];
    const [a, b] = sides.map(textOf);
    // Where one of them was not asked, there is nothing to compare.
    return a === b || a === '' || b === '' ? [] : [{ title, sides }];
  });
  const row = ({ title, sides }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...sides.map((field) => h('td', { class: field.className }, textOf(field))),
    );
  $('.compare-result').replaceChildren(
    h('h3', {}, said.sends),
    sidesTable(said.need, factRows(compared)),
    h('h3', {}, said.differ),
    rows.length === 0 ? h('p', {}, said.same) : sidesTable(said.capability, rows.map(row)),
  );
}

function sidesTable(first, rows) {
  const heads = [first, ...[pickA, pickB].map(({ selectedOptions: [picked] }) => picked.textContent)];
  return h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows),
  );
}

/** What to send for each need, speed and price, also where both are alike. */
function factRows(compared) {
  const sides = [pickA, pickB].map(({ value }) => new Map(compared[value]?.facts));
  const titles = [...new Set(sides.flatMap((facts) => [...facts.keys()]))];
  return titles.map((title) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...sides.map((facts) => h('td', {}, ...coded(facts.get(title) ?? '–'))),
    ),
  );
}

for (const pick of [pickA, pickB]) {
  pick.addEventListener('change', () => {
    location.hash = `#compare=${encodeURIComponent(pickA.value)}..${encodeURIComponent(pickB.value)}`;
  });
}
