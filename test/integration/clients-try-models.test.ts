import { expect, test } from 'vitest';
import { choosing, type Wanted } from '../../src/cli/clients/choose-models.js';
import { answeringService, type ProgramRun } from '../../src/cli/clients/client-program.js';
import { clientTable } from '../../src/clients/client-table.js';
import { requestKind, requestNeeded } from '../../src/clients/request-kind.js';
import { simulate } from '../../src/simulator/index.js';

/** What a program meets that makes one request of the usual kinds, and what `clients try` says it would need for the rest. */

const table = await clientTable();
const wanted: readonly Wanted[] = [
  ...Object.entries(table.quirks).map(([name, met]) => ({ kind: 'quirk' as const, name, ...met })),
  ...Object.entries(table.classes).map(([name, met]) => ({ kind: 'class' as const, name, ...met })),
];
const schema = { type: 'object', properties: { buyer: { type: 'string' } }, required: ['buyer'] };
const asJson = { response_format: { type: 'json_schema', json_schema: { name: 'order', schema } } };
const tools = [{ type: 'function', function: { name: 'create_order', parameters: schema } }];

/** What can go wrong with any answer. */
const always = [
  ...['transport', 'http_error', 'malformed_response', 'truncated', 'filtered', 'refused', 'empty_content'],
  'unexpected_tool_call',
];
const ofDocuments = ['not_json', 'schema_violation'];
const ofCalls = ['missing_tool_call', 'wrong_function', ...ofDocuments];

test.each([
  ['a plain text', {}, always],
  ['a stream', { stream: true }, always],
  ['a stream without its usage', { stream: true, stream_options: { include_usage: false } }, always],
  ['an object by its schema', asJson, [...always, ...ofDocuments]],
  ['an object', { response_format: { type: 'json_object' } }, [...always, 'not_json', 'schema_violation']],
  ['tools', { tools }, [...always.filter((name) => name !== 'unexpected_tool_call'), ...ofCalls]],
  [
    'a forced call',
    { tools, tool_choice: 'required' },
    ['transport', 'http_error', 'malformed_response', 'truncated', 'filtered', 'refused', ...ofCalls],
  ],
])(
  'a program that asks for %s',
  async (_name, asked, classes) => {
    const { simulator, takeAnswers } = await answeringService(simulate);
    const messages = [{ role: 'user', content: 'Order 3 keyboards for Li Lei. Answer in JSON.' }];
    const body = JSON.stringify({ model: 'my-model', messages, temperature: 0, ...asked });
    try {
      simulator.answerAs('sim-reference');
      await fetch(`${simulator.baseUrl}/chat/completions`, {
        ...{ method: 'POST', headers: { 'content-type': 'application/json', authorization: 'Bearer any' }, body },
      }).then((response) => response.text());
      const right = { answers: takeAnswers() } as unknown as ProgramRun;
      const modelFor = choosing(right, { simulator, takeAnswers }, new AbortController().signal);
      const met: string[] = [];
      for (const one of wanted) {
        const model = await modelFor(one);
        if (model !== null) expect(one.models).toContain(model);
        if (model !== null) met.push(one.name);
        // A bare "not met" leaves the reader with nothing to do.
        else expect([one.name, requestNeeded(one.requests, [requestKind(body)])]).not.toContain(null);
      }
      expect(met.filter((name) => name in table.classes).sort()).toEqual([...classes].sort());
    } finally {
      await simulator.close();
    }
  },
  60_000,
);
