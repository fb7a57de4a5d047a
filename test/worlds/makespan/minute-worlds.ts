import { certified, fixed, one, spread } from './specs.js';
import { worldOf, type ModelSpec, type World } from './world.js';

/** Worlds in which limits per minute meet other limits: few slots, few slots of a model, slow or few or many models. */
export function minuteWorlds(random: () => number): readonly World[] {
  const some = (count: number, fastest: number, slowest: number, of: (latency: number) => ModelSpec) =>
    spread(random, count, fastest, slowest).map(of);
  return [
    worldOf(
      '3 targets of 4 models share a key, 6 at once, 300 a minute',
      Array.from({ length: 3 }, (_, target) => ({
        ...{ name: `t${target}`, key: 'KEY', limits: { concurrency: 6, requestsPerMinute: 300 } },
        models: some(4, 80, 1500, (latency) => ({ latency, cells: fixed(4 + 6 * target, 4) })),
      })),
    ),
    worldOf(
      'certify, 120 requests a minute',
      one(
        { concurrency: 8, requestsPerMinute: 120 },
        some(20, 50, 2000, (latency) => ({ latency, cells: certified })),
      ),
    ),
    worldOf(
      'a minute of 480 requests keeps 8 slots busy',
      one(
        { concurrency: 8, requestsPerMinute: 480 },
        some(20, 300, 2000, (latency) => ({ latency, cells: fixed(10, 5) })),
      ),
    ),
    worldOf(
      '5 models, 2 at once each, 240 a minute',
      one(
        { concurrency: 8, requestsPerMinute: 240 },
        some(5, 200, 2000, (latency) => ({ latency, concurrency: 2, cells: fixed(20, 5) })),
      ),
    ),
    worldOf(
      'a slow model is asked 1 at once, 10 others, 300 a minute',
      one({ concurrency: 8, requestsPerMinute: 300 }, [
        ...some(10, 60, 600, (latency) => ({ latency, cells: fixed(20, 5) })),
        { latency: 2200, concurrency: 1, cells: fixed(20, 3) },
      ]),
    ),
    worldOf(
      '6 models of 3 to 20 s, 60 a minute',
      one(
        { concurrency: 20, requestsPerMinute: 60 },
        some(6, 3000, 20_000, (latency) => ({ latency, cells: fixed(10, 4) })),
      ),
    ),
    worldOf(
      '100 models, 40 at once, 1,000 a minute',
      one(
        { concurrency: 40, requestsPerMinute: 1000 },
        some(100, 50, 3000, (latency) => ({ latency, cells: fixed(8, 3) })),
      ),
    ),
    worldOf(
      '12 models with long answers, 1,500,000 tokens a minute',
      one(
        { concurrency: 12, tokensPerMinute: 1_500_000 },
        some(12, 100, 3000, (latency) => ({ latency, cells: fixed(20, 5) })),
      ),
      4000,
    ),
    worldOf(
      'certify, 6 models, 4 at once each',
      one(
        { concurrency: 16 },
        some(6, 300, 2000, (latency) => ({ latency, concurrency: 4, cells: certified })),
      ),
    ),
  ];
}
