import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { conditionOf } from './condition.js';

test('where failures come and go, only the passes of a probe without the axis speak for it', () => {
  const cells = ['x', 'y'].map((a) =>
    aReportCell(
      a === 'x'
        ? { point: { a }, verdict: 'flaky', trials: { passed: 4, total: 10 } }
        : { point: { a }, trials: { passed: 10, total: 10 } },
    ),
  );
  const bare = (probe: string, total: number) => aReportCell({ probe, trials: { passed: total, total } });
  expect(conditionOf([...cells, bare('one', 3), bare('two', 3)])?.text).toBe(
    'not with a=x; not known with probes suite/one, suite/two',
  );
  expect(conditionOf([...cells, bare('one', 10)])?.text).toBe('not with a=x');
});
