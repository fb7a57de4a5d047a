import { isObject, type Json, type JsonObject } from '../../json/json.js';

export interface Message {
  readonly role: string;
  readonly text: string;
  /** The calls of an assistant's turn. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

export type ToolChoice =
  | { readonly kind: 'absent' | 'none' | 'auto' | 'required' }
  | { readonly kind: 'object'; readonly name: string }
  /** As `auto` or `required`, among some of the tools. */
  | { readonly kind: 'allowed'; readonly mode: string; readonly names: readonly string[] };

type ResponseFormat =
  | { readonly kind: 'text' }
  /** `schema`: as some services take it beside the type; null without one. */
  | { readonly kind: 'json_object'; readonly schema: JsonObject | null }
  | { readonly kind: 'json_schema'; readonly name: string; readonly strict: boolean; readonly schema: Json };

/** A request as far as it can be understood; malformed parts count as absent. */
export interface ChatRequest {
  readonly body: JsonObject;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat;
  readonly stream: boolean;
  /** Smallest of `max_tokens` and `max_completion_tokens`; null without either. */
  readonly maxTokens: number | null;
  /** Texts before which the answer ends. */
  readonly stop: readonly string[];
  /** Number of choices. */
  readonly choices: number;
  /** Value of the authorization header; null without one. */
  readonly authorization: string | null;
}

/** Reads a body leniently, because a profile's faults come before the check that refuses malformed requests. */
export function readRequest(body: JsonObject, authorization: string | null): ChatRequest {
  return {
    body,
    model: typeof body['model'] === 'string' ? body['model'] : '',
    messages: listOf(body['messages']).map(readMessage),
    tools: listOf(body['tools']).map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
    responseFormat: readResponseFormat(body['response_format']),
    stream: body['stream'] === true,
    maxTokens: smallest([body['max_tokens'], body['max_completion_tokens']]),
    stop: [body['stop'] ?? []].flat().flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : [])),
    choices: typeof body['n'] === 'number' ? body['n'] : 1,
    authorization,
  };
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => textOf(part['text'] ?? part['refusal']))
    .join('');
}

function readMessage(message: JsonObject): Message {
  const calls = listOf(message['tool_calls']).map((call) => call['function'] ?? null);
  return {
    role: textOf(message['role']),
    text: textOf(message['content'] ?? message['refusal']),
    calls: calls.filter(isObject).map((call) => ({ name: textOf(call['name']), arguments: textOf(call['arguments']) })),
  };
}

function readTool(tool: JsonObject): Tool {
  const declared = isObject(tool['function']) ? tool['function'] : {};
  return {
    name: textOf(declared['name']),
    description: textOf(declared['description']),
    parameters: declared['parameters'] ?? { type: 'object', properties: {} },
  };
}

function readToolChoice(value: Json | undefined): ToolChoice {
  if (value === 'none' || value === 'auto' || value === 'required') return { kind: value };
  if (!isObject(value)) return { kind: 'absent' };
  const { allowed_tools: allowed } = value;
  if (value['type'] === 'allowed_tools' && isObject(allowed))
    return {
      kind: 'allowed',
      mode: textOf(allowed['mode']),
      names: listOf(allowed['tools'])
        .map(readTool)
        .map(({ name }) => name),
    };
  return { kind: 'object', name: isObject(value['function']) ? textOf(value['function']['name']) : '' };
}

function readResponseFormat(value: Json | undefined): ResponseFormat {
  if (!isObject(value)) return { kind: 'text' };
  if (value['type'] === 'json_object')
    return { kind: 'json_object', schema: isObject(value['schema']) ? value['schema'] : null };
  if (value['type'] !== 'json_schema') return { kind: 'text' };
  const wanted = isObject(value['json_schema']) ? value['json_schema'] : {};
  return {
    kind: 'json_schema',
    name: textOf(wanted['name']),
    strict: wanted['strict'] === true,
    schema: wanted['schema'] ?? true,
  };
}

function smallest(values: readonly (Json | undefined)[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : Math.min(...numbers);
}
