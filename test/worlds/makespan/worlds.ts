import { randomFrom } from '../../support/random.js';
import { worldOf, type CellSpec, type ModelSpec, type TargetSpec, type World } from './world.js';

const models = 20;

/** From 50 to 2,000 ms, each longer than the last by the same factor, in an order that has nothing to do with speed. */
const latencies = (random: () => number): readonly number[] =>
  Array.from({ length: models }, (_, index) => ({ latency: 50 * 40 ** (index / (models - 1)), place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ latency }) => latency);

const fixed = (count: number, trials: number): readonly CellSpec[] =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, course: 'fixed', trials }));

const certified: readonly CellSpec[] = [
  ...Array.from({ length: 8 }, (_, index): CellSpec => ({ name: `c${index}`, course: 'decided' })),
  { name: 'flaky', course: 'decided', passes: 0.85 },
  { name: 'threshold', course: 'find', trials: 2 },
];

/** What a night asks: mostly single trials, some cells after others, flows, one threshold at the end of the file. */
const mixed: readonly CellSpec[] = [
  { name: 'plain', course: 'fixed' },
  ...Array.from({ length: 12 }, (_, index): CellSpec => ({ name: `c${index}`, course: 'fixed', needs: ['plain'] })),
  { name: 'slow', course: 'fixed', trials: 3, slowness: 3 },
  { name: 'flow', course: 'fixed', trials: 2, steps: 3, needs: ['c1'] },
  { name: 'threshold', course: 'find', needs: ['c0'] },
];

/** The worlds of one seed, of twenty models. */
export function worlds(seed: number): readonly World[] {
  const random = randomFrom(seed);
  const one = (name: string, limits: TargetSpec['limits'], of: (latency: number, index: number) => ModelSpec): World =>
    worldOf(name, [{ name: 't', key: 'KEY', limits, models: latencies(random).map(of) }]);
  return [
    one('latencies from 50 to 2,000 ms, 8 at once', { concurrency: 8 }, (latency) => ({
      latency,
      cells: fixed(10, 3),
    })),
    one('one model has half of the work, 8 at once', { concurrency: 8 }, (latency, index) =>
      index === 0 ? { latency: 1000, cells: fixed(30, 6) } : { latency, cells: fixed(3, 3) },
    ),
    one('models may be asked 1 to 4 at once, the key 16', { concurrency: 16 }, (latency, index) => ({
      ...{ latency, concurrency: 1 + (index % 4), cells: fixed(8, 3) },
    })),
    one('more slots than models, 40 at once', { concurrency: 40 }, (latency) => ({ latency, cells: fixed(10, 3) })),
    one('a night: needs, flows, a threshold', { concurrency: 8 }, (latency) => ({ latency, cells: mixed })),
    one('certify: trials until decided', { concurrency: 12 }, (latency) => ({ latency, cells: certified })),
    one('200 requests a minute', { concurrency: 8, requestsPerMinute: 200 }, (latency) => ({
      ...{ latency, cells: fixed(9, 4) },
    })),
    one('120,000 tokens a minute', { concurrency: 8, tokensPerMinute: 120_000 }, (latency) => ({
      ...{ latency, cells: fixed(9, 4) },
    })),
    worldOf(
      '4 targets share a key, 10 at once, 600 a minute',
      Array.from({ length: 4 }, (_, target) => ({
        ...{ name: `t${target}`, key: 'KEY', limits: { concurrency: 10, requestsPerMinute: 600 } },
        models: latencies(random)
          .slice(0, models / 4)
          .map((latency) => ({ latency, cells: fixed(3 + 8 * target, 3) })),
      })),
    ),
  ];
}
