import { beforeAll, describe, expect, test } from 'vitest';
import type { Quirk } from '../../src/judge/index.js';
import { seenInAnswer } from '../../src/clients/seen-in-answer.js';
import type { JsonObject } from '../../src/json/json.js';
import { knownTasksIn } from '../../src/simulator/answers/known-tasks.js';
import { replayedAnswersIn } from '../../src/simulator/faults/response-actions.js';
import { bodyBytes, seenAnswer, type HttpResponse } from '../../src/simulator/http/response.js';
import { createService } from '../../src/simulator/http/service.js';
import { loadProfiles } from '../../src/simulator/profiles/load-profiles.js';
import { differingFields } from '../support/answer-differences.js';
import { profilesFolder, samplesFolder } from '../support/ask-service.js';
import { readLabels } from '../support/label-table.js';

/** A profile carries the fault that its label names, and differs from the right answer in nothing else. */

const finish = ['body/choices/finish_reason', 'chunk/choices/finish_reason'];
const content = ['body/choices/message/content', 'chunk/choices/delta/content'];
const calls = ['body/choices/message/tool_calls', 'chunk/choices/delta/tool_calls'];
/** A fragment more or less, or another length: then a chunk stands where another stood. */
const fragments = [...calls, 'chunk/choices'];

/** The fields that each quirk is about; each also stands for what lies below it. */
const fieldsOf: Readonly<Partial<Record<Quirk, readonly string[]>>> = {
  arguments_empty: ['body/choices/message/tool_calls/function/arguments', ...fragments],
  arguments_object: ['body/choices/message/tool_calls/function/arguments', ...fragments],
  choice_index_missing: ['body/choices/index', 'chunk/choices/index'],
  choices_missing_in_chunk: ['chunk/choices'],
  content_after_finish_reason: ['order'],
  content_blocks: content,
  content_type_wrong: ['header/content-type'],
  content_unreadable: content,
  created_missing: ['body/created', 'chunk/created'],
  cut_after_done: ['ending'],
  cut_without_length: finish,
  data_after_done: ['line', 'chunk/ping'],
  done_missing: ['line'],
  duplicate_keys: [...content, 'chunk/choices'],
  empty_choices_chunk: ['chunk/choices'],
  finish_reason_empty_string: finish,
  finish_reason_missing: [...finish, 'chunk/choices'],
  finish_reason_repeated: ['order'],
  finish_reason_stop_with_tool_call: finish,
  finish_reason_tool_calls_without_call: finish,
  id_changes_in_stream: ['chunk/id'],
  id_missing: ['body/id', 'chunk/id'],
  integer_beyond_2_53: [...content, 'chunk/choices'],
  legacy_function_call: [...finish, ...calls, 'body/choices/message/function_call'],
  message_in_chunk: ['chunk/choices/message'],
  message_missing: ['body/choices/message'],
  missing_tool_call_id: ['body/choices/message/tool_calls/id', 'chunk/choices/delta/tool_calls/id'],
  model_missing: ['body/model', 'chunk/model'],
  null_tool_delta_fields: calls,
  object_unexpected: ['body/object', 'chunk/object'],
  parallel_tool_calls_ignored: fragments,
  reasoning_blocks: ['body/choices/message/reasoning_details'],
  // A cap leaves less for the content.
  reasoning_field_named_reasoning: ['body/choices/message/reasoning', 'chunk/choices', ...content],
  role_missing: ['body/choices/message/role', 'chunk/choices/delta/role'],
  role_unexpected: ['body/choices/message/role', 'chunk/choices/delta/role'],
  sse_comments: ['line'],
  sse_space_missing: ['line'],
  sse_unknown_lines: ['line'],
  stream_in_one_piece: ['delay'],
  text_damaged: [...content, 'chunk/choices'],
  control_tokens_in_content: [...content, 'chunk/choices'],
  think_tags_in_content: [...content, 'chunk/choices'],
  tool_call_id_repeated: fragments,
  tool_call_index_drifts: ['chunk/choices/delta/tool_calls/index'],
  tool_call_index_missing: ['chunk/choices/delta/tool_calls/index'],
  tool_call_index_repeated: fragments,
  tool_call_markup_in_content: [...content, 'chunk/choices'],
  tool_call_name_repeated: ['chunk/choices/delta/tool_calls/function/name'],
  tool_call_name_split: fragments,
  tool_call_type_missing: ['body/choices/message/tool_calls/type', 'chunk/choices/delta/tool_calls/type'],
  tool_calls_empty_list: calls,
  tool_calls_not_a_list: calls,
  tool_calls_several: fragments,
  unknown_finish_reason: finish,
  usage_missing: ['body/usage', 'chunk/usage', 'chunk/choices'],
  usage_repeated: ['chunk/usage'],
  usage_total_too_small: ['body/usage'],
  usage_without_completion: ['body/usage', 'chunk/usage'],
};

/** A fault that changes how much is said changes what is counted. */
const longer: readonly Quirk[] = [
  ...(['arguments_empty', 'arguments_object', 'duplicate_keys', 'integer_beyond_2_53', 'text_damaged'] as const),
  'control_tokens_in_content',
  ...([
    'parallel_tool_calls_ignored',
    'tool_call_id_repeated',
    'tool_call_index_repeated',
    'tool_calls_several',
  ] as const),
  ...(['reasoning_field_named_reasoning', 'think_tags_in_content', 'tool_call_markup_in_content'] as const),
];

/** In a stream, null where a text belongs is another quirk as well. */
const implied: Readonly<Record<string, readonly string[]>> = { 'sim-null-arguments': ['null_tool_delta_fields'] };

const tool = (name: string, properties: JsonObject): JsonObject => {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', function: { name, parameters } };
};
const order = { tools: [tool('create_order', { item: { type: 'string' }, total: { type: 'integer' } })] };
const schema = { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] };
const asking = (text: string): JsonObject => ({ messages: [{ role: 'user', content: text }] });

const requests: Readonly<Record<string, JsonObject>> = {
  plain: asking('Say "王芳 🎁 and hello to all of you"'),
  object: { ...asking('Write a JSON object.'), response_format: { type: 'json_object' } },
  document: {
    ...asking('Give the order.'),
    response_format: { type: 'json_schema', json_schema: { name: 'o', schema } },
  },
  call: { ...asking('Order a lamp.'), ...order, tool_choice: 'required' },
  named: { ...asking('Order.'), ...order, tool_choice: { type: 'function', function: { name: 'create_order' } } },
  ping: { ...asking('Ping.'), tools: [tool('ping', {})], tool_choice: 'required' },
  one: { ...asking('Order a lamp.'), ...order, tool_choice: 'required', parallel_tool_calls: false },
  two: {
    ...asking('How is the weather in Oslo right now, and how is it in Lima? Look both up at once.'),
    ...{ tools: [tool('get_weather', { city: { type: 'string' } })], tool_choice: 'auto' },
  },
  uncounted: { ...asking('Say hello.'), stream: true },
  cut: { ...asking('Write a long text about the sea.'), max_tokens: 5 },
};
const forms: readonly JsonObject[] = [{}, { stream: true, stream_options: { include_usage: true } }];

const labelled = readLabels().flatMap(({ profile, cells = [] }) => {
  const named = [...new Set(cells.flatMap(({ quirks = [] }) => quirks))] as readonly Quirk[];
  return named.length === 0 ? [] : [{ profile, named }];
});

let service: ReturnType<typeof createService>;
const right = new Map<string, HttpResponse>();

/** What comes of chance, the ids of answers and calls, counts from 1. */
async function answerOf(model: string, body: JsonObject): Promise<HttpResponse> {
  service.reset();
  const answer = await service.complete(JSON.stringify({ model, ...body }), {});
  const text = bodyBytes(answer.parts).toString().replaceAll(`"model":"${model}"`, '"model":"m"');
  const headers = { ...answer.headers, traceresponse: '' };
  const ids = new Map<string, string>();
  const counted = (id: string, kind: string): string => {
    const before = [...ids.keys()].filter((known) => known.startsWith(kind)).length;
    if (!ids.has(id)) ids.set(id, `${kind}${before + 1}`);
    return ids.get(id)!;
  };
  return { ...answer, headers, parts: [text.replaceAll(/\b(chatcmpl-|call_)[0-9a-f]{24}/g, counted)] };
}

beforeAll(async () => {
  const { profiles } = await loadProfiles([profilesFolder]);
  service = createService({
    ...{ profiles, findTask: knownTasksIn(samplesFolder), replayedAnswers: replayedAnswersIn(profilesFolder) },
    ...{ seed: 1, now: () => 1_795_000_000_000, onRequest: () => undefined },
  });
  for (const [name, request] of Object.entries(requests)) {
    for (const [form, more] of forms.entries()) {
      right.set(`${name} ${form}`, await answerOf('sim-reference', { ...request, ...more }));
    }
  }
});

describe.each(labelled)('$profile', ({ profile, named }) => {
  const isOf = (field: string) => (own: string) => field === own || field.startsWith(`${own}/`);
  const counts = named.some((quirk) => longer.includes(quirk)) ? ['body/usage', 'chunk/usage'] : [];
  const fields = [...named.flatMap((quirk) => fieldsOf[quirk] ?? []), ...counts];

  test('differs from the right answer only in what its label names', async () => {
    const [differing, quirks] = [new Set<string>(), new Set<string>()];
    for (const [name, request] of Object.entries(requests)) {
      for (const [form, more] of forms.entries()) {
        const body = { ...request, ...more };
        const reference = right.get(`${name} ${form}`)!;
        const odd = await answerOf(profile, body);
        for (const field of differingFields(reference, odd)) differing.add(field);
        const [usual, found] = [reference, odd].map((one) => seenInAnswer(seenAnswer(JSON.stringify(body), one)));
        for (const quirk of found?.quirks ?? []) if (usual?.quirks.includes(quirk) !== true) quirks.add(quirk);
      }
    }
    expect([...differing].filter((field) => !fields.some(isOf(field)))).toEqual([]);
    expect([...quirks].filter((quirk) => ![...named, ...(implied[profile] ?? [])].includes(quirk))).toEqual([]);
    expect(differing.size).toBeGreaterThan(0);
  });
});
