import { stringify } from 'yaml';
import { isObject, objectsIn, type Json, type JsonObject } from '../json/json.js';
import { canonicalJson } from '../json/canonical-json.js';
import { unaskableReason, type RequestShape } from './shape-of.js';

/** A limit that leaves room for reasoning; a shape does not say which one the application sends. */
const defaultOutputTokens = 2048;

/**
 * A suite that verifies recorded shapes: each form with the application's own schemas, tools, choice and stream.
 * Prompts are no part of a shape, so that the suite asks for plausible values; put the application's own texts in
 * their place. Of equal requests, one is asked; what no run can ask is left out.
 */
export function suiteOf(shapes: readonly RequestShape[], suiteName: string): string {
  const probes = new Map<string, JsonObject>();
  const requests = new Set<string>();
  for (const shape of shapes) {
    const { call, body } = shape;
    if (unaskableReason(shape) !== null || !isObject(body)) continue;
    const request = probeRequestFrom(body);
    if (requests.has(canonicalJson(request))) continue;
    requests.add(canonicalJson(request));
    const probe = { title: call, capability: `app.${slug(call)}`, tags: ['nightly'], request };
    let name = slug(call);
    for (let number = 2; probes.has(name); number++) name = `${slug(call)}-${number}`;
    probes.set(name, probe);
  }
  const suite = { suite: suiteName, title: 'What the application sends', probes: Object.fromEntries(probes) };
  return `# Made from shapes.lock.yaml by chatspec shapes to-suite. The prompts are placeholders: put in your own.
${stringify(suite, { lineWidth: 120, aliasDuplicateObjects: false })}`;
}

/** Names are no part of a shape, but a request needs them. */
function probeRequestFrom(body: JsonObject): JsonObject {
  const { response_format: format, tools, tool_choice: choice, stream, ...others } = body;
  const cap = 'max_completion_tokens' in body ? 'max_completion_tokens' : 'max_tokens';
  const functions = (Array.isArray(tools) ? (tools as readonly Json[]) : []).map((tool, index) =>
    namedShapePart(isObject(tool) ? tool['function'] : undefined, `tool_${index + 1}`, ['strict', 'parameters']),
  );
  const promptOfFormat =
    format === undefined
      ? 'Say hello in one sentence.'
      : 'Answer with a JSON object that has plausible values in all fields.';
  const prompt = functions.length > 0 ? 'Call tool_1 with plausible values.' : promptOfFormat;
  const kept = ['stream_options', 'parallel_tool_calls', 'thinking', 'reasoning_effort'].flatMap((name) =>
    others[name] === undefined || others[name] === 'string' ? [] : [[name, others[name]] as const],
  );
  return {
    messages: [{ role: 'user', content: prompt }, ...toolTurn(body, functions.length > 0)],
    [cap]: defaultOutputTokens,
    ...(format !== undefined && {
      response_format:
        isObject(format) && isObject(format['json_schema'])
          ? { type: 'json_schema', json_schema: namedShapePart(format['json_schema'], 'answer', ['strict', 'schema']) }
          : format,
    }),
    ...(functions.length > 0 && { tools: functions.map((one) => ({ type: 'function', function: one })) }),
    ...(choice !== undefined && {
      tool_choice: isObject(choice) ? { type: 'function', function: { name: 'tool_1' } } : choice,
    }),
    ...(stream === true && { stream }),
    ...Object.fromEntries(kept),
  };
}

/** The call and its result, where the application sends one: a model has to go on from there. */
function toolTurn({ messages }: JsonObject, hasTools: boolean): readonly JsonObject[] {
  if (!objectsIn(messages).some(({ role }) => role === 'tool')) return [];
  const call = { name: hasTools ? 'tool_1' : 'lookup', arguments: '{}' };
  return [
    { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] },
    { role: 'tool', tool_call_id: 'call_1', content: '{"status":"done"}' },
  ];
}

/** The members that are part of a shape, under a name. */
function namedShapePart(value: Json | undefined, name: string, members: readonly string[]): JsonObject {
  const own = isObject(value) ? value : {};
  return { name, ...Object.fromEntries(members.flatMap((one) => (one in own ? [[one, own[one] ?? null]] : []))) };
}

const slug = (call: string): string =>
  call
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 40)
    .replace(/-+$/, '') || 'call';
