import { expect, test } from 'vitest';
import { aPlan, aReportModel, aPlannedCell } from '../../../test/support/build.js';
import { openWireTally } from '../../decide/wire/wire-standing.js';
import { reportWire } from '../build-report.js';

const [asked, later] = [aPlannedCell(), aPlannedCell({ expected: { kind: 'new' } })];
const model = asked.cell.model.key;
const [known, unseen] = ['suite/known', 'suite/unseen'].map((path) => `${path}@${model}`) as [string, string];

/**
 * The standing of a quirk that shows in every answer of these cells, where `known` is covered and nobody saw it there.
 */
function standingIn(...cells: readonly string[]) {
  const tally = openWireTally();
  for (const cell of cells) {
    for (let count = 0; count < 5; count += 1) {
      const form = 'streamed_text' as const;
      tally.add(cell, `e${count}`, { step: null, form, could: ['streamed'], seen: ['empty_choices_chunk'] });
    }
  }
  const plannedCells = [
    { ...asked, cell: { ...asked.cell, key: known }, expected: { kind: 'pass', threshold: null } as const },
    { ...later, cell: { ...later.cell, key: unseen }, expected: { kind: 'new' } as const },
  ];
  const plan = aPlan(plannedCells, { acceptedWire: new Map([[model, { quirks: [], only: {}, sometimes: [] }]]) });
  const [quirk] = reportWire(plan, [aReportModel(model, { standing: 'known' })], { wire: new Map([[model, tally]]) });
  return quirk?.standing;
}

test('a quirk is news where the baseline covers an answer that did not have it', () => {
  expect(standingIn(known)).toBe('new');
  expect(standingIn(known, unseen)).toBe('new');
});

test('and none where only cells have it that nobody had looked at', () => {
  expect(standingIn(unseen)).toBe('as_expected');
});
