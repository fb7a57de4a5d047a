/* global said */
// Two models side by side: only where they differ.
import { $, $$, h } from './page.js';

function fieldsOf(model) {
  const wide = $('table.matrix.wide');
  const rows = new Map();
  if (wide) {
    const heads = $$('thead th', wide)
      .slice(1)
      .map((head) => head.title);
    const line = $$('tbody tr', wide).find((row) => row.dataset.model === model);
    heads.forEach((head, index) => rows.set(head, { title: head, text: line?.cells[index + 1]?.textContent ?? '' }));
    return rows;
  }
  const table = $('table.matrix');
  const column = $$('thead th', table).findIndex((head) => head.dataset.model === model);
  for (const row of $$('tbody tr:not(.family)', table)) {
    rows.set(row.cells[0].title, { title: row.cells[0].title, text: row.cells[column]?.textContent.trim() ?? '' });
  }
  return rows;
}

export function compare(a, b) {
  const [one, other] = [fieldsOf(a), fieldsOf(b)];
  const differing = [...one.keys()].filter((id) => one.get(id).text !== other.get(id)?.text);
  const cell = (text) => h('td', {}, text || '–');
  $('.compare-result').replaceChildren(
    differing.length === 0
      ? h('p', {}, said.same)
      : h(
          'table',
          {},
          h('thead', {}, h('tr', {}, ...[said.capability, a, b].map((text) => h('th', { scope: 'col' }, text)))),
          h(
            'tbody',
            {},
            ...differing.map((id) =>
              h(
                'tr',
                {},
                h('th', { scope: 'row' }, one.get(id).title),
                cell(one.get(id).text),
                cell(other.get(id)?.text),
              ),
            ),
          ),
        ),
  );
}

export const [pickA, pickB] = [$('#compare-a'), $('#compare-b')];
if (pickB.options.length > 1) pickB.selectedIndex = 1;
for (const pick of [pickA, pickB]) {
  pick.addEventListener('change', () => {
    location.hash = `#compare=${encodeURIComponent(pickA.value)}..${encodeURIComponent(pickB.value)}`;
  });
}
