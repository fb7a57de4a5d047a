import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ChatRequest, Message, ResponseFormat, Tool, ToolChoice } from './request.js';

/** Reads a body leniently: profiles decide on what can be read before anything is refused. */
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
    authorization,
  };
}

function listOf(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? (value as readonly Json[]).filter(isObject) : [];
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => textOf(part['text']))
    .join('');
}

function readMessage(message: JsonObject): Message {
  return { role: textOf(message['role']), text: textOf(message['content']) };
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
  return { kind: 'object', name: isObject(value['function']) ? textOf(value['function']['name']) : '' };
}

function readResponseFormat(value: Json | undefined): ResponseFormat {
  if (!isObject(value)) return { kind: 'text' };
  if (value['type'] === 'json_object') return { kind: 'json_object' };
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
