import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { generateWorld } from '../../bench/world/generate.js';
import { runNight, worldSuites, type Night } from '../../bench/world/run-world.js';
import { scoreTable, tableHead, tableIn, withTable } from '../../bench/world/score-table.js';
import { situationAt } from '../../bench/world/situation.js';
import { conditionsAsked, conditionsUnasked, interactionsNamed } from '../../bench/world/score/conditions.js';
import { counts } from '../../bench/world/score/counts.js';
import { intervals } from '../../bench/world/score/intervals.js';
import { plainCells } from '../../bench/world/score/plain-cells.js';
import { contradictions, recommendations } from '../../bench/world/score/recommendations.js';
import { requests } from '../../bench/world/score/requests.js';
import { mistakeLine } from '../../bench/world/score/score.js';
import { classes, verdicts } from '../../bench/world/score/verdicts.js';

/** Six models that misbehave in several ways at once; the seed was chosen because they do so in most of the ways there are. */
const models = generateWorld(3548, 6);

describe('a night of composed models', () => {
  let night: Night;
  beforeAll(async () => {
    night = await runNight(models, await worldSuites());
  }, 120_000);

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
    { claim: 'name the axes that fail only together', scorer: interactionsNamed, mostWrong: 0.03, atLeast: 3 },
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

describe('the table of scores', () => {
  const document = readFileSync(new URL('../../docs/how-chatspec-decides.md', import.meta.url), 'utf8');

  test('stands in the document, with a share for each subject', () => {
    const [head = '', , ...rows] = tableIn(document).split('\n\n')[0]!.split('\n');
    expect(head.split('|').flatMap((cell) => cell.trim() || [])).toEqual([...tableHead]);
    for (const row of rows) expect(row).toMatch(/^\|[ a-z,]+(\| [\d,]+ +){2}\| [\d.]+ % +\| (-|\d+ \(\d+\)) +\|$/);
    expect(rows.length).toBeGreaterThan(3);
  });

  test('adds up the seeds, and names the worst', () => {
    const score = (right: number, wrong: number) => ({ subject: 'verdicts', right, wrong, examples: [] });
    const table = scoreTable([
      { seed: 1, scores: [score(99, 1)] },
      { seed: 2, scores: [score(97, 3)] },
    ]);
    expect(table).toContain('| verdicts | 200    | 4     | 98.00 % | 3 (2)      |');
    expect(tableIn(withTable(document, table))).toBe(table);
  });
});
