/* global said -- the words of the catalogue, which stand above all modules */
// Small helpers, and the data that the page shows on demand.
export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

/** An element with text children only: nothing that others wrote becomes markup. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Text with code between backticks. */
export function coded(text) {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 ? h('code', {}, part) : part));
}

/** The fields of a model in the matrix, by capability. */
export function fieldsOf(model) {
  const table = $('table.matrix');
  const heads = $$('thead th', table);
  if (table.classList.contains('wide')) {
    const row = $$('tbody tr', table).find(({ dataset }) => dataset.model === model);
    return new Map(heads.slice(1).map(({ title }, index) => [title, { title, field: row?.cells[index + 1] }]));
  }
  const column = heads.findIndex(({ dataset }) => dataset.model === model);
  return new Map(
    $$('tbody tr:not(.family)', table).map(({ cells: [head, ...fields] }) => [
      head.title,
      { title: head.firstChild.textContent.trim(), field: fields[column - 1] },
    ]),
  );
}

let unpacked = null;
/** Cells, exchanges and texts. */
export function data() {
  unpacked ??= (async () => {
    const bytes = Uint8Array.from(atob($('#data').innerHTML), (character) => character.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const found = JSON.parse(await new Response(stream).text());
    return {
      ...found,
      byKey: new Map(found.cells.map((cell) => [cell.key, cell])),
      byId: new Map(found.exchanges.map((one) => [one.id, one])),
    };
  })();
  return unpacked;
}

/** A button that copies the text of what stands before it. */
export function copyButton(text, label = said.copy) {
  const button = h('button', { type: 'button', class: 'copy' }, label);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = said.copied;
      setTimeout(() => (button.textContent = label), 1500);
    } catch {
      // Plain http and old browsers have no clipboard.
      const shown = h('pre', { class: 'selected', tabindex: '0', 'aria-label': label }, text());
      button.parentElement.querySelector('.selected')?.remove();
      button.after(shown);
      getSelection().selectAllChildren(shown);
      button.textContent = said.selected;
    }
  });
  return button;
}
