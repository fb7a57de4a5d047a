/* global said */
// The dialog that shows a cell with its evidence.
import { $, coded, copyButton, data, h } from './page.js';

export const cellHash = (key) => `#cell=${encodeURIComponent(key)}`;

export async function openCell(key) {
  const { byKey, byId, texts } = await data();
  const dialog = $('#cell');
  const cell = byKey.get(key);
  dialog.replaceChildren(closeButton(), ...(cell ? cellParts(cell, byId, texts) : unknownParts(key)));
  dialog.dataset.key = key;
  if (!dialog.open) dialog.showModal();
  dialog.scrollTop = 0;
  $('#cell-title').focus();
}

const closeButton = () => h('button', { type: 'button', class: 'close', 'aria-label': said.close }, '✕');

const unknownParts = (key) => [
  h('h2', { id: 'cell-title', tabindex: '-1' }, said.noCell),
  h('p', {}, h('code', {}, key)),
  h('p', {}, said.otherRun),
];

function cellParts(cell, byId, texts) {
  return [
    h('h2', { id: 'cell-title', tabindex: '-1' }, `${cell.sign} ${cell.title}`),
    h('p', { class: 'quiet' }, `${cell.model} · ${cell.capability}`),
    ...cell.says.map((text) => h('p', { class: 'says' }, ...coded(text))),
    cell.condition === null ? null : h('p', {}, `${said.passes} `, h('code', {}, cell.condition)),
    cell.detail === null ? null : h('p', { class: 'detail' }, cell.detail),
    cell.violations.length === 0
      ? null
      : h('ul', {}, ...cell.violations.map((text) => h('li', {}, h('code', {}, text)))),
    cell.curve.length === 0 ? null : curveTable(cell.curve),
    cell.todo === '' ? null : h('p', { class: 'todo' }, ...coded(cell.todo)),
    ...cell.exchanges.flatMap((id) => exchangeParts(byId.get(id), texts)),
    h('p', { class: 'quiet' }, h('code', {}, cell.key)),
    h(
      'p',
      { class: 'command' },
      h('code', {}, cell.command),
      copyButton(() => cell.command),
    ),
  ].filter((part) => part !== null);
}

const curveTable = (curve) =>
  h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...curve.map(([x]) => h('th', { scope: 'col' }, String(x))))),
    h('tbody', {}, h('tr', {}, ...curve.map(([, passed, total]) => h('td', {}, `${passed}/${total}`)))),
  );

function exchangeParts(one, texts) {
  if (one === undefined) return [];
  const request = `{\n  "model": ${JSON.stringify(one.model)},${texts[one.request].slice(1)}`;
  const facts = [
    one.status === null ? said.noAnswer : `HTTP ${one.status}`,
    one.finish,
    one.milliseconds === null ? null : `${Math.round(one.milliseconds)} ms`,
    one.ids || null,
  ];
  const block = (title, text) => [
    h(
      'h4',
      {},
      title,
      copyButton(() => text),
    ),
    h('pre', { tabindex: '0', 'aria-label': title }, text),
  ];
  return [
    h('h3', { class: 'exchange' }, `${said.exchange} ${one.id}`),
    h('p', { class: 'quiet' }, facts.filter((fact) => fact !== null).join(' · ')),
    ...(one.answer === null ? [] : block(said.cameBack, texts[one.answer])),
    ...block(said.request, request),
    ...block(`${said.response} ${one.status ?? ''}`, texts[one.response]),
  ];
}
