import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { casesOf } from './junit.js';
import { ended as endOf, project, type Ended, type Project } from './program.js';

/** A first run of built-in suites, without a baseline, against models that each break in a way of their own. */

const models = [
  ...['sim-reference', 'sim-object-500', 'sim-object-400-thinking', 'sim-rf-empty', 'sim-rf-prose'],
  ...['sim-schema-only', 'sim-budget', 'sim-wobbly', 'sim-json-word', 'sim-call-as-text'],
];
const asked = [
  ...['quick-start/plain', 'json-schema/*e', 'json-object/task', 'tools/create-order', 'tools/named-tool'],
  ...['tool-choice/order', 'json-word/*', 'budget/json-schema', 'conflict/strict', 'streaming/json-schema'],
  ...['streaming/tools', 'thinking/json-schema', 'flow/*'],
];
const settings = '{ default: ~, enabled: { thinking: { type: enabled } }, disabled: { thinking: { type: disabled } } }';
const golden = (name: string): string => `goldens/first-night/${name}.txt`;

let night: Project;
let ended: Ended;
let report: facts.Report;
beforeAll(async () => {
  night = await project({
    'chatspec.yaml': `targets:
  demo:
    base_url: simulator
    settings: { thinking: ${settings} }
    models: [${models.join(', ')}]
baseline: baseline.yaml
`,
  });
  ended = await endOf(night.start(['run', '--seed', '7', '--out', 'first', '--only', asked.join(',')]));
  report = await night.json('first/report.json');
});

describe('the report of a first night', () => {
  test('ends with 1, because new cells do not pass', () => {
    expect(ended.code).toBe(1);
  });

  test('holds the facts of the run', () => {
    expect(report).toMatchObject({
      format: 'chatspec-report/1',
      run: { complete: true, profile: 'standard', seed: 7, cost: null, tool: { name: 'chatspec' } },
    });
    const { digests, usage, requests } = report.run;
    expect(Object.keys(digests).sort()).toEqual(['config', 'schemas', 'suites']);
    expect(usage['total_tokens']).toBe(usage['prompt_tokens']! + usage['completion_tokens']!);
    expect(usage['reasoning_tokens']).toBeGreaterThan(0);
    expect(requests).toBeGreaterThanOrEqual(report.cells.reduce((sum, { trials }) => sum + trials.total, 0));
  });

  test.each([
    ['cells', facts.cellTable],
    ['models', facts.modelTable],
    ['capabilities', facts.capabilityTable],
    ['behaviours', facts.behaviourTable],
    ['recommendations', facts.recommendationTable],
  ])('%s', async (name, tableOf) => {
    await expect(tableOf(report)).toMatchFileSnapshot(golden(name));
  });

  test('wire', async () => {
    const seen = report.wire.map(({ model, quirk }) => [model, quirk]).sort();
    await expect(facts.table(['model', 'quirk'], seen)).toMatchFileSnapshot(golden('wire'));
  });

  test('behaviours and capabilities name cells of the report', () => {
    const keys = new Set(report.cells.map(({ key }) => key));
    for (const { cells } of [...report.behaviours, ...report.capabilities]) {
      expect(cells.length).toBeGreaterThan(0);
      expect(cells.filter((key) => !keys.has(key))).toEqual([]);
    }
  });

  test('trials, interval and exchanges of a cell agree', () => {
    const exchanges = new Set<string>();
    for (const { verdict, trials, exchanges: own, key } of report.cells) {
      const { total, passed, interval } = trials as typeof trials & { interval: [number, number] };
      const rate = total === 0 ? 0 : passed / total;
      expect(interval[0] <= rate && rate <= interval[1], key).toBe(true);
      if (verdict === 'flaky') expect(passed > 0 && passed < total, key).toBe(true);
      expect(own.length >= total, key).toBe(true);
      for (const id of own) exchanges.add(id);
    }
    expect(exchanges.size).toBe(report.cells.reduce((sum, { exchanges: own }) => sum + own.length, 0));
  });
});

describe('the other files of the run folder', () => {
  test('are those of the contract, and the newest run is found as latest', async () => {
    const names = await readdir(join(night.folder, 'first'));
    const promised = ['capabilities.json', 'failures.jsonl', 'index.html', 'journal.jsonl', 'junit.xml'];
    expect(names).toEqual(expect.arrayContaining([...promised, 'report.json', 'report.md']));
    expect(await night.json<facts.Report>('reports/latest/report.json')).toEqual(report);
  });

  test('junit.xml has a case a cell: a failure where it deviates, skipped where it was blocked', async () => {
    const cases = casesOf(await night.read('first/junit.xml'), report.cells);
    const outcome = ({ verdict }: facts.Cell) => ({ pass: 'passed', blocked: 'skipped' })[verdict] ?? 'failure';
    expect(new Map(cases)).toEqual(new Map(report.cells.map((cell) => [cell.key, outcome(cell)])));
    expect(cases).toHaveLength(report.cells.length);
  });

  test('failures.jsonl has a line a failing trial, in the names of the specification', async () => {
    const failures = facts.linesOf<Record<string, unknown>>(await night.read('first/failures.jsonl'));
    const failed = new Map<string, number>();
    for (const { cell } of failures) failed.set(String(cell), (failed.get(String(cell)) ?? 0) + 1);
    const inReport = report.cells.map(({ key, trials }) => [key, trials.total - trials.passed] as const);
    expect(failed).toEqual(new Map(inReport.filter(([, number]) => number > 0)));

    const worthLogging = [
      ...[
        'model',
        'request_path',
        'request_time',
        'schema_version',
        'http_status',
        'traceresponse',
        'id',
        'request_id',
      ],
      ...['finish_reason', 'usage', 'validation_errors', 'stream', 'thinking', 'reasoning_effort', 'max_tokens'],
      'temperature',
    ];
    for (const line of failures) expect(Object.keys(line)).toEqual(expect.arrayContaining(worthLogging));
    const firsts = [...failed.keys()].sort().map((key) => failures.find(({ cell }) => cell === key)!);
    const table = facts.table(
      ['cell', 'class', 'reason', 'http_status', 'finish_reason', 'stream', 'thinking', 'max_tokens'],
      firsts.map((line) => [
        ...['cell', 'class', 'reason', 'http_status', 'finish_reason', 'stream'].map((name) => line[name] as string),
        (line['thinking'] as { type: string | null }).type,
        line['max_tokens'] as number | null,
      ]),
    );
    await expect(table).toMatchFileSnapshot(golden('failures'));
  });

  test('a schema has one version in all logs: its name and the digest of its canonical JSON', async () => {
    const failures = facts.linesOf<{ cell: string; schema_version: string | null }>(
      await night.read('first/failures.jsonl'),
    );
    const ofInvoice = failures.filter(({ cell }) => cell.startsWith('json-schema/invoice'));
    const versions = new Set(ofInvoice.map(({ schema_version }) => schema_version));
    expect(ofInvoice.length).toBeGreaterThan(1);
    expect([...versions]).toEqual([expect.stringMatching(/^invoice sha256:[\da-f]{64}$/)]);
  });

  test('capabilities.json says of each need what the report recommends, with its evidence', async () => {
    const map =
      await night.json<Readonly<Record<'needs', readonly Readonly<Record<string, unknown>>[]>>>(
        'first/capabilities.json',
      );
    const form = (one: Readonly<Record<string, unknown>>) => [one['model'], one['need'], one['form'], one['settings']];
    expect(map.needs.map(form)).toEqual(report.recommendations.map((one) => form({ ...one })));
    for (const need of map.needs) {
      expect(need['supported']).toBe(need['form'] !== null);
      expect(new Date(String(need['expires'])) > new Date(String(need['date']))).toBe(true);
    }
    const supported = map.needs.filter((need) => need['supported'] === true);
    for (const { interval, evidence, caveats } of supported) {
      expect([interval, evidence, caveats]).toEqual([
        [expect.any(Number), expect.any(Number)],
        expect.stringMatching(/\S/),
        expect.any(Array),
      ]);
    }
  });

  test('journal.jsonl begins with the start and ends with the end of the run', async () => {
    const events = facts.linesOf<{ type: string; cell?: string | null }>(await night.read('first/journal.jsonl'));
    expect([events[0]!.type, events.at(-1)!.type]).toEqual(['run_started', 'run_finished']);
    expect(events.filter(({ type }) => type === 'exchange')).toHaveLength(report.run.requests);
  });
});
