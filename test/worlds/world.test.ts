import { beforeAll, describe, expect, test } from 'vitest';
import { generateWorld } from './composed/generate.js';
import { runNight, worldSuites, type Night } from './composed/run-world.js';
import { situationAt } from './composed/situation.js';
import { conditionsAsked, conditionsUnasked, interactionsNamed } from './composed/score/conditions.js';
import { counts } from './composed/score/counts.js';
import { intervals } from './composed/score/intervals.js';
import { plainCells } from './composed/score/plain-cells.js';
import { contradictions, recommendations } from './composed/score/recommendations.js';
import { requests } from './composed/score/requests.js';
import { mistakeLine } from './composed/score/score.js';
import { classes, verdicts } from './composed/score/verdicts.js';

/** Six models that misbehave in several ways at once; the seed was chosen because they do so in most of the ways there are. */
const models = generateWorld(3548, 6);

describe('a night of composed models', () => {
  let night: Night;
  beforeAll(async () => {
    night = await runNight(models, await worldSuites());
  });

  test.each(Object.entries({ verdicts, classes, counts }))('has right %s', (_subject, scorer) => {
    const { right, examples } = scorer(night);
    expect(examples.map(mistakeLine)).toEqual([]);
    expect(right).toBeGreaterThan(50);
  });

  test.each(Object.entries({ recommendations, contradictions }))('advises well: %s', (_subject, scorer) => {
    const { right, examples } = scorer(night);
    expect(examples.map(mistakeLine)).toEqual([]);
    expect(right).toBeGreaterThan(20);
  });

  test.each([
    { claim: 'are false of no judged point', scorer: conditionsAsked, mostWrong: 0, atLeast: 300 },
    { claim: 'are false of hardly any other point', scorer: conditionsUnasked, mostWrong: 0.03, atLeast: 100 },
    { claim: 'name the axes that fail only together', scorer: interactionsNamed, mostWrong: 0.03, atLeast: 2 },
  ])('has conditions that $claim', ({ scorer, mostWrong, atLeast }) => {
    const { right, wrong, examples } = scorer(night);
    expect(examples.slice(Math.floor(mostWrong * (right + wrong))).map(mistakeLine)).toEqual([]);
    expect(right).toBeGreaterThanOrEqual(atLeast);
  });

  test('has intervals that cover the truth as often as they should', () => {
    const { right, wrong } = intervals(night);
    expect(right / (right + wrong)).toBeGreaterThan(0.95);
  });

  test('has the situations that the labels of its cells name', () => {
    for (const { cell, model, trials } of plainCells(night)) {
      for (const { situation } of trials) expect(situationAt(situation, cell.point, model)).toEqual(situation);
    }
  });

  test('spends few requests where the truth is plain', () => {
    const [passing, , failing] = Object.values(requests(night).figures ?? {});
    expect(passing!.sum / passing!.of).toBeLessThanOrEqual(passing!.most);
    expect(failing!.sum / failing!.of).toBeLessThanOrEqual(failing!.most);
  });
});
