import { readFileSync } from 'node:fs';
import {
  isObject,
  objectsIn,
  type Json,
  type JsonObject,
  parsedJson,
  writtenJson,
  pointerSteps,
} from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { checkOf, compileProblem } from '../values/conforming-value.js';
import { serviceError, type ServiceError } from './response.js';

export interface ChatMessage {
  readonly role: string;
  readonly text: string;
  /** The calls of an assistant's turn. */
  readonly calls: readonly { readonly name: string; readonly arguments: string }[];
}

interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json;
}

type ToolChoice =
  | { readonly kind: 'absent' | 'none' | 'auto' | 'required' }
  | { readonly kind: 'object'; readonly name: string }
  /** A choice among some of the tools, as `auto` or `required`. */
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
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  readonly responseFormat: ResponseFormat;
  readonly stream: boolean;
  /** Smallest of `max_tokens` and `max_completion_tokens`; null without either. */
  readonly maxTokens: number | null;
  /** Texts before which the answer ends. */
  readonly stop: readonly string[];
  /** How many likely tokens `logprobs` lists for each token; null: it was not asked for. */
  readonly alternatives: number | null;
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
    messages: objectsIn(body['messages']).map(readMessage),
    tools: [body, ...objectsIn(body['messages'])].flatMap(({ tools }) => objectsIn(tools)).map(readTool),
    toolChoice: readToolChoice(body['tool_choice']),
    responseFormat: readResponseFormat(body['response_format']),
    stream: body['stream'] === true,
    maxTokens: smallest([body['max_tokens'], body['max_completion_tokens']]),
    stop: [body['stop'] ?? []].flat().flatMap((text) => (typeof text === 'string' && text !== '' ? [text] : [])),
    alternatives: body['logprobs'] === true ? (wholeIn(body['top_logprobs']) ?? 0) : null,
    choices: typeof body['n'] === 'number' ? body['n'] : 1,
    authorization,
  };
}

function contentText(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  return objectsIn(value)
    .map((part) => contentText(part['text'] ?? part['refusal']))
    .join('');
}

function readMessage(message: JsonObject): ChatMessage {
  const calls = objectsIn(message['tool_calls']).map((call) => call['function'] ?? null);
  return {
    role: contentText(message['role']),
    text: contentText(message['content'] ?? message['refusal']),
    calls: calls
      .filter(isObject)
      .map((call) => ({ name: contentText(call['name']), arguments: contentText(call['arguments']) })),
  };
}

function readTool(tool: JsonObject): Tool {
  const declared = isObject(tool['function']) ? tool['function'] : {};
  return {
    name: contentText(declared['name']),
    description: contentText(declared['description']),
    parameters: declared['parameters'] ?? { type: 'object', properties: {} },
  };
}

function readToolChoice(value: Json | undefined): ToolChoice {
  if (value === 'none' || value === 'auto' || value === 'required') return { kind: value };
  if (!isObject(value)) return { kind: 'absent' };
  const { allowed_tools: allowed } = value;
  if (value['type'] === 'allowed_tools' && isObject(allowed)) {
    return {
      kind: 'allowed',
      mode: contentText(allowed['mode']),
      names: objectsIn(allowed['tools'])
        .map(readTool)
        .map(({ name }) => name),
    };
  }
  return { kind: 'object', name: isObject(value['function']) ? contentText(value['function']['name']) : '' };
}

function readResponseFormat(value: Json | undefined): ResponseFormat {
  if (!isObject(value)) return { kind: 'text' };
  if (value['type'] === 'json_object') {
    return { kind: 'json_object', schema: isObject(value['schema']) ? value['schema'] : null };
  }
  if (value['type'] !== 'json_schema') return { kind: 'text' };
  const wanted = isObject(value['json_schema']) ? value['json_schema'] : {};
  return {
    kind: 'json_schema',
    name: contentText(wanted['name']),
    strict: wanted['strict'] === true,
    schema: wanted['schema'] ?? true,
  };
}

function wholeIn(value: Json | undefined): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 20 ? value : null;
}

function smallest(values: readonly (Json | undefined)[]): number | null {
  const numbers = values.filter((value) => typeof value === 'number');
  return numbers.length === 0 ? null : Math.min(...numbers);
}

const checkRequestSchema = once(() =>
  checkOf(parsedJson(readFileSync(new URL('request.schema.json', import.meta.url), 'utf8')) as JsonObject),
);

type FieldViolation = readonly [param: string, message: string];

/** The 400 answer of a careful service to the first malformed field; null when the request is valid. */
export function checkRequest(request: ChatRequest): ServiceError | null {
  const violation = wrongField(request.body) ?? wrongChoice(request) ?? wrongSchema(request);
  return violation === null ? null : serviceError(400, violation[1], violation[0]);
}

function wrongField(body: JsonObject): FieldViolation | null {
  const [error] = checkRequestSchema()(body);
  if (error === undefined) return null;
  const { missingProperty, allowedValues } = error.params as {
    readonly missingProperty?: string;
    readonly allowedValues?: readonly string[];
  };
  const steps = [...pointerSteps(error.instancePath), ...(missingProperty === undefined ? [] : [missingProperty])];
  const param = steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step}`)).join('');
  const message = allowedValues === undefined ? error.message : `must be one of ${allowedValues.join(', ')}`;
  const expected = missingProperty === undefined ? (message ?? 'is not valid') : 'is required';
  return [param.slice(1), `${param.slice(1)} ${expected}`];
}

function wrongChoice({ body, toolChoice, tools }: ChatRequest): FieldViolation | null {
  const value = body['tool_choice'];
  if (value === undefined || value === null || value === 'none' || value === 'auto') return null;
  const names = requiredFunctionNames(toolChoice);
  if (names === null || names.includes('')) {
    return ['tool_choice', 'tool_choice must be none, auto, required, or an object that names a function'];
  }
  if (tools.length === 0) return ['tool_choice', 'tool_choice is only allowed when tools are given'];
  if (toolChoice.kind === 'allowed' && toolChoice.mode !== 'auto' && toolChoice.mode !== 'required') {
    return ['tool_choice.allowed_tools.mode', 'tool_choice.allowed_tools.mode must be auto or required'];
  }
  const missing = names.find((name) => !tools.some((tool) => tool.name === name));
  if (missing === undefined) return null;
  const place = toolChoice.kind === 'allowed' ? 'allowed_tools.tools' : 'function.name';
  return [`tool_choice.${place}`, `tool_choice names ${writtenJson(missing)}, which no tool declares`];
}

/** The functions that a choice names; null where it is none of the known forms. */
function requiredFunctionNames(choice: ChatRequest['toolChoice']): readonly string[] | null {
  if (choice.kind === 'required') return [];
  if (choice.kind === 'object') return [choice.name];
  return choice.kind === 'allowed' && choice.names.length > 0 ? choice.names : null;
}

function wrongSchema({ responseFormat, tools }: ChatRequest): FieldViolation | null {
  const schemas: readonly (readonly [string, Json])[] = [
    ...(responseFormat.kind === 'json_schema'
      ? [['response_format.json_schema.schema', responseFormat.schema] as const]
      : []),
    ...tools.map(({ parameters }, index) => [`tools[${index}].function.parameters`, parameters] as const),
  ];
  for (const [param, schema] of schemas) {
    const problem = compileProblem(schema);
    if (problem !== null) return [param, `Invalid schema: ${problem}`];
  }
  return null;
}
