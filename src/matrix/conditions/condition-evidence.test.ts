import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomFrom } from '../../../test/support/random.js';
import { aReportCell } from '../../../test/support/build.js';
import { readingsOf } from '../../../test/support/read-condition.js';
import { defaultTest, stateOf } from '../../stats/sequential-test.js';
import type { ReportCell } from '../report-format.js';
import { conditionOf } from './condition.js';

type Labels = Readonly<Record<string, string>>;

const axes = {
  form: ['string', 'object', 'tool'],
  thinking: ['default', 'enabled', 'disabled'],
  stream: ['off', 'on'],
} as const;
type Axis = keyof typeof axes;
const names = Object.keys(axes) as Axis[];

const label = (axis: Axis) => fc.tuple(fc.constant(axis), fc.subarray([...axes[axis]], { minLength: 1 }));
const mode = fc.record({
  where: fc
    .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    .chain((on) => fc.tuple(...on.map(label))),
  rate: fc.constantFrom(1, 1, 0.6, 0.3, 0.1),
});
interface Mode {
  readonly where: readonly (readonly [Axis, readonly string[]])[];
  readonly rate: number;
  readonly isError?: boolean;
}
/** Models whose requests fail at random, and probes that have some of the axes and are asked once to three times a cell. */
const worldOf = (modes: fc.Arbitrary<readonly Mode[]>) =>
  fc.record({
    modes,
    probes: fc.array(fc.record({ on: fc.subarray(names), trials: fc.constantFrom(1, 1, 3, 10) }), {
      minLength: 1,
      maxLength: 3,
    }),
    seed: fc.noBias(fc.integer({ min: 0, max: 2 ** 31 })),
  });
type World = ReturnType<typeof worldOf> extends fc.Arbitrary<infer W> ? W : never;

const wrongAnswers = fc.array(mode, { minLength: 1, maxLength: 2 });
/** A single cause, which a repeated 500 may show; where it comes and goes, another cell of the model shows that it does. */
const oneCause = fc.tuple(mode, fc.boolean()).map(([one, isError]): readonly Mode[] => [{ ...one, isError }]);
const error = { class: 'http_error', reason: 'server_error', status: 500 } as const;
const elsewhere = ({ modes }: World): ReportCell[] =>
  modes.some(({ isError, rate }) => isError === true && rate < 1)
    ? [aReportCell({ verdict: 'flaky', trials: { passed: 5, total: 10 }, ...error })]
    : [];

interface Known {
  readonly cell: ReportCell;
  readonly rate: number;
}

function productOf(on: readonly Axis[]): Labels[] {
  return on.reduce<Labels[]>(
    (rows, axis) => rows.flatMap((row) => axes[axis].map((name) => ({ ...row, [axis]: name }))),
    [{}],
  );
}

/** Cells as a run asks them: a first sample, and after a failure as many trials more as it takes to be sure. */
function knownIn({ modes, probes, seed }: World): Known[] {
  const random = randomFrom(seed);
  return probes.flatMap(({ on, trials }, index) =>
    productOf(on).map((point) => {
      const rate = modes
        .filter(({ where }) => where.every(([axis, bad]) => bad.includes(point[axis] ?? axes[axis][0])))
        .reduce((all, one) => all * (1 - one.rate), 1);
      let [passed, total] = [0, 0];
      while (
        total < trials ||
        (passed < total && total < 40 && stateOf(defaultTest, passed, total - passed) === 'open')
      ) {
        total += 1;
        if (random() < rate) passed += 1;
      }
      const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
      const how = verdict !== 'pass' && modes.some(({ isError }) => isError === true) && error;
      return { rate, cell: aReportCell({ probe: `p${index}`, point, verdict, trials: { passed, total }, ...how }) };
    }),
  );
}

test.each([
  ['one or two kinds of wrong answers', wrongAnswers],
  ['a single cause, wrong answers or errors', oneCause],
])(
  'no condition contradicts a verdict of its run, and hardly any is false of a cell that was asked: %s',
  (_, modes) => {
    const found = { claims: 0, conditions: 0, wrong: [] as string[] };
    fc.assert(
      fc.property(worldOf(modes), (made) => {
        const known = knownIn(made);
        const cells = known.map(({ cell }) => cell);
        const condition = conditionOf(cells, { ofModel: [...cells, ...elsewhere(made)] });
        if (condition === null) return;
        found.conditions += 1;
        const readings = readingsOf(condition.text);
        expect({ text: condition.text, readings: readings.length }).toEqual({ text: condition.text, readings: 1 });
        for (const { cell, rate } of known) {
          const { suite, probe, point, verdict } = cell;
          const said = readings[0]?.({ probe: `${suite}/${probe}`, labels: point }, true);
          if (said === 'not known') continue;
          found.claims += 1;
          const { text } = condition;
          if (verdict === 'pass') expect({ text, point, said }).toEqual({ text, point, said: 'passes' });
          if (verdict === 'fail') expect({ text, point, said }).toEqual({ text, point, said: 'does not pass' });
          const isWrong = said === 'passes' ? rate < 0.7 - 1e-9 : rate >= 0.95;
          if (isWrong) found.wrong.push(`${text}: ${JSON.stringify(point)} of ${probe} passes at ${rate}`);
        }
      }),
      { numRuns: 500, seed: 7, endOnFailure: true },
    );
    expect(found.conditions).toBeGreaterThan(100);
    expect(found.claims).toBeGreaterThan(1500);
    // In so many worlds, some passes are luck that nobody could see through.
    expect(found.wrong.slice(Math.floor(0.001 * found.claims))).toEqual([]);
  },
  60_000,
);
