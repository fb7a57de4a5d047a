import { describe, expect, test } from 'vitest';
import { aReport, aReportModel } from '../../test/support/build.js';
import { withoutKeyLike } from '../config/secrets.js';
import type { JsonObject } from '../json/json.js';
import type { CapabilityVerdict, Report } from '../matrix/report-format.js';
import { compareShapes, type ShapeChange } from './compare-shapes.js';
import { saidByRun, saidLines } from './said-by-run.js';
import { shapeOf } from './shape-of.js';

/** Whatever an application newly sends, the run says something of it: nothing passes in silence. */

const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] };
const tools = (more: JsonObject = {}) => ({
  tools: [{ type: 'function', function: { name: 'a', parameters: { ...schema, ...more } } }],
});
const sent = (body: JsonObject, headers: Readonly<Record<string, string>> = {}, path = '/v1/chat/completions') =>
  shapeOf(
    { method: 'POST', url: path, headers, body: { messages: [{ role: 'user', content: 'a' }], ...body } },
    withoutKeyLike,
  );

function changeOf(before: Parameters<typeof sent>, after: Parameters<typeof sent>): ShapeChange {
  const change = compareShapes([sent(...before)], [sent(...after)]).find(({ kind }) => kind !== 'vanished');
  if (change === undefined) throw new Error('nothing changed');
  return change;
}

const rows: readonly (readonly [before: JsonObject, after: JsonObject, asked: string, others?: string])[] = [
  [{ max_tokens: 5 }, { max_completion_tokens: 5 }, '', 'max_completion_tokens'],
  [{}, { seed: 1, stop: ['END'] }, '', 'seed, stop'],
  [{ stop: 'END' }, { stop: ['END'] }, '', 'stop'],
  [{}, { messages: [{ role: 'developer', content: 'a' }] }, '', 'messages/0/role'],
  [{}, { response_format: { type: 'json_object' } }, 'json_object'],
  [{}, { response_format: { type: 'text' } }, '', 'response_format'],
  [{}, { stream: true }, 'stream.chat'],
  [{}, { thinking: { type: 'disabled' } }, 'thinking.disabled'],
  [{ reasoning_effort: 'low' }, { reasoning_effort: 'high' }, 'reasoning_effort.high'],
  [
    { ...tools(), tool_choice: 'required' },
    { ...tools(), tool_choice: { type: 'function', function: { name: 'a' } } },
    'tool_choice.object',
  ],
];

const changed = rows.map(([before, after, asked, others = '']) => [before, after, asked, others] as const);

const models = ['demo/a', 'demo/b'].map((id) => aReportModel(id));
const run = (capabilities: Readonly<Record<string, CapabilityVerdict>>): Report =>
  aReport({
    models,
    capabilities: Object.entries(capabilities).flatMap(([capability, verdict]) =>
      models.map(({ id: model }) => ({ capability, model, verdict, condition: null, cells: [] }) as never),
    ),
  });
const lines = (change: ShapeChange, report: Report) =>
  saidLines(saidByRun(change, report, [])).map((line) => line.trim());

test.each(changed)('a run that did not ask for it: from %j to %j', (before, after, asked, others) => {
  const unasked = asked === '' ? [] : [`? not known: ${asked}: no cell of the run asked for it`];
  const unknown = others === '' ? [] : [`? not known: ${others}: no probe asks this; add one with shapes to-suite`];
  expect(lines(changeOf([before], [after]), run({}))).toEqual([...unasked, ...unknown]);
});

describe.each(changed.filter(([, , asked]) => asked !== ''))('from %j to %j', (before, after, asked) => {
  test.each<[CapabilityVerdict, string]>([
    ['pass', `= supported by demo/a, demo/b: ${asked}`],
    ['fail', `${asked}: demo/b cannot do that`],
    ['flaky', `${asked}: demo/b does that only sometimes`],
    ['partial', `${asked}: demo/b does that in part`],
    ['inconclusive', `? not known of demo/b: ${asked}: none of the cells that asked for it could be judged`],
  ])('a run in which it is %s', (verdict, said) => {
    expect(lines(changeOf([before], [after]), run({ [asked]: verdict })).join('\n')).toContain(said);
  });
});

test('a schema that changed concerns every keyword of it', () => {
  const said = lines(changeOf([tools()], [tools({ minProperties: 1 })]), run({ 'tool_schema.minProperties': 'fail' }));
  expect(said[0]).toBe('! now needs tool_schema.minProperties: demo/a cannot do that');
  for (const keyword of ['properties', 'type', 'required']) expect(said.at(-1)).toContain(`tool_schema.${keyword}`);
});

test('a header, a call that is new, and one that is no chat completion', () => {
  const all = run({ chat: 'pass', 'stream.chat': 'pass', tools: 'pass' });
  expect(lines(changeOf([{}], [{}, { accept: 'text/plain' }]), all)).toEqual([
    '? not known: headers/accept: no probe asks this; add one with shapes to-suite',
  ]);
  const fresh = compareShapes([], [sent({ stream: true, seed: 1 })])[0]!;
  expect(lines(fresh, all)).toEqual([
    '= supported by demo/a, demo/b: chat, stream.chat',
    '? not known: seed: no probe asks this; add one with shapes to-suite',
  ]);
  const other = compareShapes([], [sent({ input: 'a' }, {}, '/v1/embeddings')])[0]!;
  expect(lines(other, all)).toEqual([
    '? not known: POST /embeddings: no probe asks this; add one with shapes to-suite',
  ]);
});

test('what is not sent any more, and another version of a library, need nothing', () => {
  expect(lines(changeOf([{ seed: 1 }], [{}]), run({}))).toEqual([]);
  const [gone] = compareShapes([sent({})], []);
  expect(lines(gone!, run({}))).toEqual([]);
  expect(lines({ kind: 'library', name: 'a', before: '1', after: '2' }, run({}))).toEqual([]);
});
