import { expect, test } from 'vitest';
import { choosing } from '../../src/cli/clients/choose-models.js';
import { answeringService, type ProgramRun } from '../../src/cli/clients/client-program.js';
import { clientTable } from '../../src/clients/client-table.js';
import { requestParts, type RequestKind } from '../../src/clients/request-kind.js';
import { needsOf } from '../../src/clients/request-needed.js';
import type { JsonObject } from '../../src/json/json.js';
import { simulate } from '../../src/simulator/index.js';

/** What `clients try` says that a program's requests lack, over all rows of the table and all kinds of requests. */

const table = clientTable();
const rows = [...Object.entries(table.quirks), ...Object.entries(table.classes)];

const schema = { type: 'object', properties: { buyer: { type: 'string' } }, required: ['buyer'] };
const order = { type: 'function', function: { name: 'create_order', parameters: schema } };
const ping = { type: 'function', function: { name: 'ping', parameters: { type: 'object', properties: {} } } };
const named = { type: 'function', function: { name: 'create_order' } };

const streams: readonly JsonObject[] = [
  {},
  { stream: true },
  { stream: true, stream_options: { include_usage: true } },
];
const forms: readonly JsonObject[] = [
  {},
  { response_format: { type: 'json_object' } },
  { response_format: { type: 'json_schema', json_schema: { name: 'order', schema } } },
];
const tools: readonly JsonObject[] = [
  ...[{}, { tool_choice: 'required' }, { tool_choice: named }].map((choice) => ({ tools: [order], ...choice })),
  { tools: [order], tool_choice: 'required', parallel_tool_calls: false },
  { tools: [ping], tool_choice: 'required' },
];
const bodies = streams.flatMap((stream) => [...forms, ...tools].map((form) => ({ ...stream, ...form })));
const kindOf = (body: JsonObject): RequestKind => requestParts(JSON.stringify(body));
const kinds = bodies.map(kindOf);

const isSame = (one: RequestKind, other: RequestKind): boolean => [...one].sort().join() === [...other].sort().join();

/** Whether a request is one of those that a need describes. */
const meets = (kind: RequestKind, need: { readonly with: RequestKind; readonly without: RequestKind }): boolean =>
  need.with.every((part) => kind.includes(part)) && !need.without.some((part) => kind.includes(part));

const field = (part: string): string => part.split(':')[0] ?? part;

/** The request that a program makes when it follows the words to the letter. */
function following(
  kind: RequestKind,
  need: { readonly with: RequestKind; readonly without: RequestKind },
): RequestKind {
  const fields = new Set(need.with.map(field));
  const toolsGone = need.without.includes('tools');
  const kept = kind.filter(
    (part) =>
      !need.without.includes(part) &&
      !fields.has(field(part)) &&
      !(toolsGone && /^(tool_choice|a tool|parallel_tool_calls)/.test(part)) &&
      !(need.without.includes('stream: true') && part.startsWith('stream_options')),
  );
  return [...kept, ...need.with];
}

test('names every condition that the request lacks: who follows the words makes a request that met it', () => {
  for (const [name, { requests }] of rows)
    for (const sent of kinds) {
      const needs = needsOf(requests, [sent]);
      expect(needs.length === 0, `${name}, sent ${sent.join()}`).toBe(requests.some((kind) => isSame(kind, sent)));
      for (const need of needs)
        expect(
          requests.some((kind) => isSame(kind, following(sent, need))),
          `${name}, sent ${sent.join()}: ${JSON.stringify(need)}`,
        ).toBe(true);
    }
});

test('never names a request that the program makes, whichever two it makes', () => {
  for (const [name, { requests }] of rows)
    for (const one of kinds)
      for (const other of kinds)
        for (const need of needsOf(requests, [one, other]))
          expect(
            [one, other].filter((kind) => meets(kind, need)),
            `${name}: ${JSON.stringify(need)}`,
          ).toEqual([]);
});

test('is true of the embedded service: the request that is named meets it', async () => {
  const { simulator, takeAnswers } = await answeringService(simulate);
  const messages = [{ role: 'user', content: 'Order 3 keyboards for Li Lei. Answer in JSON.' }];
  const asked = async (body: JsonObject): Promise<ProgramRun> => {
    simulator.answerAs('sim-reference');
    const text = JSON.stringify({ model: 'my-model', messages, temperature: 0, ...body });
    await fetch(`${simulator.baseUrl}/chat/completions`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer any' }, body: text },
    }).then((response) => response.text());
    return { answers: takeAnswers() } as unknown as ProgramRun;
  };
  try {
    const wrong: string[] = [];
    for (const body of bodies) {
      const modelFor = choosing(await asked(body), { simulator, takeAnswers }, new AbortController().signal);
      for (const [name, met] of rows) {
        if (!met.requests.some((kind) => isSame(kind, kindOf(body)))) continue;
        const kind = name in table.quirks ? 'quirk' : 'class';
        if ((await modelFor({ kind, name, ...met })) === null) wrong.push(`${name}: ${kindOf(body).join(', ')}`);
      }
    }
    expect(wrong).toEqual([]);
  } finally {
    await simulator.close();
  }
});
