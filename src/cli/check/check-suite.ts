import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { ModelConfig } from '../../config/config.js';
import type { Question } from './question.js';

/** The axes by which a cell of the suite differs from its form alone. */
export const capAxis = 'max_tokens';
export const strictAxis = 'strict';
export const choiceAxis = 'tool_choice';
/** Of the probes whose trials confirm what others chose. */
export const againTag = 'again';

/**
 * The suite of a check: one schema and one prompt in each form that can carry them, over caps and over the model's settings,
 * and all of it again, for fresh trials of what was chosen.
 * @param caps values of max_tokens; empty: what the config sends is not varied
 */
export function checkSuite(question: Question, { settings }: ModelConfig, caps: readonly number[]): JsonObject {
  const { schema, prompt, name } = question;
  const tool = { name, description: 'Takes the result.', strict: true, parameters: schema };
  const inPrompt = `Return only one JSON object that conforms to this JSON Schema, and nothing else.\n\n${JSON.stringify(schema)}`;
  const asked = (system: string): Json => [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ];
  const constrained: Probe = {
    ...{ title: 'The schema in response_format', capability: 'json_schema' },
    request: {
      messages: asked('Return only JSON that matches the requested schema.'),
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
    },
    vary: { [strictAxis]: { at: '/response_format/json_schema/strict', points: { true: true, false: false } } },
  };
  const forms: Readonly<Record<string, Probe>> = !takesObjects(schema)
    ? { 'json-schema': constrained }
    : {
        'json-schema': constrained,
        'tool-call': {
          ...{ title: 'The schema as the parameters of a function', capability: `tool_choice.{{${choiceAxis}}}` },
          request: {
            messages: asked('Call the function with what the text says.'),
            tools: [{ type: 'function', function: tool }],
          },
          vary: { [choiceAxis]: { required: 'required', object: { type: 'function', function: { name } } } },
        },
        'json-object': {
          ...{ title: 'json_object, with the schema in the prompt', capability: 'json_object', expect: { schema } },
          request: { messages: asked(inPrompt), response_format: { type: 'json_object' } },
          vary: {},
        },
      };
  const probes = [null, ...Object.keys(settings)].flatMap((setting) =>
    Object.entries(forms).flatMap(([form, probe]) =>
      [false, true].map((again) => {
        const parts = [form, ...(setting === null ? [] : [setting]), ...(again ? ['again'] : [])];
        const vary = {
          ...probe.vary,
          ...(setting !== null && { [setting]: { settings: setting } }),
          ...(caps.length > 0 && { [capAxis]: caps }),
        };
        const key = parts
          .join('-')
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, '-');
        return [key, { ...probe, vary, ...(again && { tags: [againTag] }) }] as const;
      }),
    ),
  );
  const { value, vars } = withoutTemplates(Object.fromEntries(probes));
  return { suite: 'check', title: `${name}: one schema and one prompt`, vars, probes: value };
}

interface Probe extends JsonObject {
  readonly capability: string;
  readonly vary: JsonObject;
}

/** Whether an object can conform: only those can be arguments of a function, or come with json_object. */
function takesObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

/** The value with every text that would be read as a template behind a variable, since values are never templates. */
function withoutTemplates(whole: JsonObject): { readonly value: Json; readonly vars: JsonObject } {
  const vars: Record<string, Json> = {};
  const hidden = (part: Json): Json => {
    if (typeof part === 'string') {
      if (!part.includes('{{') || part === `tool_choice.{{${choiceAxis}}}`) return part;
      const name = `text${Object.keys(vars).length}`;
      vars[name] = part;
      return `{{${name}}}`;
    }
    if (Array.isArray(part)) return (part as readonly Json[]).map(hidden);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, hidden(member)]));
  };
  return { value: hidden(whole), vars };
}
