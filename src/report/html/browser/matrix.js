// What of the matrix is shown, and in which order.
import { fields, make } from './fields.js';
import { store } from './store.js';

export const matrix = (() => {
  const { table, columns, families, rows, places } = fields;
  const glyphs = { pass: '✓', partial: '◐', fail: '✗' };
  const matches = rows.map(() => new Uint8Array(columns.length).fill(1));
  const shownRows = new Uint8Array(rows.length).fill(1);
  const shownColumns = new Uint8Array(columns.length).fill(1);
  let transposed = null;
  let turned = false;

  const kindsOf = {
    fail: ['fail'],
    flaky: ['flaky'],
    partial: ['partial'],
    unmeasured: ['inconclusive', 'blocked', 'not_run'],
    keyword: ['ignored', 'refused', 'broken', 'unclear'],
    changed: ['dev'],
  };

  /** Whether a field looks as one of the kinds does; null: no kind is chosen. Few looks are shared by all fields. */
  function wantedIn(kinds) {
    const wanted = kinds.flatMap((name) => kindsOf[name] ?? []);
    if (wanted.length === 0) return null;
    const known = new Map();
    return (look) => {
      if (!known.has(look))
        known.set(
          look,
          look.split(' ').some((one) => wanted.includes(one)),
        );
      return known.get(look);
    };
  }

  /** Decides anew which rows, columns and fields are shown, without changing the page. */
  function plan(state, words) {
    const hay = fields.hay();
    const isWanted = wantedIn(state.only);
    const active = words.length > 0 || isWanted !== null;
    const columnHits = new Uint8Array(columns.length);
    const fits = rows.map(() => new Uint8Array(columns.length));
    let hits = 0;
    for (const { number, looks, words: texts } of rows) {
      for (let column = 0; column < columns.length; column++) {
        let fit = texts[column] !== '' || words.length > 0;
        for (let at = 0; fit && at < words.length; at++) fit = hay[number][column].includes(words[at]);
        if (fit && isWanted !== null) fit = isWanted(looks[column]);
        if (!fit) continue;
        fits[number][column] = 1;
        columnHits[column] = 1;
        hits++;
      }
    }
    const shown = columns.map(({ number }) => !active || columnHits[number] === 1);
    const rowShown = rows.map((row) => {
      return (!active || fits[row.number].includes(1)) && (!state.differences || !same(row, shown));
    });
    const open = families.map(({ id }) => active || state.differences || !state.folded.includes(id));
    return { active, fits, hits: active ? hits : 0, columns: shown, rows: rowShown, open };
  }

  /** Whether all models that are shown have the same result. */
  function same(row, shown) {
    let first = null;
    for (let column = 0; column < columns.length; column++) {
      if (!shown[column] || row.words[column] === '') continue;
      const text = row.words[column] + row.looks[column];
      if (first === null) first = text;
      else if (text !== first) return false;
    }
    return true;
  }

  /** What a reader sees at once: rows and families that go. */
  function hideRows(planned) {
    for (const family of families) {
      const some = family.rows.some((row) => planned.rows[row.number]);
      family.head.hidden = !some;
      family.body.hidden = !some;
      for (const row of family.rows) {
        row.shown = planned.rows[row.number];
        if (!row.shown || !(planned.open[family.number] || row.pinned)) setRow(row, false);
      }
    }
  }

  /** What takes longer: rows that come, columns, and fields that stand back because they do not match. */
  function showRest(planned) {
    columns.forEach(({ number }) => setColumn(number, planned.columns[number]));
    for (const family of families) {
      for (const row of family.rows) setRow(row, row.shown && (planned.open[family.number] || row.pinned));
      family.head.querySelector('button')?.setAttribute('aria-expanded', String(planned.open[family.number]));
    }
    for (const row of rows) {
      if (!row.shown) continue;
      for (let column = 0; column < columns.length; column++) {
        const fit = !planned.active || planned.fits[row.number][column] === 1 ? 1 : 0;
        if (fit === matches[row.number][column]) continue;
        matches[row.number][column] = fit;
        row.tds[column].classList.toggle('dim', fit === 0);
      }
    }
  }

  function setRow({ tr, number, tds }, shown) {
    if (shownRows[number] === Number(shown)) return;
    shownRows[number] = Number(shown);
    tr.hidden = !shown;
    if (!turned) return;
    transposed.heads[number].hidden = !shown;
    for (const td of tds) td.hidden = !shown;
  }

  function setColumn(number, shown) {
    if (shownColumns[number] === Number(shown)) return;
    shownColumns[number] = Number(shown);
    columns[number].th.hidden = !shown;
    for (const family of families) family.sums[number].hidden = !shown;
    if (turned) transposed.rows[number].hidden = !shown;
    else for (const row of rows) row.tds[number].hidden = !shown;
  }

  /** Draws every field for a level of the specification: whether every judged answer reached it. */
  async function level(name) {
    await fields.learn();
    const index = await store.index();
    const height = index.rungs.indexOf(name);
    const judged = new Set(
      ['pass', 'flaky', 'fail'].map((verdict) => index.verdicts.findIndex((one) => one.name === verdict)),
    );
    for (const row of rows) {
      row.tds.forEach((td, column) => {
        const own = fields
          .cells()
          [row.number][column].map((number) => index.cells[number])
          .filter((cell) => judged.has(cell[3]));
        const [look, words] = [
          (row.before ??= { looks: [...row.looks], words: [...row.words] }).looks[column],
          row.before.words[column],
        ];
        if (height === -1 || own.length === 0) return draw(row, td, column, look, words);
        const reached = own.filter((cell) => cell[4] >= height).length;
        const kind = reached === own.length ? 'pass' : reached === 0 ? 'fail' : 'partial';
        const change = /(?: dev d-\w+)?$/.exec(look)[0];
        draw(
          row,
          td,
          column,
          kind + change,
          kind === 'partial' ? `${glyphs.partial} ${reached}/${own.length}` : glyphs[kind],
        );
      });
    }
  }

  function draw(row, td, column, look, words) {
    if (row.words[column] === words && row.looks[column] === look) return;
    row.words[column] = words;
    row.looks[column] = look;
    td.className = look + (matches[row.number][column] ? '' : ' dim');
    td.textContent = words;
  }

  const passes = (column) => rows.reduce((sum, row) => sum + Number(/^pass/.test(row.looks[column.number])), 0);
  const fails = (row) => row.looks.filter((look) => look !== '' && !/^pass/.test(look)).length;

  /** Puts columns and rows into the order that the state asks for, pinned ones first. */
  function order(state) {
    const byColumn = {
      given: (a, b) => a.number - b.number,
      name: (a, b) => (a.text < b.text ? -1 : 1),
      passes: (a, b) => passes(b) - passes(a) || a.number - b.number,
    }[state.sort];
    const isPinned = ({ id }, pins) => pins.includes(id);
    const ordered = [...columns].sort(
      (a, b) => isPinned(b, state.pinnedModels) - isPinned(a, state.pinnedModels) || byColumn(a, b),
    );
    const byRow =
      state.rows === 'fails' ? (a, b) => fails(b) - fails(a) || a.number - b.number : (a, b) => a.number - b.number;
    const turn = state.turned;
    const key = JSON.stringify([
      ordered.map(({ number }) => number),
      state.rows,
      state.pinnedRows,
      state.pinnedModels,
      turn,
    ]);
    if (key === order.key) return;
    order.key = key;
    const sorted = families.flatMap((family) =>
      [...family.rows].sort((a, b) => isPinned(b, state.pinnedRows) - isPinned(a, state.pinnedRows) || byRow(a, b)),
    );
    rows.forEach((row) => (row.pinned = isPinned(row, state.pinnedRows)));
    if (turn)
      drawTurned(
        ordered,
        sorted.sort((a, b) => b.pinned - a.pinned),
      );
    else drawStraight(ordered, sorted, state);
    turned = turn;
  }

  function drawStraight(ordered, sorted, state) {
    if (turned) transposed.table.replaceWith(table);
    table.tHead.rows[0].append(...ordered.map(({ th }) => th));
    for (const family of families) family.head.append(...ordered.map(({ number }) => family.sums[number]));
    for (const row of sorted) {
      row.tr.append(row.th, ...ordered.map(({ number }) => row.tds[number]));
      row.tr.hidden = !shownRows[row.number];
      for (const td of row.tds) td.hidden = !shownColumns[places.get(td)[1]];
      row.tr.classList.toggle('pinned', row.pinned);
      (row.pinned ? pinnedBody() : row.family.body).append(row.tr);
    }
    let left = 0;
    for (const { th, number, id } of ordered) {
      const pinned = state.pinnedModels.includes(id);
      const place = pinned ? `calc(var(--first) + ${left++} * var(--column))` : '';
      for (const cell of [
        th,
        ...rows.map((row) => row.tds[number]),
        ...families.map((family) => family.sums[number]),
      ]) {
        cell.classList.toggle('pinned', pinned);
        cell.style.left = place;
      }
    }
    if (pins !== null) pins.style.top = `${table.tHead.offsetHeight}px`;
  }

  let pins = null;
  function pinnedBody() {
    if (pins === null) {
      pins = make('tbody', { className: 'pins' });
      table.tHead.after(pins);
    }
    return pins;
  }

  /** Models down, capabilities across: the same fields in a table of their own. */
  function drawTurned(ordered, sorted) {
    const heads = {};
    const corner = make('th', { scope: 'col', className: 'corner', textContent: 'Model' });
    const line = make('tr', {}, corner);
    for (const row of sorted) {
      heads[row.number] = make('th', { scope: 'col', textContent: row.id, hidden: !shownRows[row.number] });
      line.append(heads[row.number]);
    }
    const lines = {};
    const body = make('tbody');
    for (const column of ordered) {
      const tr = make(
        'tr',
        { hidden: !shownColumns[column.number] },
        make('th', { scope: 'row', textContent: column.name }),
      );
      for (const row of sorted) {
        const td = row.tds[column.number];
        td.hidden = !shownRows[row.number];
        tr.append(td);
      }
      lines[column.number] = tr;
      body.append(tr);
    }
    const caption = make('caption', { textContent: table.caption.textContent });
    const next = make(
      'table',
      { className: table.className + ' turned', attributes: { role: 'grid' } },
      caption,
      make('thead', {}, line),
      body,
    );
    (turned ? transposed.table : table).replaceWith(next);
    transposed = { table: next, heads, rows: lines };
  }

  /** The heads in which one of the words stands. */
  const heads = (words) =>
    [...columns, ...rows].filter(({ text }) => words.some((word) => text.includes(word))).map(({ th }) => th);

  return {
    heads,
    plan,
    hideRows,
    showRest,
    level,
    order,
    shownRows,
    shownColumns,
    matches,
    current: () => (turned ? transposed.table : table),
  };
})();
