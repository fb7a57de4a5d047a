import { stringify } from 'yaml';
import { isObject, type Json, type JsonObject } from '../json/json.js';
import type { RequestShape } from './shape.js';

/** A limit that leaves room for reasoning; a shape does not say which one the application sends. */
const outputTokens = 2048;

/**
 * A suite that verifies recorded shapes: each form with the application's own schemas, tools, choice and stream. Prompts
 * are no part of a shape, so that the suite asks for plausible values; put the application's own texts in their place.
 * Shapes that are no chat completion are left out.
 */
export function suiteOf(shapes: readonly RequestShape[], name: string): string {
  const probes = new Map<string, JsonObject>();
  for (const { request, call, body } of shapes) {
    if (!/\/chat\/completions/.test(request) || !isObject(body)) continue;
    const probe = {
      title: call,
      capability: `app.${slug(call)}`,
      tags: ['nightly'],
      request: requestOf(body),
    };
    probes.set(uniqueName(slug(call), probes), probe);
  }
  const head = `# Made from shapes.lock.yaml by chatspec shapes to-suite. The prompts are placeholders: put your own in their place.\n`;
  const suite = { suite: name, title: 'What the application sends', probes: Object.fromEntries(probes) };
  return head + stringify(suite, { lineWidth: 120, aliasDuplicateObjects: false });
}

function requestOf(body: JsonObject): JsonObject {
  const {
    response_format: format,
    tools,
    tool_choice: choice,
    stream,
    stream_options: options,
    parallel_tool_calls: parallel,
  } = body;
  const cap = 'max_completion_tokens' in body ? 'max_completion_tokens' : 'max_tokens';
  const named = (tools === undefined ? null : namesOf(tools)) ?? [];
  return {
    messages: [{ role: 'user', content: promptFor(format, named) }],
    [cap]: outputTokens,
    ...(format !== undefined && { response_format: withName(format) }),
    ...(tools !== undefined && { tools: withNames(tools) }),
    ...(choice !== undefined && { tool_choice: isObject(choice) ? objectChoice(named) : choice }),
    ...(stream === true && { stream }),
    ...(options !== undefined && { stream_options: options }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
    ...(isObject(body['thinking']) && { thinking: body['thinking'] }),
    ...(typeof body['reasoning_effort'] === 'string' && { reasoning_effort: body['reasoning_effort'] }),
  };
}

/** Names are no part of a shape, but a request needs them. */
const toolName = (index: number): string => `tool_${index + 1}`;

const namesOf = (tools: Json): readonly string[] =>
  Array.isArray(tools) ? (tools as readonly Json[]).map((_, index) => toolName(index)) : [];

function withNames(tools: Json): Json {
  if (!Array.isArray(tools)) return tools;
  return (tools as readonly Json[]).map((tool, index) => {
    if (!isObject(tool) || !isObject(tool['function'])) return tool;
    const { parameters, strict } = tool['function'];
    return {
      type: 'function',
      function: {
        name: toolName(index),
        ...(parameters !== undefined && { parameters }),
        ...(strict !== undefined && { strict }),
      },
    };
  });
}

function withName(format: Json): Json {
  if (!isObject(format) || !isObject(format['json_schema'])) return format;
  const { schema, strict } = format['json_schema'];
  return {
    type: 'json_schema',
    json_schema: { name: 'answer', ...(strict !== undefined && { strict }), ...(schema !== undefined && { schema }) },
  };
}

const objectChoice = (names: readonly string[]): Json => ({
  type: 'function',
  function: { name: names[0] ?? toolName(0) },
});

function promptFor(format: Json | undefined, tools: readonly string[]): string {
  if (tools.length > 0) return `Call ${tools[0] ?? ''} with plausible values.`;
  return format === undefined
    ? 'Say hello in one sentence.'
    : 'Answer with a JSON object that has plausible values in all fields.';
}

const slug = (call: string): string =>
  call
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '') || 'call';

function uniqueName(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`;
    if (!taken.has(name)) return name;
  }
}
