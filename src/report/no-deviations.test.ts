import { expect, test } from 'vitest';
import { report, reportCell } from '../../test/support/synthetic-cell.js';
import { noDeviations } from './view/summary.js';

test('a run without a deviation is good news only where something was judged against a baseline', () => {
  const unmeasured = reportCell({ verdict: 'inconclusive', standing: null });
  expect(noDeviations(report({ cells: [unmeasured] }))).toBe('None, because nothing was judged.');
  expect(noDeviations(report({ cells: [reportCell({ standing: 'new' }), unmeasured] }))).toMatch(
    /nothing was accepted/,
  );
  expect(noDeviations(report({ cells: [reportCell({ standing: 'as_expected' })] }))).toMatch(/as the baseline expects/);
});
