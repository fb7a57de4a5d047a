import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { deviationView } from './deviation-view.js';

test.each([
  [{}, /\)$/],
  [{ runs_in_a_row: 3 }, /\), for 3 runs in a row$/],
])('a regression says for how many runs it has been known: %j', (since, how) => {
  const cell = aReportCell({ verdict: 'fail', class: 'not_json', standing: 'regression', ...since });
  expect(deviationView({ kind: 'regression', model: cell.model, cell }).what).toMatch(how);
});
