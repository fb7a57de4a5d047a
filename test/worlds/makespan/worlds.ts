import { randomFrom } from '../../support/random.js';
import { minuteWorlds } from './minute-worlds.js';
import { certified, fixed, one, spread } from './specs.js';
import { worldOf, type CellSpec, type ModelSpec, type World } from './world.js';

const models = 20;

/** From 50 to 2,000 ms, in an order that has nothing to do with speed. */
const latencies = (random: () => number): readonly number[] => spread(random, models, 50, 2000);

/** What a night asks: mostly single trials, some cells after others, flows, one threshold at the end of the file. */
const mixed: readonly CellSpec[] = [
  { name: 'plain', course: 'fixed' },
  ...Array.from({ length: 12 }, (_, index): CellSpec => ({ name: `c${index}`, course: 'fixed', needs: ['plain'] })),
  { name: 'slow', course: 'fixed', trials: 3, slowness: 3 },
  { name: 'flow', course: 'fixed', trials: 2, steps: 3, needs: ['c1'] },
  { name: 'threshold', course: 'find', needs: ['c0'] },
];

/** The worlds of one seed; of twenty models, where their names do not say otherwise. */
export function worlds(seed: number): readonly World[] {
  const random = randomFrom(seed);
  const each = (of: (latency: number, index: number) => ModelSpec): readonly ModelSpec[] => latencies(random).map(of);
  return [
    worldOf(
      'equal latencies, 8 at once',
      one(
        { concurrency: 8 },
        each(() => ({ latency: 500, cells: fixed(10, 3) })),
      ),
    ),
    worldOf(
      'latencies from 50 to 2,000 ms, 8 at once',
      one(
        { concurrency: 8 },
        each((latency) => ({ latency, cells: fixed(10, 3) })),
      ),
    ),
    worldOf(
      'one model has half of the work, 8 at once',
      one(
        { concurrency: 8 },
        [...each((latency) => ({ latency, cells: fixed(3, 3) })), { latency: 1000, cells: fixed(30, 6) }].slice(1),
      ),
    ),
    worldOf(
      'models may be asked 1 to 4 at once, the key 16',
      one(
        { concurrency: 16 },
        each((latency, index) => ({ latency, concurrency: 1 + (index % 4), cells: fixed(8, 3) })),
      ),
    ),
    worldOf(
      'more slots than models, 40 at once',
      one(
        { concurrency: 40 },
        each((latency) => ({ latency, cells: fixed(10, 3) })),
      ),
    ),
    worldOf(
      'a night: needs, flows, a threshold',
      one(
        { concurrency: 8 },
        each((latency) => ({ latency, cells: mixed })),
      ),
    ),
    worldOf(
      'certify: trials until decided',
      one(
        { concurrency: 12 },
        each((latency) => ({ latency, cells: certified })),
      ),
    ),
    worldOf(
      'certify, models may be asked 2 at once',
      one(
        { concurrency: 12 },
        each((latency) => ({ latency, concurrency: 2, cells: certified })),
      ),
    ),
    worldOf(
      '200 requests a minute',
      one(
        { concurrency: 8, requestsPerMinute: 200 },
        each((latency) => ({ latency, cells: fixed(9, 4) })),
      ),
    ),
    worldOf(
      '120,000 tokens a minute',
      one(
        { concurrency: 8, tokensPerMinute: 120_000 },
        each((latency) => ({ latency, cells: fixed(9, 4) })),
      ),
    ),
    worldOf(
      '4 targets share a key, 10 at once, 600 a minute',
      Array.from({ length: 4 }, (_, target) => ({
        ...{ name: `t${target}`, key: 'KEY', limits: { concurrency: 10, requestsPerMinute: 600 } },
        models: latencies(random)
          .slice(0, models / 4)
          .map((latency) => ({ latency, cells: fixed(3 + 8 * target, 3) })),
      })),
    ),
    worldOf(
      '4 keys, each with limits of its own',
      Array.from({ length: 4 }, (_, target) => ({
        ...{ name: `t${target}`, key: `KEY${target}`, limits: { concurrency: 2 + 2 * target } },
        models: latencies(random)
          .slice(0, models / 4)
          .map((latency) => ({ latency, cells: mixed })),
      })),
    ),
    ...minuteWorlds(random),
  ];
}
