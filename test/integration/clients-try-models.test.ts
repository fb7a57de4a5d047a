import { expect, test } from 'vitest';
import { type Opportunity, type Quirk, quirkTable } from '../../src/chat/quirks.js';
import { choosing, type Wanted } from '../../src/cli/clients/choose-models.js';
import { answeringService, type ProgramRun } from '../../src/cli/clients/client-program.js';
import { clientTable } from '../../src/clients/client-table.js';
import { requestParts } from '../../src/clients/request-kind.js';
import { requestNeeded } from '../../src/clients/request-needed.js';
import { simulate } from '../../src/simulator/index.js';

/** What a program meets that makes one request of the usual kinds, and what `clients try` says it would need for the rest. */

const table = clientTable();
const wanted: readonly Wanted[] = [
  ...Object.entries(table.quirks).map(([name, met]) => ({ kind: 'quirk' as const, name, ...met })),
  ...Object.entries(table.classes).map(([name, met]) => ({ kind: 'class' as const, name, ...met })),
];
/**
 * Quirks that could show in any answer of a form, and those that cannot: a plain answer says how long it is, so that it
 * either is whole or was cut, and a stream owes its usage only where it was asked for.
 */
const ofTexts: readonly Opportunity[] = ['answer', 'finished', 'finished_text', 'text', 'prose', 'usage_due'];
const forms = {
  plain: { shows: [...ofTexts, 'usage', 'reasoning'], without: ['cut_after_done'] },
  streamed: { shows: [...ofTexts, 'streamed', 'streamed_usage'], without: ['usage_missing'] },
} satisfies Record<string, { shows: readonly Opportunity[]; without: readonly Quirk[] }>;

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

function quirksShownIn(shows: readonly Opportunity[]): readonly string[] {
  return Object.entries(quirkTable)
    .filter(([name, facts]) => shows.includes(facts.shows) && !(name in table.unmeasured.quirks))
    .map(([name]) => name);
}

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
])('a program that asks for %s', async (_name, asked, classes) => {
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
      else expect([one.name, requestNeeded(one.requests, [requestParts(body)])]).not.toContain(null);
    }
    const form = forms['stream' in asked ? 'streamed' : 'plain'];
    if (!('tools' in asked) && !('response_format' in asked))
      expect(quirksShownIn(form.shows).filter((name) => !met.includes(name))).toEqual(form.without);
    expect(met.filter((name) => name in table.classes).sort()).toEqual([...classes].sort());
  } finally {
    await simulator.close();
  }
});
