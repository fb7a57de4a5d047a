import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ask, jsonSchema, tool, user, type Asked } from '../../../test/support/ask-service.js';
import type { Json, JsonObject } from '../../json/json.js';
import type { Do, When } from '../profiles/profile.js';

const schema = {
  type: 'object',
  properties: {
    who: { type: 'string' },
    total: { type: 'number' },
    unit: { enum: ['A', 'B'] },
    at: { type: 'object', properties: { x: { type: 'integer' } } },
  },
  required: ['who', 'total', 'unit', 'at'],
  additionalProperties: false,
};
const known = '{"who":"Li","total":3,"unit":"A","at":{"x":1}}';
const text: JsonObject = { messages: user('Say "pong"') };
const call: JsonObject = {
  messages: user(`Enter ${known}`),
  tools: [tool('enter', schema), tool('other', { type: 'object' })],
  tool_choice: 'required',
};
const document: JsonObject = { messages: user(`Summarise ${known}`), ...jsonSchema(schema) };
const requests = {
  ...{ text, call, document, nothing: {}, json: { messages: user('as JSON, please') } },
  no_call: { ...call, tool_choice: 'none' },
  named_other: { ...call, tool_choice: { type: 'function', function: { name: 'other' } } },
  ping: {
    messages: user('Ping'),
    tools: [tool('ping', { type: 'object', properties: {} })],
    tool_choice: 'required',
  },
  not_strict: { ...document, ...jsonSchema(schema, 'x', false) },
  named_enum: { ...text, ...jsonSchema({ type: 'object', properties: { enum: { type: 'string' } } }) },
  repeat: { messages: user('Repeat <document>{"a":1}</document>') },
} satisfies Record<string, JsonObject>;
type RequestName = keyof typeof requests;

type Seen = Partial<Pick<Asked, 'content' | 'message' | 'choice' | 'body'>>;
interface Row extends Seen {
  readonly do: Do;
  readonly ask: RequestName;
  readonly call?: object;
  readonly function?: object;
  readonly document?: Json;
  readonly wire?: object;
  readonly headers?: object;
  readonly text?: string;
  readonly without?: readonly string[];
}
type Asking = RequestName | readonly [RequestName, JsonObject];
interface Rows {
  readonly answer: readonly Row[];
  readonly stream: readonly Row[];
  readonly response: readonly Row[];
  readonly broken_documents: readonly { readonly do: Do; readonly document: object; readonly members: number }[];
  readonly conditions: readonly { readonly when: When; readonly meets: Asking; readonly not: Asking }[];
}
const rows = parse(readFileSync(join(import.meta.dirname, '../../../fixtures/simulator/faults.yaml'), 'utf8')) as Rows;

const under = (action: Do, request: JsonObject, when: When = {}): Promise<Asked> =>
  ask(request, { faults: [{ when, do: action }] });

test.each([
  ...rows.answer,
  ...rows.response,
  ...rows.stream.map((row) => ({ ...row, stream: true })),
] as readonly (Row & { readonly stream?: true })[])('$do of $ask', async (row) => {
  const { do: action, ask: name, stream, text: pattern, without = [], document: made, headers, ...seen } = row;
  const asked = await under(action, { ...requests[name], ...(stream && { stream }) });
  const [first] = (asked.message['tool_calls'] ?? []) as readonly JsonObject[];
  expect({ ...asked, function: first?.['function'] }).toMatchObject(seen);
  if (pattern !== undefined) expect(asked.text).toMatch(new RegExp(pattern));
  if (made !== undefined) expect(JSON.parse(asked.content)).toEqual(made);
  if (headers !== undefined) expect(asked.wire.headers).toEqual(headers);
  for (const member of without) expect(asked.message).not.toHaveProperty(member);
});

test.each(rows.broken_documents)('$do', async ({ do: action, document: made, members }) => {
  const content = JSON.parse((await under(action, document)).content) as object;
  for (const broken of [content, (await under(action, call)).call?.arguments as object]) {
    expect(broken).toMatchObject(made);
    expect(Object.keys(broken)).toHaveLength(members);
  }
});

describe('faults in the response', () => {
  test('replay no file from elsewhere', async () => {
    await expect(under({ respond: { replay: '../../../package.json' } }, text)).rejects.toThrow(/outside/);
  });

  test('send any bytes, and oversized bodies', async () => {
    expect((await under({ raw_body: { base64: '//4=' } }, text)).wire.parts).toEqual([Buffer.from([255, 254])]);
    const { wire } = await under({ gzip_bomb_mb: 3 }, text);
    expect(gunzipSync(wire.parts[0] as Uint8Array)).toHaveLength(3 * 2 ** 20);
    expect((wire.parts[0] as Uint8Array).length).toBeLessThan(50_000);
    expect((await under({ endless: true }, { ...text, stream: true })).wire.repeat).toMatchObject({ times: Infinity });
  });

  test('cut and drip', async () => {
    const whole = (await ask(text)).text;
    const half = await under({ reset: 'during_body' }, text);
    expect([half.wire.ending, half.text.length * 2]).toEqual(['reset', whole.length + (whole.length % 2)]);
    const dripped = await under({ drip_ms: 5 }, text);
    expect([dripped.wire.parts.length, dripped.wire.delay.between]).toEqual([Buffer.byteLength(whole), 5]);
  });
});

describe('conditions of a fault', () => {
  const bodyOf = (asking: Asking): JsonObject => {
    const [name, more] = typeof asking === 'string' ? [asking, {}] : asking;
    const merged: JsonObject = { ...requests[name], ...more };
    return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  };

  test.each(rows.conditions)('$when', async ({ when, meets, not }) => {
    const action: Do = { respond: { status: 599 } };
    expect((await under(action, bodyOf(meets), when)).wire.status).toBe(599);
    expect((await under(action, bodyOf(not), when)).wire.status).toBe(200);
  });

  test('authorization', async () => {
    const faults = [{ when: { authorization: 'missing' as const }, do: { respond: { status: 401 } } }];
    expect((await ask(text, { faults })).wire.status).toBe(401);
    expect((await ask(text, { faults }, { authorization: 'Bearer sk-x' })).wire.status).toBe(200);
  });
});
