import type { Answer } from '../../chat/exchange.js';
import { itemsOrEmpty, memberOf, objectOf, own } from '../../chat/fields.js';
import type { Quirk } from '../../chat/quirks.js';
import { writtenJson, isObject, objectsIn, type Json, type JsonObject } from '../../json/json.js';
import { errorAnswer } from './error-answer.js';
import { telemetryIn, type TelemetryRecord } from './otel-attributes.js';
import { decodedJson, firstMember, loggedText, pairOf, type Recorded, type RecordForm } from './recorded-pair.js';

/** Spans and events with the attributes of OpenTelemetry's conventions for generative AI. */
export const telemetryLine: RecordForm = (record) => {
  const found = telemetryIn(record);
  if (found === null) return null;
  return found.length === 0 ? [{ kind: 'other', id: null }] : found.flatMap(recordedSpan);
};

/** Quirks that attributes cannot show. */
const unseenInAttributes: readonly Quirk[] = [
  'created_missing',
  'finish_reason_missing',
  'id_missing',
  'missing_tool_call_id',
  'model_missing',
  'role_missing',
  'usage_missing',
  'usage_without_completion',
];

function recordedSpan(span: TelemetryRecord): readonly Recorded[] {
  const { id } = span;
  const attributes = withEvents(span);
  const operation = own(attributes, 'gen_ai.operation.name');
  const asks = Object.keys(attributes).some((name) => name.startsWith('gen_ai.'));
  if (!asks || (operation !== undefined && !/^(?:chat|generate_content)$/.test(loggedText(operation)))) {
    return [{ kind: 'other', id }];
  }
  const choices = choicesIn(attributes, span);
  const answer = choices.length > 0 ? completion(attributes, choices) : failedAnswer(attributes, span);
  return pairOf({ id, request: askedIn(attributes, choices), answer, unseen: unseenInAttributes });
}

/** An event may hold what its span does not. */
function withEvents({ attributes, events }: TelemetryRecord): JsonObject {
  const details = events.filter(({ name }) => name === 'gen_ai.client.inference.operation.details');
  return { ...Object.fromEntries(details.flatMap((event) => Object.entries(event.attributes))), ...attributes };
}

function completion(attributes: JsonObject, choices: readonly JsonObject[]): Answer {
  const [prompt, output] = ['gen_ai.usage.input_tokens', 'gen_ai.usage.output_tokens'].map((name) =>
    own(attributes, name),
  );
  const usage = { prompt_tokens: prompt ?? 0, completion_tokens: output ?? 0 };
  const body = {
    id: own(attributes, 'gen_ai.response.id') ?? null,
    object: 'chat.completion',
    model: firstMember(attributes, ['gen_ai.response.model', 'gen_ai.request.model']) ?? null,
    choices,
    ...(output !== undefined && { usage }),
  };
  return { status: 200, headers: {}, body: [writtenJson(body)], failure: null };
}

function failedAnswer(attributes: JsonObject, { events, statusText }: TelemetryRecord): Answer | undefined {
  const type = own(attributes, 'error.type');
  const status = own(attributes, 'http.response.status_code');
  const thrown = events.find(({ name }) => name === 'exception')?.attributes ?? {};
  const said = own(thrown, 'exception.message') ?? own(attributes, 'error.message') ?? statusText;
  const isRefused = typeof status === 'number' && status >= 400;
  if (type === undefined && !isRefused && said === '') return undefined;
  const name = type ?? own(thrown, 'exception.type') ?? '';
  const namedStatus = typeof name === 'string' && /^\d{3}$/.test(name) ? name : null;
  return errorAnswer({
    status: isRefused ? status : namedStatus,
    type: loggedText(name),
    message: typeof said === 'string' ? said : '',
  });
}

/** The choices of a completion: of today's attribute, of numbered ones, or of events. */
function choicesIn(attributes: JsonObject, { events }: TelemetryRecord): readonly JsonObject[] {
  const reasons = itemsOrEmpty(decodedJson(own(attributes, 'gen_ai.response.finish_reasons')));
  const written = listIn(attributes, 'gen_ai.output.messages');
  const numbered = written.length > 0 ? written : numberedMessages(attributes, 'gen_ai.completion');
  const answers =
    numbered.length > 0 ? numbered : events.filter(({ name }) => name === 'gen_ai.choice').map(eventChoice);
  return answers.map((message, index) => {
    const reason = finishReason(own(message, 'finish_reason') ?? reasons[index]);
    return { index, message: wireMessage(message), ...(reason !== undefined && { finish_reason: reason }) };
  });
}

/** The objects of a list that an attribute holds, as it is or as text. */
const listIn = (attributes: JsonObject, name: string): readonly JsonObject[] =>
  objectsIn(decodedJson(own(attributes, name)));

function eventChoice({ attributes }: TelemetryRecord['events'][number]): JsonObject {
  const message = objectOf(decodedJson(own(attributes, 'message'))) ?? {};
  return { ...attributes, ...message };
}

/** The conventions name one call what the wire names in the plural. */
function finishReason(reason: Json | undefined): Json | undefined {
  return reason === 'tool_call' ? 'tool_calls' : reason;
}

/** `gen_ai.completion.0.content`, `gen_ai.completion.0.tool_calls.0.name` */
function numberedMessages(attributes: JsonObject, prefix: string): readonly JsonObject[] {
  const messages: JsonObject[] = [];
  for (let index = 0; ; index++) {
    const members = membersAfter(attributes, `${prefix}.${index}.`);
    if (Object.keys(members).length === 0) return messages;
    const calls: JsonObject[] = [];
    for (let call = 0; Object.keys(membersAfter(members, `tool_calls.${call}.`)).length > 0; call++) {
      const { name = null, arguments: given = null, id = null } = membersAfter(members, `tool_calls.${call}.`);
      calls.push({ id, type: 'function', function: { name, arguments: given } });
    }
    messages.push({ ...members, ...(calls.length > 0 && { tool_calls: calls }) });
  }
}

function membersAfter(attributes: JsonObject, prefix: string): JsonObject {
  const entries = Object.entries(attributes).filter(([name]) => name.startsWith(prefix));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** A message of parts, or one as the wire has it, as the wire has it. */
function wireMessage(message: JsonObject): JsonObject {
  const role = own(message, 'role') ?? 'assistant';
  const parts = objectsIn(own(message, 'parts'));
  if (parts.length === 0) {
    const calls = own(message, 'tool_calls');
    return { role, content: own(message, 'content') ?? null, ...(calls !== undefined && { tool_calls: calls }) };
  }
  const textOf = (type: string): string =>
    parts
      .filter((part) => own(part, 'type') === type)
      .map((part) => loggedText(firstMember(part, ['content', 'text'])))
      .join('');
  const calls = parts.filter((part) => own(part, 'type') === 'tool_call').map(wireCall);
  const [text, reasoning, refusal] = [textOf('text'), textOf('reasoning'), textOf('refusal')];
  return {
    role,
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(refusal !== '' && { refusal }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function wireCall(part: JsonObject): JsonObject {
  const given = own(part, 'arguments') ?? {};
  const text = typeof given === 'string' ? given : writtenJson(given);
  const call = { name: own(part, 'name') ?? null, arguments: text };
  return { id: own(part, 'id') ?? null, type: 'function', function: call };
}

const settings: Readonly<Record<string, string>> = {
  'gen_ai.request.model': 'model',
  'gen_ai.request.max_tokens': 'max_tokens',
  'gen_ai.request.temperature': 'temperature',
  'gen_ai.request.top_p': 'top_p',
  'gen_ai.request.seed': 'seed',
  'gen_ai.request.stop_sequences': 'stop',
  'gen_ai.request.tool_choice': 'tool_choice',
};

/** The body as far as the attributes tell it. */
function askedIn(attributes: JsonObject, choices: readonly JsonObject[]): JsonObject {
  const set = Object.entries(settings).flatMap(([name, member]) => {
    const value = own(attributes, name);
    return value === undefined ? [] : [[member, member === 'tool_choice' ? (decodedJson(value) ?? null) : value]];
  });
  const format = formatIn(attributes);
  const tools = toolsIn(attributes, choices);
  return {
    ...(Object.fromEntries(set) as JsonObject),
    messages: inputMessages(attributes),
    ...(format !== null && { response_format: format }),
    ...(tools.length > 0 && { tools }),
  };
}

function inputMessages(attributes: JsonObject): readonly JsonObject[] {
  const instructions = listIn(attributes, 'gen_ai.system_instructions');
  const written = listIn(attributes, 'gen_ai.input.messages');
  const inputs = written.length > 0 ? written : numberedMessages(attributes, 'gen_ai.prompt');
  const system = instructions.length > 0 ? [wireMessage({ role: 'system', parts: instructions })] : [];
  return [...system, ...inputs.map(wireMessage)];
}

const schemaNames = ['gen_ai.request.structured_output_schema', 'gen_ai.output.schema'];
const formatNames = ['gen_ai.output.type', 'gen_ai.openai.request.response_format', 'openai.request.response_format'];

/** The conventions do not keep a schema; some instrumentations do. */
function formatIn(attributes: JsonObject): JsonObject | null {
  const schema = objectOf(decodedJson(firstMember(attributes, schemaNames)));
  if (schema !== null) return { type: 'json_schema', json_schema: { name: 'output', schema } };
  const format = decodedJson(firstMember(attributes, formatNames));
  if (isObject(format)) return format;
  return /^json/.test(loggedText(format)) ? { type: 'json_object' } : null;
}

/** Where the tools were not logged, those that were called count as sent: nobody knows better. */
function toolsIn(attributes: JsonObject, choices: readonly JsonObject[]): readonly JsonObject[] {
  const defined = listIn(attributes, 'gen_ai.tool.definitions');
  const numbered = numberedMessages(attributes, 'llm.request.functions');
  const listed = defined.length > 0 ? defined : numbered;
  if (listed.length > 0) return listed.map(wireTool);
  const calls = choices.flatMap(({ message }) => itemsOrEmpty(memberOf(message, 'tool_calls')));
  const names = calls.flatMap((call) => memberOf(memberOf(call, 'function'), 'name') ?? []);
  return [...new Set(names)].map((name) => ({ type: 'function', function: { name } }));
}

function wireTool(tool: JsonObject): JsonObject {
  if (objectOf(own(tool, 'function')) !== null) return tool;
  const parameters = decodedJson(firstMember(tool, ['parameters', 'input_schema']));
  const named = { name: own(tool, 'name') ?? null, ...(parameters !== undefined && { parameters }) };
  return { type: 'function', function: named };
}
