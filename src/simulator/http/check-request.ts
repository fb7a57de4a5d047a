import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ChatRequest } from './request.js';
import { compileProblem } from '../values/schema-check.js';
import { serviceError, type ServiceError } from './service-error.js';

type Violation = readonly [param: string, message: string] | null;

/** The 400 answer of a careful service to the first malformed field; null when the request is valid. */
export async function checkRequest(request: ChatRequest): Promise<ServiceError | null> {
  for (const check of checks) {
    const violation = await check(request.body, request);
    if (violation !== null) return serviceError(400, violation[1], violation[0]);
  }
  return null;
}

const checks: readonly ((body: JsonObject, request: ChatRequest) => Violation | Promise<Violation>)[] = [
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
  (body) =>
    violationUnless(
      absent(body['stream']) || typeof body['stream'] === 'boolean',
      'stream',
      'stream must be true or false',
    ),
  (body) => checkResponseFormat(body['response_format']),
  (body) => checkTools(body['tools']),
  (body, request) => checkToolChoice(body['tool_choice'], request),
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

function wholeNumber(body: JsonObject, name: string): Violation {
  const value = body[name];
  const valid = absent(value) || (Number.isInteger(value) && inRange(value, 1, Number.MAX_SAFE_INTEGER));
  return violationUnless(valid, name, `${name} must be a whole number of at least 1`);
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

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

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
    const name = tool['function']['name'];
    if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
      return [`tools[${index}].function.name`, `tools[${index}].function.name must be a name`];
    const parameters = tool['function']['parameters'];
    if (!absent(parameters) && !isObject(parameters))
      return [
        `tools[${index}].function.parameters`,
        `tools[${index}].function.parameters must be a JSON Schema object`,
      ];
  }
  return null;
}

function checkToolChoice(value: Json | undefined, request: ChatRequest): Violation {
  if (absent(value) || value === 'none' || value === 'auto') return null;
  if (value !== 'required' && request.toolChoice.kind !== 'object')
    return ['tool_choice', 'tool_choice must be none, auto, required, or an object that names a function'];
  if (request.tools.length === 0) return ['tool_choice', 'tool_choice is only allowed when tools are given'];
  if (request.toolChoice.kind !== 'object') return null;
  const { name } = request.toolChoice;
  const declared = request.tools.some((tool) => tool.name === name);
  return violationUnless(
    declared,
    'tool_choice.function.name',
    `tool_choice names ${JSON.stringify(name)}, which no tool declares`,
  );
}

async function checkSchemas({ responseFormat, tools }: ChatRequest): Promise<Violation> {
  if (responseFormat.kind === 'json_schema') {
    const problem = await compileProblem(responseFormat.schema);
    if (problem !== null) return ['response_format.json_schema.schema', `Invalid schema: ${problem}`];
  }
  for (const [index, tool] of tools.entries()) {
    const problem = await compileProblem(tool.parameters);
    if (problem !== null) return [`tools[${index}].function.parameters`, `Invalid schema: ${problem}`];
  }
  return null;
}
