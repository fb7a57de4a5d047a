import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { aReportCell } from '../../../test/support/build.js';
import type { Behaviour } from '../../suite/probe.js';
import { capabilitiesOf } from '../capabilities.js';
import type { ReportCell } from '../report-format.js';
import { tableIn } from '../../../test/support/cases.js';
import { behaviourCell, behavioursOf } from './behaviours.js';

const folder = new URL('../../../suites/core/', import.meta.url);
const behaviours = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap(
    (name) => (parse(readFileSync(new URL(name, folder), 'utf8')) as { behaviours?: Behaviour[] }).behaviours ?? [],
  )
  .map((one) => ({ ...one, place: { file: 'suite.yaml', line: 1, column: 1 } }));

type Kind = NonNullable<ReportCell['class']>;
type Failure = Partial<Pick<ReportCell, 'class' | 'reason' | 'status' | 'evidence'>>;

/**
 * `SUITE/PROBE` or `SUITE/PROBE[axis=label,...]`, with its capability, its passes of so many trials, and how it fails.
 */
type Told = readonly [path: string, capability: string, passed: number, total: number, fails?: Kind | Failure];

function cellOf([path, capability, passed, total, fails = 'not_json']: Told): ReportCell {
  const [, suite, probe, axes = ''] = /^([^/]+)\/([^[]+)(?:\[(.*)\])?$/.exec(path)!;
  const point: Record<string, string> = Object.fromEntries(
    axes.split(',').flatMap((one) => (one === '' ? [] : [one.split('=') as [string, string]])),
  );
  const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
  const how = typeof fails === 'string' ? { class: fails } : fails;
  const failure = verdict === 'pass' ? {} : { status: 200, ...how };
  return aReportCell({
    ...{ suite: suite!, probe: probe!, point, capability, verdict, trials: { passed, total } },
    ...failure,
  });
}

async function shown(...told: readonly Told[]) {
  const cells = told.map(cellOf);
  const seen = { finding: null, exchanges: [], failures: [], reasoningTookTokens: 0 };
  const found = await behavioursOf({
    ...{ behaviours, model: 'demo/one', cells: cells.map((cell) => behaviourCell(cell, seen)) },
    capabilities: Object.fromEntries(capabilitiesOf(cells).map(({ capability, verdict }) => [capability, verdict])),
  });
  expect(found.problems).toEqual([]);
  return found.behaviours;
}

const ids = async (...told: readonly Told[]) => (await shown(...told)).map(({ id }) => id);
const titles = async (...told: readonly Told[]) => (await shown(...told)).map(({ title }) => title);

describe('the word json', () => {
  const word = (format: string, label: string, passed: number, total: number, fails?: Kind | Failure): Told => [
    `json-word/word[response_format=${format},word=${label}]`,
    ...(fails === undefined ? (['json_word', passed, total] as const) : (['json_word', passed, total, fails] as const)),
  ];
  const others: readonly Told[] = [
    ['json-schema/simple', 'json_schema', 1, 1],
    ['json-schema/invoice', 'json_schema', 1, 1],
    ['json-schema/order-summary', 'json_schema', 1, 1],
    ['json-object/task', 'json_object', 3, 3],
  ];

  test('is not the cause where requests without it fail no more often than chance explains', async () => {
    const fences = [word('json_schema', 'absent', 5, 7), word('json_schema', 'present', 1, 1)];
    expect(await ids(...fences)).toEqual([]);
    expect(await ids(...fences, ['json-schema/invoice', 'json_schema', 25, 33])).toEqual([]);
    expect(await ids(word('json_object', 'absent', 0, 1), word('json_object', 'present', 1, 1))).toEqual([]);
  });

  test('is where they always fail, and all others pass', async () => {
    const prose = ['json_schema', 'json_object'].flatMap((format) => [
      word(format, 'absent', 0, 6),
      word(format, 'present', 1, 1),
    ]);
    expect(await ids(...prose, ...others)).toEqual(['json-word-required']);
    expect(await ids(word('json_object', 'absent', 0, 6), word('json_object', 'present', 3, 3), ...others)).toEqual([
      'json-word-required',
    ]);
    const curt: Failure = { class: 'http_error', reason: 'unknown', status: 400 };
    expect(
      await ids(word('json_object', 'absent', 0, 6, curt), word('json_object', 'present', 3, 3), ...others),
    ).toEqual(['json-word-required']);
  });

  test('is where the service itself names it', async () => {
    const named: Failure = { class: 'http_error', reason: 'json_word_required', status: 400 };
    expect(await ids(word('json_object', 'absent', 0, 1, named), word('json_object', 'present', 1, 1))).toEqual([
      'json-word-required',
    ]);
  });

  test('helps and is no condition where some requests without it pass', async () => {
    const often = [word('json_object', 'absent', 6, 20), word('json_object', 'present', 20, 20)];
    expect(await titles(...often)).toEqual([
      '`response_format` fails more often without the word json in the messages',
    ]);
  });

  test('is weighed over all nights that know of it', async () => {
    const evidence = { known: [15, 21] as const, doubt: [], changed: 1, holds: 1, bound: 1200 };
    const tonight = word('json_object', 'absent', 0, 1, { class: 'not_json', evidence });
    expect(await ids(tonight, word('json_object', 'present', 60, 60))).toEqual(['json-word-required']);
    expect(await ids(tonight, word('json_object', 'present', 6, 6))).toEqual([]);
  });
});

type Count = readonly [passed: number, total: number];

describe('a prompt that contradicts the schema', () => {
  const conflict: Told = ['conflict/strict', 'strict.conflict', 22, 30];

  test('is named with the numbers, where nothing else leaves the schema', async () => {
    expect(await titles(conflict, ['json-schema/simple', 'json_schema', 1, 1])).toEqual([
      'Breaks strict schemas now and then (8 of 30) when the prompt contradicts them',
    ]);
  });

  test('is not where strict output fails as often without a contradiction', async () => {
    expect(await ids(conflict, ['json-schema/invoice', 'json_schema', 5, 7])).toEqual([]);
    expect(await ids(conflict, ['streaming/json-schema', 'stream.json_schema', 5, 7])).toEqual([]);
  });

  // The last characters of 5 to 15 % of all plain answers are cut: [conflict], [schemas], [tools], each passed and
  // total.
  test.each(tableIn('matrix', 'every form fails') as readonly (readonly [Count, Count, Count])[])(
    'is not where every form fails so: %j, %j, %j',
    async ([p, n], [schemas, ofSchemas], [calls, ofCalls]) => {
      const cut: readonly Told[] = [
        ['conflict/strict', 'strict.conflict', p, n],
        ['budget/json-schema[max_tokens=2048]', 'budget.json_schema', schemas, ofSchemas],
        ['tools/create-order', 'tools', calls, ofCalls],
      ];
      expect(await ids(...cut)).toEqual([]);
    },
  );

  test.each([
    ['thinking/json-schema[thinking=enabled]', 'thinking.enabled'],
    ['budget/json-schema[max_tokens=512]', 'budget.json_schema'],
    ['reasoning-effort/json-schema[reasoning_effort=low]', 'reasoning_effort.low'],
    ['json-object/task', 'json_object'],
    ['thinking/tools[tool_choice=required,thinking=enabled]', 'thinking.enabled'],
    ['tool-choice/order[tool_choice=required]', 'tool_choice.required'],
    ['streaming/tools[tool_choice=required]', 'stream.tools'],
  ])('is not where %s fails as often in the same way', async (path, capability) => {
    expect(await ids(conflict, [path, capability, 21, 30])).toEqual([]);
    // A failure of another kind explains nothing.
    expect(await ids(conflict, [path, capability, 21, 30, 'truncated'])).toEqual(['strict-intermittent-on-conflict']);
    const otherFields: Told = ['conflict/strict', 'strict.conflict', 22, 30, 'schema_violation'];
    expect(await ids(otherFields, [path, capability, 21, 30])).toEqual(['strict-intermittent-on-conflict']);
  });

  test('calls that never fail are no excuse for schemas that do', async () => {
    const calls: Told = ['tools/create-order', 'tools', 300, 300];
    expect(await ids(conflict, calls, ['json-schema/invoice', 'json_schema', 21, 30])).toEqual([]);
  });

  test('is where strict output fails far less often without one', async () => {
    expect(
      await ids(['conflict/strict', 'strict.conflict', 6, 30], ['json-schema/invoice', 'json_schema', 38, 40]),
    ).toEqual(['strict-intermittent-on-conflict']);
  });
});

describe('a named function', () => {
  const required: readonly Told[] = [
    ['tool-choice/order[tool_choice=required]', 'tool_choice.required', 1, 1],
    ['tool-choice/greeting', 'tool_choice.required', 2, 2],
    ['tools/create-order', 'tools', 1, 1],
    ['tools/fitting-tool', 'tools.selection', 2, 2],
  ];
  const named = (passed: number, total: number, fails: Kind): Told => [
    'tools/named-tool',
    ...(['tool_choice.object', passed, total, fails] as const),
  ];

  test('is not said to be ignored as under auto, which nobody asked', async () => {
    for (const kind of ['missing_tool_call', 'wrong_function'] as const) {
      expect(await titles(...required, named(0, 6, kind))).toEqual(['A tool named in `tool_choice` is not called']);
    }
  });

  test('is not said to be ignored where calls fail as often under required', async () => {
    const unsteady = required.map(([path, capability]): Told => [path, capability, 5, 7, 'missing_tool_call']);
    expect(await ids(...unsteady.slice(1), named(5, 7, 'missing_tool_call'))).toEqual([]);
    expect(await ids(...required, named(6, 7, 'missing_tool_call'))).toEqual([]);
  });
});

describe('response_format that never gives a document', () => {
  const calls: Told = ['tool-choice/order[tool_choice=required]', 'tool_choice.required', 3, 3];
  const broken = (kind: Kind): readonly Told[] => [
    ['json-schema/simple', 'json_schema', 0, 3, kind],
    ['json-object/task', 'json_object', 0, 3, kind],
  ];

  test.each<[Kind, RegExp]>([
    ['not_json', /the answer does not parse$/],
    ['empty_content', /the answer is empty$/],
  ])('is described by what was seen: %s', async (kind, title) => {
    const [found] = await shown(calls, ...broken(kind));
    expect(found?.title).toMatch(title);
  });

  test('of which some is empty and some no JSON', async () => {
    const [object] = broken('empty_content').slice(1);
    const [schema] = broken('not_json');
    expect(await titles(calls, schema!, object!)).toEqual([
      'With `response_format`, the answer is empty or does not parse',
    ]);
  });
});
