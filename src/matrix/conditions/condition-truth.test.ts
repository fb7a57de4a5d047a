import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { readingsOf } from '../../../test/support/read-condition.js';
import type { ReportCell } from '../report-format.js';
import { conditionOf } from './condition.js';

type Labels = Readonly<Record<string, string>>;

const axes = {
  form: ['string', 'object', 'tool'],
  thinking: ['default', 'enabled', 'high', 'disabled'],
  stream: ['off', 'on'],
  max_tokens: ['256', '512', '1024', '2048', '4096'],
} as const;
type Axis = keyof typeof axes;
const names = Object.keys(axes) as Axis[];

const productOf = (chosen: readonly Axis[]): Labels[] =>
  chosen.reduce<Labels[]>(
    (rows, axis) => rows.flatMap((row) => axes[axis].map((label) => ({ ...row, [axis]: label }))),
    [{}],
  );

/** A failure that needs one, two or three labels, of a set each. */
const mode = fc
  .uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
  .chain((chosen) =>
    fc.tuple(...chosen.map((axis) => fc.tuple(fc.constant(axis), fc.subarray([...axes[axis]], { minLength: 1 })))),
  );
const world = fc.record({
  modes: fc.array(mode, { minLength: 1, maxLength: 3 }),
  probes: fc.array(fc.subarray(names, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  share: fc.constantFrom(0.3, 0.7, 1),
  seed: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
});

type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** @param sure whether each cell has trials enough to leave no doubt; otherwise it has few */
function cellsOf({ modes, probes, share, seed }: World, sure: boolean): ReportCell[] {
  const fails = (labels: Labels): boolean =>
    modes.some((axis) => axis.every(([name, bad]) => (bad as readonly string[]).includes(labels[name] ?? '')));
  return probes.flatMap((chosen, index) =>
    productOf(chosen).map((point): ReportCell => {
      const isAsked = (seed.next().value ?? 0) < share;
      const verdict = isAsked ? (fails(point) ? 'fail' : 'pass') : 'not_run';
      const total = verdict === 'not_run' ? 0 : sure ? 10 : 1;
      return aReportCell({
        ...{ probe: `p${index}`, point, verdict },
        trials: { passed: verdict === 'pass' ? total : 0, total },
      });
    }),
  );
}

describe('the text of a condition, read by its grammar', () => {
  test.each([true, false])(
    'can be read in one way, and is true of every judged cell: well known %s',
    (sure) => {
      let explained = 0;
      fc.assert(
        fc.property(world, (made) => {
          const cells = cellsOf(made, sure);
          const condition = conditionOf(cells);
          if (condition === null) return;
          explained += 1;
          const readings = readingsOf(condition.text);
          expect({ text: condition.text, readings: readings.length }).toEqual({ text: condition.text, readings: 1 });
          for (const { suite, probe, point, verdict } of cells) {
            if (verdict === 'not_run') continue;
            const said = readings[0]?.({ probe: `${suite}/${probe}`, labels: point }, true);
            if (!sure && said === 'not known') continue;
            expect({ text: condition.text, point, said }).toEqual({
              text: condition.text,
              point,
              said: verdict === 'pass' ? 'passes' : 'does not pass',
            });
          }
        }),
        { numRuns: 100 },
      );
      expect(explained).toBeGreaterThan(30);
    },
    60_000,
  );
});
