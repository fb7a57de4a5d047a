import { readFileSync } from 'node:fs';
import type { Json, JsonObject } from '../../json/json.js';
import { once } from '../../json/remembered.js';
import { pointerSteps } from '../../json/pointer.js';
import { checkOf, compileProblem } from '../values/schema-check.js';
import type { ChatRequest } from './request.js';
import { serviceError, type ServiceError } from './response.js';

const check = once(() =>
  checkOf(JSON.parse(readFileSync(new URL('request.schema.json', import.meta.url), 'utf8')) as JsonObject),
);

type Violation = readonly [param: string, message: string];

/** The 400 answer of a careful service to the first malformed field; null when the request is valid. */
export function checkRequest(request: ChatRequest): ServiceError | null {
  const violation = wrongField(request.body) ?? wrongChoice(request) ?? wrongSchema(request);
  return violation === null ? null : serviceError(400, violation[1], violation[0]);
}

function wrongField(body: JsonObject): Violation | null {
  const [error] = check()(body);
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

function wrongChoice({ body, toolChoice, tools }: ChatRequest): Violation | null {
  const value = body['tool_choice'];
  if (value === undefined || value === null || value === 'none' || value === 'auto') return null;
  const names = namesIn(toolChoice);
  if (names === null || names.includes(''))
    return ['tool_choice', 'tool_choice must be none, auto, required, or an object that names a function'];
  if (tools.length === 0) return ['tool_choice', 'tool_choice is only allowed when tools are given'];
  if (toolChoice.kind === 'allowed' && toolChoice.mode !== 'auto' && toolChoice.mode !== 'required')
    return ['tool_choice.allowed_tools.mode', 'tool_choice.allowed_tools.mode must be auto or required'];
  const missing = names.find((name) => !tools.some((tool) => tool.name === name));
  if (missing === undefined) return null;
  const place = toolChoice.kind === 'allowed' ? 'allowed_tools.tools' : 'function.name';
  return [`tool_choice.${place}`, `tool_choice names ${JSON.stringify(missing)}, which no tool declares`];
}

/** The functions that a choice names; null where it is none of the known forms. */
function namesIn(choice: ChatRequest['toolChoice']): readonly string[] | null {
  if (choice.kind === 'required') return [];
  if (choice.kind === 'object') return [choice.name];
  return choice.kind === 'allowed' && choice.names.length > 0 ? choice.names : null;
}

function wrongSchema({ responseFormat, tools }: ChatRequest): Violation | null {
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
