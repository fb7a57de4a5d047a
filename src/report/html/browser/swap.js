import { fields, make } from './fields.js';

// Shows what a swap of two models means. Pairs that the page holds are shown as they are; any other two are compared by
// what the matrix and the recommendations show of them, which knows nothing of luck, and says so.
export const swap = (() => {
  const form = document.querySelector('.swap-pick');
  if (form === null) return { start: () => undefined };
  const [from, to] = ['swap-from', 'swap-to'].map((id) => document.getElementById(id));
  const seen = document.querySelector('.swap-seen');
  const pairs = [...document.querySelectorAll('details.swap')];

  const columnOf = (id) => fields.columns.find((column) => column.id === id);
  const shellWord = (text) => (/^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

  /** The fields in which both models are judged and look different, and those that only one of them has. */
  function differences(old, now) {
    const found = { differ: [], apart: [] };
    for (const row of fields.rows) {
      const { looks, words } = row.before ?? row;
      const [was, is] = [old, now].map(({ number }) => ({ text: words[number], kind: looks[number].split(' ')[0] }));
      const judged = ({ kind }) => !['', 'inconclusive', 'blocked', 'not_run'].includes(kind);
      const line = [row.id, `${plain(was.text)} → ${plain(is.text)}`];
      if (judged(was) !== judged(is)) found.apart.push(line);
      else if (judged(was) && (was.kind !== is.kind || plain(was.text) !== plain(is.text))) found.differ.push(line);
    }
    return found;
  }

  /** Without the glyph of a change from the baseline. */
  const plain = (text) => text.replace(/ [▼▲◆●](?= |$)/u, '') || 'not asked';

  /** What is recommended for each need where both are named, and the forms or settings differ. */
  function requests(old, now) {
    return [...document.querySelectorAll('details.need')].flatMap((need) => {
      const sent = ({ name }) =>
        [...need.querySelectorAll('.advice-table tbody tr')]
          .find((row) => row.cells[0].textContent === name)
          ?.querySelector('code').textContent;
      const [was, is] = [sent(old), sent(now)];
      const none = 'nothing that can be relied on is known';
      return was === is ? [] : [[need.querySelector('h3').textContent, `${was ?? none} → ${is ?? none}`]];
    });
  }

  function list(title, rows) {
    if (rows.length === 0) return [];
    const items = rows.map(([what, change]) => make('li', {}, make('b', { textContent: what }), `: ${change}`));
    return [make('h4', { textContent: `${title} (${rows.length})` }), make('ul', { className: 'plain' }, ...items)];
  }

  function show() {
    const [a, b] = [from.value, to.value];
    const held = pairs.find((pair) => pair.dataset.from === a && pair.dataset.to === b);
    for (const pair of pairs) pair.open = pair === held;
    seen.replaceChildren();
    if (held !== undefined || a === b) return;
    const [old, now] = [columnOf(a), columnOf(b)];
    if (old === undefined || now === undefined) return;
    const { differ, apart } = differences(old, now);
    const command = `${form.dataset.command}${shellWord(a)} ${shellWord(b)}${form.dataset.option}`;
    seen.append(
      make('h3', { textContent: `From ${a} to ${b}` }),
      make(
        'p',
        { className: 'quiet' },
        'As the matrix shows it; a single failure may be luck. What was lost by more: ',
        make('code', { className: 'command', textContent: command }),
      ),
      ...list('Seen to differ', differ),
      ...list('Recommended requests', requests(old, now)),
      ...list('Not compared', apart),
      ...(differ.length === 0
        ? [make('p', { textContent: 'No capability that both were judged in looks different.' })]
        : []),
    );
  }

  return {
    start() {
      form.hidden = false;
      const [first] = pairs;
      if (first !== undefined) {
        from.value = first.dataset.from;
        to.value = first.dataset.to;
      }
      form.addEventListener('submit', (event) => event.preventDefault());
      form.addEventListener('change', show);
      show();
    },
  };
})();
