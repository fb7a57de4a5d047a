import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomFrom } from '../../../test/support/random.js';
import { aReportCell } from '../../../test/support/build.js';
import { readingsOf } from '../../../test/support/read-condition.js';
import type { Labels } from './labelled.js';
import { conditionOf } from './condition.js';

const axes = {
  form: ['string', 'object', 'tool', 'named'],
  thinking: ['default', 'enabled', 'high', 'disabled'],
  stream: ['off', 'on'],
} as const;
type Axis = keyof typeof axes;
const names = Object.keys(axes) as Axis[];
type Where = readonly (readonly [Axis, readonly string[]])[];

const product = names.reduce<Labels[]>(
  (rows, axis) => rows.flatMap((row) => axes[axis].map((label) => ({ ...row, [axis]: label }))),
  [{}],
);
const listOf = (axis: Axis) =>
  fc.subarray([...axes[axis]], { minLength: 1, maxLength: axes[axis].length - 1 }).map((list) => [axis, list] as const);
const three: fc.Arbitrary<Where> = fc.tuple(...names.map(listOf));
const one: fc.Arbitrary<Where> = fc.constantFrom(...names).chain((axis) => fc.tuple(listOf(axis)));

const failsIn = (modes: readonly Where[], labels: Labels): boolean =>
  modes.some((where) => where.every(([axis, list]) => list.includes(labels[axis] ?? '')));

function conditionFor(modes: readonly Where[], asked: readonly Labels[]) {
  const cells = asked.map((point) => {
    const fails = failsIn(modes, point);
    return aReportCell({ point, verdict: fails ? 'fail' : 'pass', trials: { passed: fails ? 0 : 10, total: 10 } });
  });
  const further = product
    .filter((point) => !asked.includes(point))
    .map((point) => ({ suite: 'suite', probe: 'probe', point }));
  return conditionOf(cells, { further: () => further });
}

describe('lists of labels of three axes that only fail together', () => {
  test('are named as one clause', () => {
    const where: Where = [
      ['form', ['object', 'named']],
      ['thinking', ['enabled', 'high']],
      ['stream', ['on']],
    ];
    expect(conditionFor([where], product)?.text).toBe(
      'not with form: object, named and thinking: enabled, high and stream=on together',
    );
  });

  test('are found among all points, whatever the lists and beside what else fails', () => {
    fc.assert(
      fc.property(three, fc.option(one), (lists, other) => {
        const modes = [lists, ...(other === null ? [] : [other])];
        fc.pre(product.some((point) => !failsIn(modes, point)));
        const text = conditionFor(modes, product)?.text;
        const [read] = readingsOf(text ?? '');
        for (const labels of product) {
          const said = read?.({ probe: 'suite/probe', labels }, true);
          expect({ text, labels, said }).toEqual({
            ...{ text, labels },
            said: failsIn(modes, labels) ? 'does not pass' : 'passes',
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('say little that is false of points that were not asked', () => {
    const found = { said: 0, wrong: 0, conditions: 0 };
    fc.assert(
      fc.property(three, fc.noBias(fc.nat()), (lists, seed) => {
        const random = randomFrom(seed);
        const asked = product.filter(() => random() < 0.7);
        const text = conditionFor([lists], asked)?.text;
        if (text === undefined) return;
        found.conditions += 1;
        for (const open of (text.split('; not known with ')[1] ?? '').split(' and not known with '))
          expect(open.includes(': ') && open.split(' and ').length > 2 ? open : 'easy to read').toBe('easy to read');
        for (const labels of product.filter((point) => !asked.includes(point))) {
          const said = readingsOf(text)[0]?.({ probe: 'suite/probe', labels }, false);
          if (said === 'not known') continue;
          found.said += 1;
          if ((said === 'passes') === failsIn([lists], labels)) found.wrong += 1;
        }
      }),
      { numRuns: 100, seed: 5 },
    );

    expect(found.conditions).toBeGreaterThan(40);
    expect(found.said).toBeGreaterThan(100);
    // Two axes explain a single failure as well as three do, and no further point is asked here.
    expect(found.wrong / found.said).toBeLessThan(0.06);
  });
});
