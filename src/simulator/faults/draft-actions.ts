import type { Json } from '../../json/json.js';
import { damagedText } from './damaged-text.js';
import { breakDocument, wrongValues } from './break-document.js';
import { composeDraft, composeCall } from '../answers/compose-draft.js';
import { documentText, withDocumentText, type Draft, type DraftCall } from '../answers/draft.js';
import { parseJson } from '../answers/quoted-text.js';
import type { Do } from '../profiles/profile.js';
import type { AnswerContext } from '../answers/answer-context.js';
import { thinkingText } from '../answers/thinking.js';

type Name =
  | 'content'
  | 'refusal'
  | 'reasoning'
  | 'prefix'
  | 'suffix'
  | 'fence'
  | 'content_to_reasoning'
  | 'drop_calls'
  | 'empty_calls'
  | 'call_as_text'
  | 'choose_as'
  | 'call_tool'
  | 'call'
  | 'rename_function'
  | 'extra_calls'
  | 'other_function'
  | 'cut_document'
  | 'double_encode'
  | 'empty_arguments'
  | 'arguments_as_object'
  | 'break_document'
  | 'wrong_values'
  | 'damage_text';

type DraftActions = {
  readonly [K in Name]: (
    draft: Draft,
    value: Exclude<Do[K], undefined>,
    context: AnswerContext,
  ) => Draft | Promise<Draft>;
};

/** What a fault can do to a right answer before the token limit. */
export const draftActions: DraftActions = {
  choose_as: chooseAs,
  content: (draft, content) => ({ ...draft, content, toolCalls: null }),
  refusal: (draft, refusal) => ({ ...draft, content: null, refusal, toolCalls: null }),
  reasoning: (draft, reasoning) => ({ ...draft, reasoning }),
  prefix: (draft, prefix) => withContent(draft, (content) => prefix + content),
  suffix: (draft, suffix) => withContent(draft, (content) => content + suffix),
  fence: (draft, language) => withContent(draft, (content) => `\`\`\`${language}\n${content}\n\`\`\``),
  content_to_reasoning: (draft) => ({
    ...draft,
    reasoning: (draft.reasoning ?? '') + (draft.content ?? ''),
    content: null,
  }),
  drop_calls: (draft, content) => (draft.toolCalls === null ? draft : { ...draft, content, toolCalls: null }),
  empty_calls: (draft, content) => (draft.toolCalls === null ? draft : { ...draft, content, toolCalls: [] }),
  call_as_text: callAsText,
  call_tool: forceCall,
  call: (draft, { name, arguments: args }, { words }) => ({
    ...draft,
    content: null,
    toolCalls: [{ id: `call_${words.hex('call', 24)}`, name, arguments: asText(args) }],
  }),
  rename_function: (draft, name) => withCalls(draft, (call) => ({ ...call, name })),
  other_function: otherFunction,
  extra_calls: extraCalls,
  cut_document: (draft, share) => withDocument(draft, (text) => text.slice(0, Math.floor(text.length * share))),
  double_encode: encodeTwice,
  empty_arguments: (draft, empty) =>
    withCalls(draft, (call) => (call.arguments === '{}' ? { ...call, arguments: empty } : call)),
  arguments_as_object: (draft) => withCalls(draft, (call) => ({ ...call, arguments: asJson(call.arguments) })),
  break_document: (draft, how, { request }) => {
    const format = request.responseFormat;
    const called = request.tools.find((tool) => tool.name === draft.toolCalls?.[0]?.name);
    const schema = called?.parameters ?? (format.kind === 'json_schema' ? format.schema : true);
    return withJson(draft, (value) => breakDocument(value, schema, how));
  },
  wrong_values: (draft) => withJson(draft, wrongValues),
  damage_text: (draft, how) => ({
    ...withCalls(draft, (call) =>
      typeof call.arguments === 'string' ? { ...call, arguments: damagedText(call.arguments, how) } : call,
    ),
    content: draft.content === null ? null : damagedText(draft.content, how),
  }),
};

function withContent(draft: Draft, change: (content: string) => string): Draft {
  return draft.content === null ? draft : { ...draft, content: change(draft.content) };
}

function withCalls(draft: Draft, change: (call: DraftCall) => DraftCall): Draft {
  return draft.toolCalls === null ? draft : { ...draft, toolCalls: draft.toolCalls.map(change) };
}

function withDocument(draft: Draft, change: (text: string) => string): Draft {
  const text = documentText(draft);
  return text === null ? draft : withDocumentText(draft, change(text));
}

/** Every call's arguments, or a content that is a JSON object or list; other text stays as it is. */
function encodeTwice(draft: Draft): Draft {
  if (draft.toolCalls !== null)
    return withCalls(draft, (call) => ({ ...call, arguments: JSON.stringify(call.arguments) }));
  return withContent(draft, (content) => (typeof parseJson(content) === 'object' ? JSON.stringify(content) : content));
}

/** Leaves text that is not JSON unchanged. */
function withJson(draft: Draft, change: (value: Json) => Json): Draft {
  return withDocument(draft, (text) => {
    const value = parseJson(text);
    return value === undefined ? text : JSON.stringify(change(value));
  });
}

function asText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function asJson(value: Json): Json {
  return typeof value === 'string' ? (parseJson(value) ?? value) : value;
}

function extraCalls(
  draft: Draft,
  { times, same_id: sameId = false }: NonNullable<Do['extra_calls']>,
  { words }: AnswerContext,
): Draft {
  if (draft.toolCalls === null) return draft;
  const again = Array.from({ length: times }, (_, index) =>
    (draft.toolCalls ?? []).map((call) => (sameId ? call : { ...call, id: `call_${words.hex(`call ${index}`, 24)}` })),
  );
  return { ...draft, toolCalls: [...draft.toolCalls, ...again.flat()] };
}

function callAsText(draft: Draft, { template, in: where }: NonNullable<Do['call_as_text']>): Draft {
  const call = draft.toolCalls?.[0];
  if (call === undefined) return draft;
  const text = template
    .replaceAll('{name}', () => call.name ?? '')
    .replaceAll('{arguments}', () => asText(call.arguments));
  return where === 'content'
    ? { ...draft, content: text, toolCalls: null }
    : { ...draft, content: '', reasoning: `${draft.reasoning ?? thinkingText(12)}\n${text}`, toolCalls: null };
}

async function chooseAs(draft: Draft, kind: NonNullable<Do['choose_as']>, context: AnswerContext): Promise<Draft> {
  const composed = await composeDraft({ ...context, request: { ...context.request, toolChoice: { kind } } });
  return 'status' in composed ? draft : composed;
}

/** Calls the first tool, whatever the request asks for. */
async function forceCall(draft: Draft, _value: true, context: AnswerContext): Promise<Draft> {
  const tool = context.request.tools[0];
  if (tool === undefined || draft.toolCalls !== null) return draft;
  const called = await composeCall(tool, draft, context);
  return 'status' in called ? draft : called;
}

/** Calls a declared tool other than the right one, with valid arguments; keeps the call when there is no other tool. */
async function otherFunction(draft: Draft, _value: true, context: AnswerContext): Promise<Draft> {
  const name = draft.toolCalls?.[0]?.name;
  const other = context.request.tools.find((tool) => tool.name !== name);
  if (name === undefined || other === undefined) return draft;
  const called = await composeCall(other, draft, context);
  return 'status' in called ? draft : called;
}
