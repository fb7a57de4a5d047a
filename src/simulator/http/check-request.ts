import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ChatRequest } from './request.js';
import { compileProblem } from '../values/schema-check.js';
import { serviceError, type ServiceError } from './service-error.js';

type Violation = readonly [param: string, message: string] | null;

/** The 400 answer of a careful service to the first malformed field; null when the request is valid. */
export function checkRequest(request: ChatRequest): ServiceError | null {
  for (const check of checks) {
    const violation = check(request.body, request);
    if (violation !== null) return serviceError(400, violation[1], violation[0]);
  }
  return null;
}

const checks: readonly ((body: JsonObject, request: ChatRequest) => Violation)[] = [
  (body) =>
    violationUnless(
      typeof body['model'] === 'string' && body['model'] !== '',
      'model',
      'model must be a non-empty string',
    ),
  (body) => checkMessages(body['messages']),
  (body) => wholeNumber(body, 'max_tokens'),
  (body) => wholeNumber(body, 'max_completion_tokens'),
  (body) =>
    violationUnless(
      absent(body['temperature']) || inRange(body['temperature'], 0, 2),
      'temperature',
      'temperature must be a number from 0 to 2',
    ),
  (body) => flag(body, 'stream'),
  (body) => flag(body, 'logprobs'),
  (body) => flag(body, 'parallel_tool_calls'),
  (body) => wholeNumber(body, 'n', { least: 1, most: 128 }),
  (body) => wholeNumber(body, 'seed', { least: Number.MIN_SAFE_INTEGER }),
  (body) => wholeNumber(body, 'top_logprobs', { least: 0, most: 20 }),
  (body) =>
    violationUnless(
      absent(body['top_logprobs']) || body['logprobs'] === true,
      'top_logprobs',
      'top_logprobs is only allowed when logprobs is true',
    ),
  (body) => checkStop(body['stop']),
  (body) => checkResponseFormat(body['response_format']),
  (body) => checkTools(body['tools']),
  (body) => checkFunctions(body),
  (_body, request) => checkToolChoice(request.legacyCalls ? 'function_call' : 'tool_choice', request),
  (_body, request) => checkSchemas(request),
];

function violationUnless(valid: boolean, param: string, message: string): Violation {
  return valid ? null : [param, message];
}

function absent(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function inRange(value: Json | undefined, least: number, most: number): boolean {
  return typeof value === 'number' && value >= least && value <= most;
}

function flag(body: JsonObject, name: string): Violation {
  return violationUnless(isFlag(body[name]), name, `${name} must be true or false`);
}

function isFlag(value: Json | undefined): boolean {
  return absent(value) || typeof value === 'boolean';
}

function wholeNumber(
  body: JsonObject,
  name: string,
  { least, most }: { least: number; most?: number } = { least: 1 },
): Violation {
  const value = body[name];
  const valid = absent(value) || (Number.isInteger(value) && inRange(value, least, most ?? Number.MAX_SAFE_INTEGER));
  const range = most !== undefined ? ` from ${least} to ${most}` : least < 0 ? '' : ` of at least ${least}`;
  return violationUnless(valid, name, `${name} must be a whole number${range}`);
}

function checkStop(value: Json | undefined): Violation {
  if (absent(value)) return null;
  const texts = [value ?? null].flat();
  const valid = texts.length <= 4 && texts.every((text) => typeof text === 'string' && text !== '');
  return violationUnless(valid, 'stop', 'stop must be a text, or a list of at most 4 texts, none of them empty');
}

function checkMessages(value: Json | undefined): Violation {
  if (!Array.isArray(value)) return ['messages', 'messages must be an array'];
  const messages = value as readonly Json[];
  if (messages.length === 0) return ['messages', 'messages must not be empty'];
  for (const [index, message] of messages.entries()) {
    if (!isObject(message)) return [`messages[${index}]`, `messages[${index}] must be an object`];
    if (!roles.some((role) => role === message['role']))
      return [`messages[${index}].role`, `messages[${index}].role must be one of ${roles.join(', ')}`];
    const content = message['content'];
    const valid = typeof content === 'string' || Array.isArray(content) || absent(content);
    if (!valid) return [`messages[${index}].content`, `messages[${index}].content must be a string`];
  }
  return null;
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool', 'function'];

function checkResponseFormat(value: Json | undefined): Violation {
  if (absent(value)) return null;
  const type = isObject(value) ? value['type'] : undefined;
  if (!isObject(value) || (type !== 'text' && type !== 'json_object' && type !== 'json_schema'))
    return ['response_format.type', 'response_format.type must be one of text, json_object, json_schema'];
  if (type !== 'json_schema') return null;
  const wanted = value['json_schema'];
  if (!isObject(wanted)) return ['response_format.json_schema', 'response_format.json_schema must be an object'];
  if (typeof wanted['name'] !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(wanted['name']))
    return ['response_format.json_schema.name', 'json_schema.name must consist of 1 to 64 letters, digits, _ and -'];
  if (!isFlag(wanted['strict']))
    return ['response_format.json_schema.strict', 'json_schema.strict must be true or false'];
  if (!isObject(wanted['schema']))
    return ['response_format.json_schema.schema', 'json_schema.schema must be a JSON Schema object'];
  return null;
}

function checkTools(value: Json | undefined): Violation {
  if (absent(value)) return null;
  if (!Array.isArray(value)) return ['tools', 'tools must be an array'];
  for (const [index, tool] of (value as readonly Json[]).entries()) {
    if (!isObject(tool) || tool['type'] !== 'function' || !isObject(tool['function']))
      return [`tools[${index}]`, `tools[${index}] must be {type: "function", function: {...}}`];
    const violation = checkFunction(tool['function'], `tools[${index}].function`);
    if (violation !== null) return violation;
  }
  return null;
}

/** The retired way to declare tools. */
function checkFunctions(body: JsonObject): Violation {
  const { functions, function_call: call } = body;
  if (absent(functions))
    return violationUnless(absent(call), 'function_call', 'function_call is only allowed when functions are given');
  if (!absent(body['tools'])) return ['functions', 'functions and tools cannot be used together'];
  if (!Array.isArray(functions) || functions.length === 0)
    return ['functions', 'functions must be an array, not empty'];
  for (const [index, declared] of (functions as readonly Json[]).entries()) {
    if (!isObject(declared)) return [`functions[${index}]`, `functions[${index}] must be an object`];
    const violation = checkFunction(declared, `functions[${index}]`);
    if (violation !== null) return violation;
  }
  return null;
}

function checkFunction({ name, parameters, strict }: JsonObject, place: string): Violation {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    return [`${place}.name`, `${place}.name must be a name`];
  if (!isFlag(strict)) return [`${place}.strict`, `${place}.strict must be true or false`];
  const valid = absent(parameters) || isObject(parameters);
  return violationUnless(valid, `${place}.parameters`, `${place}.parameters must be a JSON Schema object`);
}

function checkToolChoice(field: 'tool_choice' | 'function_call', request: ChatRequest): Violation {
  const value = request.body[field];
  if (absent(value) || value === 'none' || value === 'auto') return null;
  const { toolChoice, tools, legacyCalls } = request;
  const names = namesIn(toolChoice);
  if (names === null || names.includes('')) {
    const texts = legacyCalls ? 'none, auto' : 'none, auto, required';
    return [field, `${field} must be ${texts}, or an object that names a function`];
  }
  if (tools.length === 0) return [field, `${field} is only allowed when tools are given`];
  if (toolChoice.kind === 'allowed' && toolChoice.mode !== 'auto' && toolChoice.mode !== 'required')
    return [`${field}.allowed_tools.mode`, `${field}.allowed_tools.mode must be auto or required`];
  const missing = names.find((name) => !tools.some((tool) => tool.name === name));
  const place = toolChoice.kind === 'allowed' ? '.allowed_tools.tools' : legacyCalls ? '.name' : '.function.name';
  return violationUnless(
    missing === undefined,
    field + place,
    `${field} names ${JSON.stringify(missing)}, which no tool declares`,
  );
}

/** The functions that a choice names; null where it is none of the known forms. */
function namesIn(choice: ChatRequest['toolChoice']): readonly string[] | null {
  switch (choice.kind) {
    case 'required':
      return [];
    case 'object':
      return [choice.name];
    case 'allowed':
      return choice.names.length === 0 ? null : choice.names;
    case 'absent':
    case 'none':
    case 'auto':
      return null;
  }
}

function checkSchemas({ responseFormat, tools }: ChatRequest): Violation {
  if (responseFormat.kind === 'json_schema') {
    const problem = compileProblem(responseFormat.schema);
    if (problem !== null) return ['response_format.json_schema.schema', `Invalid schema: ${problem}`];
  }
  for (const [index, tool] of tools.entries()) {
    const problem = compileProblem(tool.parameters);
    if (problem !== null) return [`tools[${index}].function.parameters`, `Invalid schema: ${problem}`];
  }
  return null;
}
