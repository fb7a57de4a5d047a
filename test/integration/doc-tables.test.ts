import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { expect, test } from 'vitest';
import { defaultTest, sequentialTestState } from '../../src/stats/sequential-test.js';
import { wilson } from '../../src/stats/count.js';
import { projectFolder, textOf } from '../support/documents.js';

/** The tables of docs/trials.md say what the program reckons with; `vitest -u` writes them anew. */

const page = 'docs/trials.md';
const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
const withoutZeros = (share: number): string => percent(share).replace('.0 %', ' %');

const missed = [
  [1, 100],
  [1, 50],
  [1, 20],
  [1, 10],
  [3, 10],
].map(([failures = 0, of = 1]) => [
  `${failures} in ${of}`,
  ...[1, 10, 30, 60].map((trials) => percent((1 - failures / of) ** trials)),
]);

const intervals = [
  [1, 1],
  [3, 3],
  [10, 10],
  [30, 30],
  [9, 10],
  [0, 2],
  [0, 10],
].map(([passed = 0, of = 1]) => [`${passed}`, `${of}`, wilson(passed, of).map(withoutZeros).join(' to ')]);

/** What the test does at a true pass rate, by the probabilities of all its courses. */
function courseAt(rate: number) {
  let open = new Map([[0, 1]]);
  const ends = { reliable: 0, broken: 0 };
  let trials = 0;
  for (let asked = 0; asked < defaultTest.max; asked += 1) {
    const next = new Map<number, number>();
    for (const [passed, share] of open) {
      trials += share;
      for (const [more, chance] of [
        [1, rate],
        [0, 1 - rate],
      ] as const) {
        const state = sequentialTestState(defaultTest, passed + more, asked + 1 - passed - more);
        if (state === 'open') {
          next.set(passed + more, (next.get(passed + more) ?? 0) + share * chance);
        } else {
          ends[state] += share * chance;
        }
      }
    }
    open = next;
  }
  const left = [...open.values()].reduce((sum, share) => sum + share, 0);
  return [rate.toFixed(2), trials.toFixed(1), percent(ends.reliable), percent(ends.broken), percent(left)];
}

const courses = [1, 0.99, 0.95, 0.9, 0.8, 0.7, 0.5].map(courseAt);

const tables = { 'the model fails': missed, passed: intervals, 'true pass rate': courses };

test('the tables are what the program reckons with', async () => {
  let text = textOf(page);
  for (const [head, rows] of Object.entries(tables)) {
    const table = new RegExp(`(^\\| ${head} +\\|.*\\n\\|[- |]+\\n)(?:\\|.*\\n)*`, 'm');
    expect(text).toMatch(table);
    text = text.replace(table, `$1${rows.map((row) => `| ${row.join(' | ')} |\n`).join('')}`);
  }
  const file = join(projectFolder, page);
  await expect(await format(text, { ...(await resolveConfig(file)), filepath: file })).toMatchFileSnapshot(file);
});
