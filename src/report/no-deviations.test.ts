import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../test/support/build.js';
import { noDeviations } from './view/summary.js';

test('a run without deviations is good news only if something was judged against a baseline', () => {
  const unmeasured = aReportCell({ verdict: 'inconclusive', standing: null });
  expect(noDeviations(aReport({ cells: [unmeasured] }))).toBe('None, because nothing was judged.');
  expect(noDeviations(aReport({ cells: [aReportCell({ standing: 'new' }), unmeasured] }))).toMatch(
    /no baseline covers this judged cell yet, and it passes/,
  );
  expect(noDeviations(aReport({ cells: [aReportCell({ standing: 'as_expected' })] }))).toMatch(
    /as the baseline expects/,
  );
});
