import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { RunSummary } from '../run-summary.js';
import { deviationId, type Deviation } from '../standing/deviations.js';
import { deviatesSince } from './deviates-since.js';

const key = 's/p@t/one';

function deviationOf(changes: object): Deviation {
  const cell = { ...aReportCell({ key, model: 't/one', verdict: 'fail', standing: 'regression' }), ...changes };
  return { kind: 'regression', model: 't/one', cell };
}

/** Earlier nights, the oldest first: `x` deviates, `.` passes, `-` did not judge the cell, `o` says only that it deviates. */
const nights = (shown: string): readonly RunSummary[] =>
  shown.split('').map((sign, index) => ({
    ...({
      models: {},
      cells: '-o'.includes(sign) ? {} : { [key]: sign === 'x' ? 'fail 0/1' : 'pass 1/1' },
    } as unknown as RunSummary),
    run: { started_at: `night ${index + 1}`, shard: false } as RunSummary['run'],
    deviating: 'xo'.includes(sign) ? [deviationId(deviationOf({}))] : [],
  }));

const doubtOf = (runs: number) => ({ evidence: { doubt: Array.from({ length: runs }, () => ({})) } });

test.each([
  ['in the first run', '', {}, 1, null],
  ['since this run', 'x.', {}, 1, null],
  ['in three runs in a row', '.xx', {}, 3, 'night 2'],
  ['beside a run that judged nothing', '.x-', {}, 2, 'night 2'],
  ['in a run that says no more than that', '.xo', {}, 3, 'night 2'],
  ['in as many runs as its doubt has', '..x', doubtOf(2), 2, 'night 3'],
  ['as long as its doubt, where that began earlier', '...', doubtOf(3), 3, 'night 2'],
  ['as long as the failure that cells share', '...', { shared: { runs: 2 } }, 2, 'night 3'],
  ['longer than the runs that are here', '.', doubtOf(4), 4, null],
] as const)('%s', (_, shown, changes, runs, at) => {
  expect(deviatesSince(deviationOf(changes), nights(shown))).toEqual({ runs, at });
});
