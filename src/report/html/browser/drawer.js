// Shows a cell with its exchanges beside the page.
import { fields, make } from './fields.js';
import { readPlain, wholeOf } from './plain-answer.js';
import { store, visible } from './store.js';

export const drawer = (() => {
  const element = document.getElementById('drawer');
  const main = document.querySelector('main');
  let opener = null;
  /** The field of the cell that is shown. */
  let current = null;
  let wanted = 0;

  const linkTo = (index, number) => {
    const [name, model] = index.cells[number];
    return `#cell=${encodeURIComponent(`${name}@${index.models[model]}`)}`;
  };

  /** One view of an exchange, with its texts put together. */
  async function exchangeView(number, position, command) {
    const one = await store.item(number);
    const text = (rope) => store.text(rope);
    const asked = await store.item(one.request);
    const request = await store.text(asked.body, one.model);
    const [headers, sent] = await Promise.all([one.headers, one.body].map(text));
    const whole = one.stream ? null : wholeOf(sent);
    const body = whole === null ? sent : visible(JSON.stringify(whole, null, 2));
    const read = one.read === null ? readBody(whole, headers, one.violations) : await readTexts(one.read);
    const { assembled } = read;
    const response = [one.failure === null ? '' : `(${await text(one.failure)})`, headers, '', assembled ?? body];
    const curl = asked.curl === null ? null : `${await text(asked.curl)} ${quoted(compact(request))}`;
    const tabs = [
      {
        title: 'Request and response',
        texts: [
          { title: `Request ${await text(asked.path)}`, text: request },
          {
            title: `Response ${one.status ?? ''}${assembled === null ? '' : ', put together'}`,
            text: response.join('\n'),
          },
        ],
      },
      ...(one.stream ? [{ title: 'Raw chunks', texts: [{ title: 'As they arrived', text: body }] }] : []),
      {
        title: 'curl',
        texts: [
          {
            title: 'To send it again',
            text: curl ?? 'The request is too long to be shown here. The evidence command shows all of it.',
          },
        ],
      },
      { title: 'Evidence', texts: [{ title: 'For support, with everything', text: command }] },
    ];
    return {
      id: one.id,
      error: await text(one.error),
      facts: [
        one.purpose === 'probe' ? null : one.purpose,
        one.status === null ? null : `HTTP ${one.status}`,
        read.finish,
        one.stream ? 'streamed' : null,
        one.first === null || !one.stream ? null : `first byte ${Math.round(one.first)} ms`,
        `${Math.round(one.total)} ms`,
      ]
        .filter(Boolean)
        .join(' · '),
      time: one.time,
      log: [
        { name: 'Ids', value: read.ids },
        { name: 'Usage', value: read.usage },
      ].filter(({ value }) => value),
      answer: read.answer && {
        of: read.answer.of,
        lines: (read.answer.text || '(empty)').split('\n').map((line, at) => ({
          text: line,
          mark: read.answer.marks
            .filter((mark) => mark.line === at)
            .map(({ message }) => message)
            .join('; '),
        })),
      },
      schemas: await Promise.all(
        asked.schemas.map(async (schema) => ({ name: await text(schema.name), text: await text(schema.text) })),
      ),
      tabs: tabs.map((tab, at) => ({
        ...tab,
        id: `x${position}-${at}`,
        selected: at === 0 ? 'true' : 'false',
        tabindex: at === 0 ? '0' : '-1',
        hidden: at > 0,
      })),
    };
  }

  async function readTexts({ answer, ...texts }) {
    const read = { answer: null };
    for (const [name, rope] of Object.entries(texts)) read[name] = await store.text(rope);
    if (answer !== null) {
      read.answer = { of: await store.text(answer.of), text: await store.text(answer.text), marks: answer.marks };
    }
    return read;
  }

  /** The same of a plain answer that stands in the page as it was sent. */
  function readBody(whole, headers, violations) {
    const { answer, ...read } = readPlain(whole, headers, violations);
    for (const name of ['ids', 'finish', 'usage']) if (read[name] !== null) read[name] = visible(read[name]);
    return { ...read, answer: answer && { ...answer, of: visible(answer.of), text: visible(answer.text) } };
  }

  /** JSON without the space between its tokens. */
  const compact = (json) => json.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1');
  const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

  const shellWord = (text) => (/^[\w./:@,=+-]+$/.test(text) ? text : quoted(text));

  /** One box a trial, in the order passed, failed, not counted; a share of the width where there are many. */
  function stripOf({ passed, total, faults }) {
    const all = total + faults;
    if (all === 0) return null;
    const width = all <= 40 ? 8 : 320 / all;
    const parts = [];
    const kinds = [
      ['pass', passed],
      ['fail', total - passed],
      ['fault', faults],
    ];
    let x = 0;
    for (const [look, amount] of kinds) {
      const boxes = all <= 40 ? amount : Math.min(1, amount);
      for (let box = 0; box < boxes; box++) {
        const size = all <= 40 ? width : width * amount;
        parts.push({ look, x: x.toFixed(1), width: Math.max(1, size - 1.5).toFixed(1) });
        x += size;
      }
    }
    return { width: Math.ceil(x), parts, label: `${passed} passed, ${total - passed} failed, ${faults} not counted` };
  }

  async function viewOf(number) {
    const index = await store.index();
    const [name, model, capability, , , , , cardNumber, ...exchanges] = index.cells[number];
    const key = `${name}@${index.models[model]}`;
    const command = index.evidence.join(shellWord(key));
    const card = { ...(await store.item(cardNumber)), key, model: index.models[model], command };
    const [row] = fields.rows.filter(({ id }) => id === card.capability);
    const own = index.cells
      .map((_, at) => at)
      .filter((at) => index.cells[at][1] === model && index.cells[at][2] === capability);
    const next = (step) => (index.cells[number + step] === undefined ? null : linkTo(index, number + step));
    const failed = [];
    for (const [position, exchange] of exchanges.entries()) {
      failed.push(await exchangeView(exchange, position, command));
    }
    return {
      card,
      title: row?.name ?? card.capability,
      hasOwnTitle: row !== undefined && row.name !== card.capability,
      previous: next(-1),
      next: next(1),
      siblings:
        own.length < 2
          ? null
          : own.map((at) => ({
              href: linkTo(index, at),
              name: index.cells[at][0],
              look: index.verdicts[index.cells[at][3]].name + (index.cells[at][6] ? ' dev' : ''),
              glyph: index.verdicts[index.cells[at][3]].glyph,
              here: at === number,
            })),
      strip: stripOf(card.trials),
      glyph: index.verdicts.find(({ name }) => name === card.verdict).glyph,
      rungs: index.rungs.map((name, height) => ({ name, reached: height <= card.rung })),
      advice: card.class === null ? null : index.advice[card.class],
      exchanges: failed,
    };
  }

  function fill(html) {
    if (!element.open) opener = document.activeElement;
    element.innerHTML = html;
    delete element.dataset.key;
    // The page gets narrower, and what was clicked must not move.
    const top = opener?.getBoundingClientRect().top;
    if (!element.open) element.show();
    document.documentElement.classList.add('with-drawer');
    keepInPlace(top);
    element.scrollTop = 0;
    element.querySelector('h2').focus({ preventScroll: true });
  }

  function keepInPlace(top) {
    if (!opener?.isConnected || opener === document.body) return;
    scrollBy({ top: opener.getBoundingClientRect().top - top, behavior: 'instant' });
  }

  /** Says of the pins whether they are set. */
  function sync({ pinnedRows, pinnedModels }) {
    for (const [name, pins] of [
      ['.pin-row', pinnedRows],
      ['.pin-model', pinnedModels],
    ]) {
      const button = element.querySelector(name);
      button?.setAttribute('aria-pressed', String(pins.includes(button.value)));
    }
  }

  /** A request to copy, in the place of a cell. */
  async function openSnippet(number) {
    wanted++;
    const { curl, typescript, python, ...one } = await store.item(number);
    const snippets = [
      { title: 'curl', text: curl },
      { title: 'TypeScript, openai client', text: typescript },
      { title: 'Python, openai client', text: python },
    ];
    fill(Handlebars.partials.snippet({ ...one, snippets }, { partials: Handlebars.partials }));
  }

  async function open(key, state) {
    const turn = ++wanted;
    const index = await store.index();
    const number = index.cells.findIndex(([name, model]) => `${name}@${index.models[model]}` === key);
    if (number === -1) {
      fill(Handlebars.partials.unknown({ key: visible(key) }, { partials: Handlebars.partials }));
      return undefined;
    }
    const view = await viewOf(number);
    if (turn !== wanted) return undefined;
    fill(Handlebars.partials.drawer(view, { partials: Handlebars.partials }));
    element.dataset.key = key;
    sync(state);
    const [, model, capability] = index.cells[number];
    current?.classList.remove('current');
    current = fields.rows[capability]?.tds[model] ?? null;
    current?.classList.add('current');
    // Who came by a link to the cell, or goes from cell to cell, finds it beside the drawer.
    const isByLink = !opener || opener === document.body;
    if (isByLink || fields.places.has(opener)) {
      opener = current;
      // The matrix got narrower, so the field may be out of its sight.
      const block = isByLink ? 'center' : 'nearest';
      current?.scrollIntoView({ block, inline: 'nearest', behavior: 'instant' });
    }
    return undefined;
  }

  function close(andFocus = true) {
    wanted++;
    if (!element.open) return;
    element.close();
    current?.classList.remove('current');
    element.replaceChildren();
    delete element.dataset.key;
    const top = opener?.getBoundingClientRect().top;
    document.documentElement.classList.remove('with-drawer');
    keepInPlace(top);
    if (!andFocus) return;
    if (opener?.isConnected) focus(opener);
    // Its row may be folded.
    if (document.activeElement === document.body) focus(document.getElementById('matrix-title'));
  }

  function focus(place) {
    if (place.tabIndex < 0) place.tabIndex = -1;
    place.focus({ preventScroll: true });
  }

  element.addEventListener('click', async ({ target }) => {
    const button = target.closest('button');
    if (button?.role === 'tab') choose(button);
    if (button?.classList.contains('copy')) {
      const pre = button.closest('h3, h4').nextElementSibling;
      await copy(pre.textContent, button);
    }
  });

  async function copy(text, button) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = make('textarea', { value: text });
      (element.open ? element : document.body).append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    button.classList.add('copied');
    if (button.tagName === 'BUTTON') button.textContent = 'Copied';
    setTimeout(() => {
      button.classList.remove('copied');
      if (button.tagName === 'BUTTON') button.textContent = 'Copy';
    }, 1500);
  }

  function choose(tab) {
    for (const one of tab.parentElement.children) {
      const chosen = one === tab;
      one.setAttribute('aria-selected', String(chosen));
      one.tabIndex = chosen ? 0 : -1;
      document.getElementById(one.getAttribute('aria-controls')).hidden = !chosen;
    }
    tab.focus();
  }

  element.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if (target.role !== 'tab' || !/^Arrow(?:Left|Right)$/.test(key)) return;
    const tabs = [...target.parentElement.children];
    choose(tabs.at((tabs.indexOf(target) + (key === 'ArrowRight' ? 1 : -1)) % tabs.length));
    event.preventDefault();
  });

  return { open, openSnippet, close, copy, sync, element, main, isOpen: () => element.open };
})();
