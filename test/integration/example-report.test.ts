import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Report, RunSummary } from '../../src/index.js';
import { pageDataIn } from '../support/page-data.js';

/** reports/example, as `npm run example` left it. */

const folder = fileURLToPath(new URL('../../reports/example', import.meta.url));
const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
const report = JSON.parse(await text('report.json')) as Report;
const summary = JSON.parse(await text('summary.json')) as RunSummary;
const standings = (model: string): ReadonlySet<string | null> =>
  new Set(report.cells.filter((cell) => cell.model === `gateway/${model}`).map(({ standing }) => standing));

test('a bad night: one model worse, one gone, one better, and something that was not measured', () => {
  expect(summary.exit_code).toBe(1);
  expect(report.models.flatMap(({ id, standing }) => (standing === 'gone' ? id : []))).toEqual(['gateway/ember-old']);
  expect(standings('boreal-2')).toContain('regression');
  expect(standings('atlas-mini')).toContain('improvement');
  expect(standings('atlas-large')).toEqual(new Set(['as_expected']));
  expect(report.cells.flatMap(({ key, unsettled }) => (unsettled ? key : []))).toEqual([
    'conflict/strict@gateway/cobalt-r1',
  ]);
  expect(report.cells.some(({ model, verdict }) => model !== 'gateway/ember-old' && verdict === 'inconclusive')).toBe(
    true,
  );
});

test('a week of history before it, of which the page of each night is linked', async () => {
  const nights = (await readdir(join(folder, 'runs'))).toSorted();
  expect(nights).toEqual(Array.from({ length: 8 }, (_, at) => `2026-11-${17 + at}`));
  const page = await text('index.html');
  for (const night of nights.slice(0, -1)) expect(page).toContain(`href="runs/${night}/index.html"`);
});

test('a check that became worse shows its last good answer beside the one of now', async () => {
  const { cells, texts, exchanges } = pageDataIn(await text('index.html'));
  const cell = cells.find(({ key }) => key === 'json-object/task@gateway/boreal-2');
  const now = exchanges.find(({ id }) => id === cell?.exchanges[0])?.answer;
  expect(cell?.good?.day).toBe('21 Nov');
  expect(texts[cell?.good?.answer ?? -1]).toMatch(/^\{/);
  expect(texts[now ?? -1]).toMatch(/^```json/);
  expect(cells.filter(({ good }) => good !== null).every(({ key }) => key.endsWith('@gateway/boreal-2'))).toBe(true);
});

test('page, text and data say the same', async () => {
  const [page, markdown] = [await text('index.html'), await text('report.md')];
  const shown = pageDataIn(page).cells.map(({ key }) => key);
  expect(shown.toSorted()).toEqual(report.cells.map(({ key }) => key).toSorted());
  const headline = /<h1 id="headline">([^<]+)</.exec(page)?.[1] ?? '';
  expect(headline).not.toBe('');
  expect(markdown).toContain(headline);
  for (const file of [page, markdown]) {
    for (const model of ['ember-old', 'boreal-2', 'atlas-mini']) expect(file).toContain(model);
    expect(file).toContain('since 22 Nov (3 runs)');
  }
});
