import type { ModelConfig } from '../../config/config.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { Axis, PointValue, Probe, Suite } from '../../suite/probe.js';
import type { Question } from './question.js';

/** The axes by which a cell of the suite differs from its form alone. */
export const capAxis = 'max_tokens';
export const strictAxis = 'strict';
export const choiceAxis = 'tool_choice';

const place = { file: '', line: 1, column: 1 };

/**
 * One schema and one prompt in each form that can carry them, over caps and over the model's settings, and all of it again,
 * for trials that confirm what was chosen.
 * @param caps values of max_tokens; empty: what the config sends is not varied
 */
export function checkSuite(question: Question, model: ModelConfig, caps: readonly number[]): Suite {
  const forms = formsFor(question);
  const settings = Object.keys(model.settings).map((name): Setting => ({ name, ...labelsOf(model, name) }));
  const probes = [null, ...settings.filter(({ changing }) => changing.length > 0)].flatMap((setting) =>
    forms.flatMap((form) => [false, true].map((again) => probeOf(form, { setting, caps, again }))),
  );
  return {
    ...{ name: 'check', title: `${question.name}: one schema and one prompt`, file: question.schemaFile },
    ...{ probes, behaviours: [], families: [], forms: [], evidence: [] },
  };
}

/** A setting of the config, with the labels under which the body differs from the plain one, and the others. */
interface Setting {
  readonly name: string;
  readonly changing: readonly string[];
  readonly idle: readonly string[];
}

function labelsOf({ settings }: ModelConfig, name: string): Omit<Setting, 'name'> {
  const entries = Object.entries(settings[name] ?? {});
  const isIdle = (patch: JsonObject | null): boolean => patch === null || Object.keys(patch).length === 0;
  return {
    changing: entries.flatMap(([label, patch]) => (isIdle(patch) ? [] : [label])),
    idle: entries.flatMap(([label, patch]) => (isIdle(patch) ? [label] : [])),
  };
}

interface Form {
  readonly probe: string;
  readonly title: string;
  readonly capability: string;
  readonly request: JsonObject;
  readonly axes: readonly Axis[];
  readonly schema: Json | null;
  readonly vars: JsonObject;
}

function formsFor({ schema, prompt, name }: Question): readonly Form[] {
  const { value: sent, vars } = withoutTemplates({
    ...{ schema, text: prompt, name },
    inPrompt: `Return only one JSON object that conforms to this JSON Schema, and nothing else.\n\n${JSON.stringify(schema)}`,
  });
  const { text, inPrompt } = sent;
  const advised = 'Return only JSON that matches the requested schema.';
  const asked = (system: Json): Json => [
    { role: 'system', content: system },
    { role: 'user', content: text },
  ];
  const constrained: Form = {
    ...{ probe: 'json-schema', title: 'The schema in response_format', capability: 'json_schema', schema: null, vars },
    request: {
      messages: asked(advised),
      response_format: { type: 'json_schema', json_schema: { name, strict: true, schema: sent.schema } },
    },
    axes: [values(strictAxis, ['response_format', 'json_schema', 'strict'], { true: true, false: false })],
  };
  if (!takesObjects(schema)) return [constrained];
  return [
    constrained,
    {
      ...{ probe: 'tool-call', title: 'The schema as the parameters of a function', schema: null, vars },
      capability: `tool_choice.{{${choiceAxis}}}`,
      request: {
        messages: asked('Call the function with what the text says.'),
        tools: [
          {
            type: 'function',
            function: { name, description: 'Takes the result.', strict: true, parameters: sent.schema },
          },
        ],
      },
      axes: [
        values(choiceAxis, [choiceAxis], { required: 'required', object: { type: 'function', function: { name } } }),
      ],
    },
    {
      ...{ probe: 'json-object', title: 'json_object, with the schema in the prompt', capability: 'json_object' },
      ...{ schema, vars, axes: [] },
      request: { messages: asked(inPrompt), response_format: { type: 'json_object' } },
    },
  ];
}

/** Whether an object can conform: only those can be arguments of a function, or come with json_object. */
export function takesObjects({ type }: JsonObject): boolean {
  return type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'));
}

interface Variation {
  readonly setting: Setting | null;
  readonly caps: readonly number[];
  readonly again: boolean;
}

function probeOf(form: Form, { setting, caps, again }: Variation): Probe {
  const byCap = Object.fromEntries(caps.map((cap) => [String(cap), cap]));
  const parts = [form.probe, ...(setting === null ? [] : [setting.name]), ...(again ? ['again'] : [])];
  const request = { kind: 'ask', id: 'request', request: form.request } as const;
  return {
    ...{
      suite: 'check',
      name: parts
        .join('-')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-'),
    },
    ...{ title: form.title, capability: form.capability, tags: again ? ['again'] : [] },
    axes: [
      ...form.axes,
      ...(setting === null ? [] : [{ kind: 'settings', name: setting.name, settings: setting.name } as const]),
      ...(caps.length === 0 ? [] : [{ ...values(capAxis, [capAxis], byCap), listed: true }]),
    ],
    steps: [{ ...request, expect: form.schema === null ? {} : { schema: form.schema } }],
    exclude: setting === null ? [] : [...setting.idle.map((label) => ({ [setting.name]: label })), ...looseOf(form)],
    ...{ needs: [], combine: 'product', fill: 0, include: [], when: [], samples: [], split: [] },
    ...{ vars: form.vars, trials: null, retry: null, find: null, enforce: null, place },
  };
}

/** Settings are tried with strict schemas alone. */
function looseOf({ axes }: Form): readonly { readonly [strictAxis]: string }[] {
  return axes.some(({ name }) => name === strictAxis) ? [{ [strictAxis]: 'false' }] : [];
}

function values(
  name: string,
  at: readonly string[],
  points: Readonly<Record<string, Json>>,
): Axis & { kind: 'values' } {
  const pointOf = (value: Json): PointValue => ({ kind: 'value', value });
  return {
    ...{ kind: 'values', name, at, listed: false },
    points: new Map(Object.entries(points).map(([label, value]) => [label, pointOf(value)])),
  };
}

/** The value with every text that would be read as a template behind a variable, since values are never templates. */
function withoutTemplates<T extends JsonObject>(value: T): { readonly value: T; readonly vars: JsonObject } {
  const vars: Record<string, Json> = {};
  const hidden = (part: Json): Json => {
    if (typeof part === 'string') {
      if (!part.includes('{{')) return part;
      const name = `text${Object.keys(vars).length}`;
      vars[name] = part;
      return `{{${name}}}`;
    }
    if (Array.isArray(part)) return (part as readonly Json[]).map(hidden);
    if (!isObject(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, hidden(member)]));
  };
  return { value: hidden(value) as T, vars };
}
