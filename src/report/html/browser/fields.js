import { store } from './store.js';

// The matrix as data: its rows, its columns and the field at each of their crossings.
export const lower = (text) => text.toLowerCase().replace(/\s+/g, ' ');

export const fields = (() => {
  const table = document.querySelector('table.matrix');
  const heads = [...table.tHead.rows[0].cells];
  const columns = heads.slice(1).map((th, number) => ({
    th,
    number,
    id: th.dataset.id,
    name: th.textContent,
    text: lower(`${th.dataset.id} ${th.textContent}`),
  }));
  const families = [];
  const rows = [];
  const places = new WeakMap();
  for (const body of table.tBodies) {
    const [head, ...members] = body.rows;
    const family = {
      body,
      head,
      rows: [],
      open: true,
      number: families.length,
      text: lower(head.cells[0].textContent),
    };
    family.id = head.cells[0].querySelector('code')?.textContent ?? head.cells[0].textContent.trim();
    family.sums = [...head.cells].slice(1);
    families.push(family);
    for (const tr of members) {
      const [th, ...tds] = tr.cells;
      const row = {
        tr,
        th,
        tds,
        family,
        number: rows.length,
        name: th.firstChild.data.trim(),
        text: lower(th.textContent),
      };
      row.id = th.querySelector('code')?.textContent ?? row.name;
      row.words = tds.map((td) => td.textContent);
      row.looks = tds.map((td) => td.className);
      tds.forEach((td, column) => places.set(td, [row.number, column]));
      rows.push(row);
      family.rows.push(row);
    }
  }
  // What can be searched for at each crossing.
  let hay = null;
  /** The same of each cell of the report. */
  let cellTexts = null;
  /** Cells of the report at each crossing, as positions in the index. */
  let cells = null;

  async function learn() {
    if (cells !== null) return;
    const index = await store.index();
    const found = rows.map(() => columns.map(() => []));
    cellTexts = index.cells.map(([name, model, , verdict, , what]) =>
      lower(`${name}@${index.models[model]} ${index.verdicts[verdict].name} ${what}`),
    );
    index.cells.forEach(([, model, capability], number) => found[capability]?.[model]?.push(number));
    hay = rows.map((row) =>
      columns.map((column) => {
        const texts = found[row.number][column.number].map((number) => cellTexts[number]);
        return lower(`${row.text} ${row.family.text} ${column.text} ${row.words[column.number]} ${texts.join(' ')}`);
      }),
    );
    cells = found;
  }

  return {
    table,
    corner: heads[0],
    columns,
    families,
    rows,
    places,
    learn,
    hay: () => hay,
    cells: () => cells,
    cellTexts: () => cellTexts,
  };
})();

/** An element with properties, attributes in `data` and children. */
export function make(tag, properties = {}, ...children) {
  const { attributes = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}
