/* global said */
// The dialog that shows a cell with its evidence.
import { $, coded, copyButton, data, h } from './page.js';

export const cellHash = (key) => `#cell=${encodeURIComponent(key)}`;

export async function openCell(key) {
  const found = await data();
  const { byKey } = found;
  const dialog = $('#cell');
  const cell = byKey.get(key);
  dialog.replaceChildren(closeButton(), ...(cell ? cellParts(cell, found) : unknownParts(key)));
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

function cellParts(cell, found) {
  const { byId, texts } = found;
  return [
    h('h2', { id: 'cell-title', tabindex: '-1' }, `${cell.sign} ${cell.title}`),
    h('p', { class: 'quiet' }, `${cell.model} · ${cell.capability}`),
    ...cell.says.map((text) => h('p', { class: 'says' }, ...coded(text))),
    othersLine(cell, found),
    cellStrip(cell, found),
    cell.condition === null ? null : h('p', {}, `${said.passes} `, h('code', {}, cell.condition)),
    cell.detail === null ? null : h('p', { class: 'detail' }, cell.detail),
    cell.violations.length === 0
      ? null
      : h('ul', {}, ...cell.violations.map((text) => h('li', {}, h('code', {}, text)))),
    cell.curve.length === 0 ? null : curveTable(cell.curve),
    cell.todo === '' ? null : h('p', { class: 'todo' }, ...coded(cell.todo)),
    copies(cell, found),
    ...goodBesideBad(cell, found),
    ...neighbourParts(cell, found),
    ...cell.exchanges.flatMap((id, at) => exchangeParts(byId.get(id), texts, at === 0 ? cell.asked : 1)),
    h('p', { class: 'quiet' }, h('code', {}, cell.key)),
    h(
      'p',
      { class: 'command' },
      h('code', {}, cell.command),
      copyButton(() => cell.command),
    ),
  ].filter((part) => part !== null);
}

const judged = ['pass', 'flaky', 'fail'];
const probeOf = ({ name }) => name.replace(/\[.*$/, '');
const onModels = (cell, { cells }) => cells.filter(({ name }) => name === cell.name);
const besides = (cell, { cells }) =>
  cells.filter((one) => one.model === cell.model && (one.row === cell.row || probeOf(one) === probeOf(cell)));

/** How many other models pass. */
function othersLine(cell, found) {
  const others = onModels(cell, found).filter((one) => one !== cell && judged.includes(one.verdict));
  if (others.length === 0) return null;
  const passing = others.filter(({ verdict }) => verdict === 'pass').length;
  return h('p', { class: 'others' }, `${said.othersPass} ${passing} ${said.ofAll} ${others.length}.`);
}

/** A mark a run, each a link to the same cell in the page of that run. */
function cellStrip({ strip, key }, { runs }) {
  if (strip.length === 0) return null;
  const shown = runs.slice(-strip.length);
  const marks = strip.map((tone, at) => {
    const { time, href } = shown[at] ?? {};
    const title = `${time}: ${said[`strip_${tone}`]}`;
    return href
      ? h('a', { href: href + cellHash(key), class: tone, title, 'aria-label': title })
      : h('i', { class: tone, title, role: 'img', 'aria-label': title });
  });
  return h('p', { class: 'strip nights' }, ...marks);
}

function neighbourParts(cell, found) {
  const list = (title, cells, textOf) =>
    cells.length < 2
      ? []
      : [
          h('h3', {}, title),
          h(
            'ul',
            { class: 'neighbours' },
            ...cells.map((one) => {
              const current = one === cell ? 'true' : null;
              const link = h('a', { href: cellHash(one.key), 'aria-current': current }, `${one.sign} ${textOf(one)}`);
              return h('li', {}, link);
            }),
          ),
        ];
  return [
    ...list(said.models, onModels(cell, found), ({ model }) => model),
    ...list(said.points, besides(cell, found), ({ name }) => name),
  ];
}

/** The cell that an arrow key leads to: another model, or another check of the same model. */
export async function neighbour(key, arrow) {
  const found = await data();
  const cell = found.byKey.get(key);
  if (!cell) return null;
  const row = arrow === 'ArrowLeft' || arrow === 'ArrowRight' ? onModels(cell, found) : besides(cell, found);
  const step = arrow === 'ArrowRight' || arrow === 'ArrowDown' ? 1 : -1;
  return row[row.indexOf(cell) + step]?.key ?? null;
}

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** What support asks for: the request as a command without the key, ids, answer, error and time. */
function supportText(cell, { byId, texts, addresses, started }) {
  const one = byId.get(cell.exchanges[0]);
  const { base_url: base, api_key_env: key } = addresses[cell.model] ?? {};
  const request = one ? requestText(one, texts) : '';
  const curl = [
    `curl ${quoted(`${base ?? 'https://BASE_URL'}/chat/completions`)}`,
    "-H 'content-type: application/json'",
    `-H "authorization: Bearer $${key ?? 'API_KEY'}"`,
    `-d ${quoted(request)}`,
  ].join(' \\\n  ');
  return [
    cell.key,
    ...cell.says,
    ...(cell.detail ? [cell.detail] : []),
    ...cell.violations,
    `${said.time}: ${started}`,
    ...(one ? [`HTTP ${one.status ?? '-'} ${one.ids}`, '', curl, '', `${said.response}:`, texts[one.response]] : []),
  ].join('\n');
}

function copies(cell, found) {
  const text = () => supportText(cell, found);
  return h(
    'p',
    { class: 'copies' },
    copyButton(text, said.support),
    copyButton(() => `${said.ask}\n\n${text()}`, said.prompt),
  );
}

/** The last good answer beside the one of now: lines that only one of them has, and what is wrong in the new one. */
function goodBesideBad({ good, exchanges }, { byId, texts }) {
  const bad = byId.get(exchanges[0]);
  if (good === null || !bad || bad.answer === null) return [];
  const [before, now] = [texts[good.answer], texts[bad.answer]];
  const block = (title, text, other, marks) =>
    h(
      'div',
      {},
      h('h4', {}, title),
      h('pre', { tabindex: '0', 'aria-label': title }, ...markedLines(text, new Set(other.split('\n')), marks)),
    );
  return [
    h(
      'div',
      { class: 'sides answers' },
      block(`${said.lastGood} (${good.day})`, before, now, []),
      block(said.firstBad, now, before, bad.marks),
    ),
  ];
}

/** Lines of a text, with those that break a rule and those that the other text does not have. */
function markedLines(text, others, marks) {
  const wrong = new Map(marks);
  return text.split('\n').flatMap((line, at) => {
    const message = wrong.get(at);
    const part = message ? h('mark', { class: 'wrong', title: message }, `${line}  ← ${message}`) : line;
    return [others?.has(line) === false && !message ? h('mark', {}, line) : part, '\n'];
  });
}

const requestText = (one, texts) => `{\n  "model": ${JSON.stringify(one.model)},${texts[one.request].slice(1)}`;

const curveTable = (curve) =>
  h(
    'table',
    {},
    h('thead', {}, h('tr', {}, ...curve.map(([x]) => h('th', { scope: 'col' }, String(x))))),
    h('tbody', {}, h('tr', {}, ...curve.map(([, passed, total]) => h('td', {}, `${passed}/${total}`)))),
  );

/** @param of how many there were, of which this is the first; 1: nothing to say */
function exchangeParts(one, texts, of) {
  if (one === undefined) return [];
  const request = requestText(one, texts);
  const facts = [
    one.status === null ? said.noAnswer : `HTTP ${one.status}`,
    one.finish,
    one.milliseconds === null ? null : `${Math.round(one.milliseconds)} ms`,
    one.ids || null,
  ];
  const block = (title, text, marks = []) => [
    h(
      'h4',
      {},
      title,
      copyButton(() => text),
    ),
    h('pre', { tabindex: '0', 'aria-label': title }, ...(marks.length === 0 ? [text] : markedLines(text, null, marks))),
  ];
  return [
    h('h3', { class: 'exchange' }, `${said.exchange} (${one.id}${of > 1 ? `, ${said.firstOf} ${of}` : ''})`),
    h('p', { class: 'quiet' }, facts.filter((fact) => fact !== null).join(' · ')),
    ...(one.answer === null ? [] : block(said.cameBack, texts[one.answer], one.marks)),
    ...block(said.request, request),
    ...block(`${said.response} ${one.status ?? ''}`, texts[one.response]),
  ];
}
