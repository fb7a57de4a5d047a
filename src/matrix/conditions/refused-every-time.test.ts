import { expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import type { CellFailure } from '../report-format.js';
import { conditionOf } from './condition.js';
import { refusalsIn } from './refused-every-time.js';

const error = { class: 'http_error', reason: 'server_error', status: 500 } as const;
const wrong = { class: 'not_json', reason: null, status: null } as const;

const failure = (how: typeof error | typeof wrong): CellFailure => ({
  ...{ ...how, detail: null, step: null, violations: [], exchange: null, exchanges: [] },
  ...{ traceresponse: null, response_id: null },
});
const refused = aReportCell({ point: { a: 'x' }, verdict: 'fail', trials: { passed: 0, total: 3 }, ...error });
const passing = aReportCell({ point: { a: 'y' } });
const mixed = { ...refused, failures: [failure(error), failure(wrong)] };

test.each([
  ['an error that nothing contradicts', refused, [], true],
  ['a wrong answer', { ...refused, ...wrong }, [], false],
  ['an error that another cell of the model has at times', refused, [{ verdict: 'flaky', ...error }], false],
  [
    'an error that another cell has at times, but less often than a wrong answer',
    refused,
    [{ verdict: 'flaky', ...wrong, failures: [failure(wrong), failure(error)] }],
    false,
  ],
  ['another error', refused, [{ verdict: 'flaky', ...error, status: 502 }], true],
  ['an error that another cell has every time', refused, [{ verdict: 'fail', ...error }], true],
  ['a cell that is answered at times', mixed, [], false],
] as const)('refused every time: %s', (_, cell, others, expected) => {
  const ofModel = [cell, ...others.map((other) => aReportCell({ probe: 'other', ...other }))];
  expect(refusalsIn(ofModel)(cell)).toBe(expected);
});

test('one pass beside a 500 that comes and goes in another capability may be luck', () => {
  const flaky = aReportCell({ probe: 'other', verdict: 'flaky', ...error });
  const said = (ofModel: readonly (typeof flaky)[]) => conditionOf([refused, passing], { ofModel })?.text;
  expect(said([refused, passing])).toBe('only with a=y');
  expect(said([refused, passing, flaky])).toBe('not with a=x; not known with a=y');
});

test('a condition says how often requests passed of which it says nothing', () => {
  const flaky = aReportCell({ probe: 'other', verdict: 'flaky', ...error });
  const told = (ofModel: readonly (typeof flaky)[]) => conditionOf([refused, passing], { ofModel })?.notKnown;
  expect(told([refused, passing])).toBeNull();
  const { passed, total } = passing.trials;
  expect(told([refused, passing, flaky])).toEqual({ passed, total });
});
