import { beforeAll, describe, expect, test } from 'vitest';
import { generateWorld } from '../../bench/world/generate.js';
import { runNight, worldSuites, type Night } from '../../bench/world/run-world.js';
import { counts } from '../../bench/world/score/counts.js';
import { intervals } from '../../bench/world/score/intervals.js';
import { requests } from '../../bench/world/score/requests.js';
import { mistakeLine } from '../../bench/world/score/score.js';
import { classes, verdicts } from '../../bench/world/score/verdicts.js';

/** Six models that misbehave in several ways at once, with a seed on which nothing was tuned. */
const models = generateWorld(610, 6);

describe('a night of composed models', () => {
  let night: Night;
  beforeAll(async () => {
    night = await runNight(models, await worldSuites());
  }, 120_000);

  test.each([verdicts, classes, counts, requests])('is told as it is: $name', (scorer) => {
    const { right, examples } = scorer(night);
    expect(examples.map(mistakeLine)).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });

  test('has intervals that cover the truth as often as they should', () => {
    const { right, wrong } = intervals(night);
    expect(right / (right + wrong)).toBeGreaterThan(0.95);
  });
});
