import { isObject, jsonOrUndefined, mapLeaves, type Json, type JsonObject, writtenJson } from '../../json/json.js';
import { thinkingText, type AnswerContext } from '../answers/thinking.js';
import { composeDraft, composeCall } from '../answers/compose-draft.js';
import type { Draft } from '../http/encode-completion.js';
import type { ActionsOn, Do } from '../profiles/profile.js';

/** Faults of a right answer before the token limit. */
export const draftActions: ActionsOn<Draft, AnswerContext, Draft | Promise<Draft>> = {
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
    toolCalls: [{ id: `call_${words.hex('call', 24)}`, name, arguments: draftValueText(args) }],
  }),
  rename_function: (draft, name) => withCalls(draft, (call) => ({ ...call, name })),
  other_function: otherFunction,
  extra_calls: extraCalls,
  keep_calls: (draft, count) => ({ ...draft, toolCalls: draft.toolCalls?.slice(0, count) ?? null }),
  same_ids: (draft) => withCalls(draft, (call) => ({ ...call, id: draft.toolCalls?.[0]?.id ?? null })),
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
  wrong_values: (draft) => withJson(draft, (value) => mapLeaves(value, oneTooHigh)),
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

type DraftToolCall = NonNullable<Draft['toolCalls']>[number];
type DamageKind = NonNullable<Do['damage_text']>;

function withCalls(draft: Draft, change: (call: DraftToolCall) => DraftToolCall): Draft {
  return draft.toolCalls === null ? draft : { ...draft, toolCalls: draft.toolCalls.map(change) };
}

/** Changes the text that the client parses: the first call's arguments, else the content. */
function withDocument(draft: Draft, change: (text: string) => string): Draft {
  const [call, ...others] = draft.toolCalls ?? [];
  if (call === undefined) return withContent(draft, change);
  if (typeof call.arguments !== 'string') return draft;
  return { ...draft, toolCalls: [{ ...call, arguments: change(call.arguments) }, ...others] };
}

/** Every call's arguments, or a content that is a JSON object or list; other text stays as it is. */
function encodeTwice(draft: Draft): Draft {
  if (draft.toolCalls !== null) {
    return withCalls(draft, (call) => ({ ...call, arguments: writtenJson(call.arguments) }));
  }
  return withContent(draft, (content) =>
    typeof jsonOrUndefined(content) === 'object' ? writtenJson(content) : content,
  );
}

/** Leaves text that is not JSON unchanged. */
function withJson(draft: Draft, change: (value: Json) => Json): Draft {
  return withDocument(draft, (text) => {
    const value = jsonOrUndefined(text);
    return value === undefined ? text : writtenJson(change(value));
  });
}

function draftValueText(value: Json): string {
  return typeof value === 'string' ? value : writtenJson(value);
}

function asJson(value: Json): Json {
  return typeof value === 'string' ? (jsonOrUndefined(value) ?? value) : value;
}

function extraCalls(
  draft: Draft,
  { times, same_id: sameId = false }: NonNullable<Do['extra_calls']>,
  { words }: AnswerContext,
): Draft {
  if (draft.toolCalls === null) return draft;
  const label = (time: number, place: number): string => (place === 0 ? `call ${time}` : `call ${time} ${place}`);
  const again = Array.from({ length: times }, (_, time) =>
    (draft.toolCalls ?? []).map((call, place) =>
      sameId ? call : { ...call, id: `call_${words.hex(label(time, place), 24)}` },
    ),
  );
  return { ...draft, toolCalls: [...draft.toolCalls, ...again.flat()] };
}

function callAsText(draft: Draft, { template, in: where }: NonNullable<Do['call_as_text']>): Draft {
  const call = draft.toolCalls?.[0];
  if (call === undefined) return draft;
  const text = template
    .replaceAll('{name}', () => call.name ?? '')
    .replaceAll('{arguments}', () => draftValueText(call.arguments));
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

/** The letters of Windows-1252 from 0x80 to 0x9f. */
const windows1252Characters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

const damages: Readonly<Record<DamageKind, (letter: string, inJson: boolean) => string>> = {
  latin1,
  windows1252: (letter) =>
    latin1(letter).replace(/[\u0080-\u009f]/g, (byte) => windows1252Characters.charAt(byte.charCodeAt(0) - 0x80)),
  question_marks: () => '?',
  replaced: () => '\uFFFD',
  // Within JSON, a single backslash would be an escape of JSON itself.
  escapes: (letter, inJson) =>
    Array.from({ length: letter.length }, (_, index) => letter.charCodeAt(index).toString(16).padStart(4, '0'))
      .map((hex) => `${inJson ? '\\\\' : '\\'}u${hex}`)
      .join(''),
};

/** A text, or a JSON document, of which something on the way has damaged the letters beyond ASCII. */
function damagedText(text: string, how: DamageKind): string {
  const isJson = typeof jsonOrUndefined(text) === 'object';
  return text.replace(/[^\0-\u007f]/gu, (letter) => damages[how](letter, isJson));
}

function latin1(letter: string): string {
  return Buffer.from(letter, 'utf8').toString('latin1');
}

/** A document broken in one named way; a document that cannot be broken in that way stays unchanged. */
function breakDocument(value: Json, schema: Json, how: NonNullable<Do['break_document']>): Json {
  if (!isObject(value)) return value;
  switch (how) {
    case 'drop_member':
      return Object.fromEntries(Object.entries(value).filter(([name]) => name !== lastRequired(value, schema)));
    case 'extra_member':
      return { ...value, note: 'added because it seemed helpful' };
    case 'wrong_type':
      return changeFirst(
        value,
        (member) => (typeof member === 'number' || typeof member === 'bigint' ? String(member) : undefined),
        () => 7,
      );
    case 'wrong_enum':
      return { ...value, ...wrongChoices(schema) };
    case 'all_strings':
      return mapLeaves(value, draftValueText);
    case 'nested_string':
      return changeFirst(
        value,
        (member) => (typeof member === 'object' && member !== null ? writtenJson(member) : undefined),
        (member) => (typeof member === 'string' ? undefined : writtenJson([member])),
      );
  }
}

function lastRequired(value: JsonObject, schema: Json): string | undefined {
  const required = isObject(schema) && Array.isArray(schema['required']) ? (schema['required'] as readonly Json[]) : [];
  const name = required.findLast((candidate) => typeof candidate === 'string' && Object.hasOwn(value, candidate));
  return typeof name === 'string' ? name : Object.keys(value).at(-1);
}

/** Applies the first change that changes any member, to the first member that it changes. */
function changeFirst(value: JsonObject, ...changes: readonly ((member: Json) => Json | undefined)[]): Json {
  for (const change of changes) {
    for (const [name, member] of Object.entries(value)) {
      const changed = change(member);
      if (changed !== undefined) return { ...value, [name]: changed };
    }
  }
  return value;
}

function wrongChoices(schema: Json): JsonObject {
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  const chosen = Object.keys(properties).filter((name) => isObject(properties[name]) && 'enum' in properties[name]);
  return Object.fromEntries(chosen.map((name) => [name, 'something else']));
}

/** Every number is one too high. */
function oneTooHigh(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  return typeof value === 'bigint' ? value + 1n : value;
}
