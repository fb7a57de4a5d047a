/* global said */
// Two models side by side: only where they differ.
import { $, fieldsOf, h } from './page.js';

export const [pickA, pickB] = [$('#compare-a'), $('#compare-b')];
if (pickB.options.length > 1) pickB.selectedIndex = 1;

export function compare() {
  const [one, other] = [fieldsOf(pickA.value), fieldsOf(pickB.value)];
  const textOf = (field) => field?.textContent.trim() ?? '';
  const rows = [...one].flatMap(([id, { title, field }]) => {
    const sides = [field, other.get(id)?.field];
    const [a, b] = sides.map(textOf);
    // Where one of them was not asked, there is nothing to compare.
    return a === b || a === '' || b === '' ? [] : [{ title, sides }];
  });
  const heads = [said.capability, ...[pickA, pickB].map(({ selectedOptions: [picked] }) => picked.textContent)];
  const row = ({ title, sides }) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, title),
      ...sides.map((field) => h('td', { class: field.className }, textOf(field))),
    );
  const table = h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...heads.map((text) => h('th', { scope: 'col' }, text)))),
    h('tbody', {}, ...rows.map(row)),
  );
  $('.compare-result').replaceChildren(rows.length === 0 ? h('p', {}, said.same) : table);
}

for (const pick of [pickA, pickB]) {
  pick.addEventListener('change', () => {
    location.hash = `#compare=${encodeURIComponent(pickA.value)}..${encodeURIComponent(pickB.value)}`;
  });
}
