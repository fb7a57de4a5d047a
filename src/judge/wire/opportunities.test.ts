import { expect, test } from 'vitest';
import { callMessage } from '../../../test/support/build.js';
import { judged } from '../../../test/support/judged.js';
import { asJson, good, optional, tools } from '../../../test/support/orders.js';
import { quirkTable } from '../../chat/quirks.js';
import { opportunityForms, type WireForm } from './wire-form.js';

const head = '"id":"c","object":"chat.completion.chunk","created":1,"model":"m"';
const streamOf = (delta: string): string =>
  `data: {${head},"choices":[{"index":0,"delta":${delta},"finish_reason":"stop"}],"usage":{}}\n\ndata: [DONE]\n\n`;
const lateStream = streamOf('{"content":"Hello."}').replace(/^data: .*\n\n/, (chunk) => chunk.repeat(4));
const twoCalls = '{"tool_calls":[{"index":0,"function":{"name":"now"}},{"index":1,"function":{"name":"now"}}]}';

test('every quirk could show in one of a few answers', () => {
  const outcomes = [
    judged({ message: { content: 'Hello.', reasoning_content: 'Say hello.' } }),
    judged({ finish: 'length' }),
    judged({ message: { content: good }, expect: asJson, request: { response_format: { type: 'json_schema' } } }),
    judged({ message: { content: 'Hello.' }, expect: optional, request: { tools } }),
    judged({ message: { content: 'Grüße!' }, request: { messages: [{ role: 'user', content: 'Say Grüße.' }] } }),
    judged({ message: callMessage(['create_order', good]), request: { tools, tool_choice: 'required' } }),
    judged({ message: callMessage(['now', '{}']), request: { parallel_tool_calls: false } }),
    judged({
      message: callMessage(['create_order', good]),
      request: { tools, tool_choice: { type: 'function', function: { name: 'create_order' } } },
    }),
    judged({ answer: { body: [streamOf('{"content":"Hello."}')] } }),
    judged({ answer: { body: [streamOf(twoCalls)] }, expect: optional, request: { tools } }),
    judged({ answer: { body: [lateStream] }, timing: { pieces_ms: [900] } }),
  ];
  for (const { form, could } of outcomes.flatMap(({ wire }) => wire)) {
    const others = could.filter((name) => !has(opportunityForms[name], form));
    expect(others, form).toEqual([]);
  }
  const held = new Set(outcomes.flatMap(({ wire }) => wire.flatMap(({ could }) => could)));
  expect(Object.entries(quirkTable).filter(([, { shows }]) => !held.has(shows))).toEqual([]);
});

const has = (forms: readonly WireForm[], form: WireForm): boolean => forms.includes(form);
