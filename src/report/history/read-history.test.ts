import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { aReport } from '../../../test/support/build.js';
import { tempFolder } from '../../../test/support/temp-folder.js';
import type { Report } from '../../matrix/report-format.js';
import { answerPaces, historyBefore, readHistory } from './read-history.js';
import { renderSummary } from '../formats/render-summary.js';

const started = (hour: number) => `2026-11-20T${String(hour).padStart(2, '0')}:00:00.000Z`;

function runOf(hour: number, shard?: { readonly index: number; readonly of: number }): Report {
  const report = aReport({});
  return { ...report, run: { ...report.run, id: `run-${hour}`, started_at: started(hour), ...(shard && { shard }) } };
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await tempFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

const exit = { failOn: 'deviation', interrupted: false, maxUnmeasured: 0.1, shard: false } as const;
const summary = (report: Report) => renderSummary(report, { exit, redact: (text) => text });

test('earlier runs come in the order of their time, without those that began later', async () => {
  const folder = await folderWith({
    'b/summary.json': await summary(runOf(2)),
    'a/summary.json': await summary(runOf(3)),
    'c/summary.json': await summary(runOf(1)),
    'd/summary.json': await summary(runOf(9)),
  });
  const { runs, unreadable } = await readHistory(folder, { until: started(4) });
  expect(runs.map((run) => [run.folder, run.run.id, run.exit_code])).toEqual([
    ['c', 'run-1', 0],
    ['b', 'run-2', 0],
    ['a', 'run-3', 0],
  ]);
  expect(unreadable).toEqual([]);
});

test('only the newest are kept, and a run that was judged again counts once', async () => {
  const hours = Array.from({ length: 20 }, (_, hour) => hour);
  const files = await Promise.all(hours.map(async (hour) => [`${hour}/summary.json`, await summary(runOf(hour))]));
  const folder = await folderWith({
    ...(Object.fromEntries(files) as Record<string, string>),
    '19-rejudged/summary.json': await summary(runOf(19)),
  });
  const { runs } = await readHistory(folder, { most: 3 });
  expect(runs.map(({ run }) => run.id)).toEqual(['run-17', 'run-18', 'run-19']);
});

test('a run of a version without summaries is read from its report, without an exit code', async () => {
  const folder = await folderWith({ 'old/report.json': JSON.stringify(runOf(1)) });
  const { runs } = await readHistory(folder);
  expect(runs).toMatchObject([{ folder: 'old', exit_code: null, run: { id: 'run-1' } }]);
});

test('shards, files and folders without a finished run are passed over', async () => {
  const folder = await folderWith({
    'shard/summary.json': await summary(runOf(1, { index: 1, of: 2 })),
    'unfinished/journal.jsonl': '',
    'notes.txt': 'x',
  });
  expect(await readHistory(folder)).toEqual({ from: folder, runs: [], unreadable: [] });
});

test.each([
  ['cut', '{"format":"chatspec-summary/1"'],
  ['another format', '{"format":"chatspec-summary/2"}'],
  ['a list', '[]'],
  ['with a made-up verdict', (await summary(runOf(1))).replace('"cells": {', '"cells": { "x": "<b>", ')],
])('a summary that is %s is named and stops nothing', async (_, text) => {
  const folder = await folderWith({ 'bad/summary.json': text, 'good/summary.json': await summary(runOf(1)) });
  const { runs, unreadable } = await readHistory(folder);
  expect(unreadable).toEqual(['bad']);
  expect(runs.map((run) => run.folder)).toEqual(['good']);
});

test.each([
  ['nights/{stamp}', 'nights/b', ['nights/a'], '../'],
  ['nights/{stamp}/run', 'nights/b/run', ['nights/a/run'], '../../'],
  ['night-{stamp}', 'night-b', ['night-a'], '../'],
  ['nights/{stamp}', 'elsewhere/b', ['nights/a'], '../../nights/'],
  ['one', 'elsewhere/b', [], undefined],
])('earlier runs are found where out puts them: %s', async (out, own, expected, pages) => {
  const before = await summary(runOf(1));
  const folder = await folderWith({
    ...{ 'nights/a/summary.json': before, 'nights/a/run/summary.json': before, 'night-a/summary.json': before },
    ...{ 'elsewhere/a/summary.json': before, 'other/summary.json': before, [`${own}/summary.json`]: before },
  });
  const history = await historyBefore(join(folder, own), started(2), { out: join(folder, out) });
  const paths = history?.runs.map((run) => relative(folder, join(history.from, run.folder))) ?? [];
  expect(paths.filter((path) => path !== own)).toEqual(expected.filter((path) => paths.includes(path)));
  expect(history?.pages).toBe(pages);
  expect(paths.length > 0).toBe(expected.length > 0);
});

test('what an answer takes is the medians of its forms, each weighed by its answers', async () => {
  const base = runOf(1);
  const id = base.models[0]!.id;
  const row = (kind: string, answers: number, p50: number | null) => ({
    ...{ model: id, cost: null, stream: null, first_byte_ms: null, tokens_per_second: null, tokens: null },
    ...{ kind, answers, total_ms: p50 === null ? null : { p50, p95: p50 } },
  });
  const latency = [
    row('text', 3, 1000),
    row('tools', 1, 5000),
    row('thinking.on', 96, 9000),
    row('json_schema', 0, null),
  ];
  const folder = await folderWith({
    'reports/latest/summary.json': await summary({ ...base, latency } as unknown as Report),
  });
  expect([...(await answerPaces({ file: join(folder, 'chatspec.yaml') }))]).toEqual([[id, 2]]);
  expect([...(await answerPaces({ file: join(folder, 'elsewhere', 'chatspec.yaml') }))]).toEqual([]);
});
