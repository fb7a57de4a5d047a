import { isObject, type Json, type JsonObject } from '../../json/json.js';
import type { CapabilityEntry, CapabilityMap } from '../../capabilities/load-capabilities.js';

type Flags = Readonly<Record<string, boolean>>;

/** Which capabilities a flag of another catalogue stands for: one of them is enough. */
type Table = Readonly<Record<string, readonly string[]>>;

/** `supports_*` of LiteLLM's table of models. Source: BerriAI/litellm, model_prices_and_context_window.json. */
const litellm: Table = {
  supports_function_calling: ['tools', 'tool_choice.required', 'tool_choice.object', 'tool_choice.auto'],
  supports_tool_choice: ['tool_choice.required', 'tool_choice.object'],
  supports_response_schema: ['json_schema'],
  supports_native_streaming: ['stream.chat'],
  supports_reasoning: ['thinking.enabled'],
};

/** Fields of a model of models.dev. Source: anomalyco/models.dev, README. */
const modelsDev: Table = {
  tool_call: ['tools', 'tool_choice.required', 'tool_choice.object', 'tool_choice.auto'],
  structured_output: ['json_schema'],
  reasoning: ['thinking.enabled'],
};

/** Parameters that OpenRouter lists for a model. Source: OpenRouter's API reference, models, supported_parameters. */
const openRouter: Table = {
  tools: ['tools', 'tool_choice.required', 'tool_choice.object', 'tool_choice.auto'],
  tool_choice: ['tool_choice.required', 'tool_choice.object'],
  response_format: ['json_object'],
  structured_outputs: ['json_schema'],
  reasoning: ['thinking.enabled'],
};

/** What a catalogue says of a model and a run has measured, where they differ. */
export interface WrongDeclaration {
  /** `TARGET/MODEL` */
  readonly model: string;
  readonly flag: string;
  readonly declared: boolean;
  /** The capabilities that the flag stands for, with their trials. */
  readonly measured: readonly Pick<CapabilityEntry, 'capability' | 'verdict' | 'trials' | 'evidence'>[];
}

/**
 * Compares what others declare with what was measured: LiteLLM's table of models, models.dev's api.json or OpenRouter's
 * list of models. A model is looked up by its id, then by what stands behind the last slash of the ids there.
 * @returns null: none of the run's models is in the file
 */
export function wrongDeclarations(map: CapabilityMap, file: Json): readonly WrongDeclaration[] | null {
  const declared = declaredModels(file);
  const known = map.models.flatMap(({ id, model }) => {
    const said = declared.get(model) ?? [...declared].find(([name]) => name.split('/').at(-1) === model)?.[1];
    return said === undefined ? [] : [{ id, said }];
  });
  if (known.length === 0) return null;
  return known.flatMap(({ id, said: { table, flags } }) => {
    const entries = map.capabilities.filter(({ model }) => model === id);
    const measured = flagsOf(table, entries);
    return Object.entries(flags).flatMap(([flag, isDeclared]) =>
      measured[flag] === undefined || measured[flag] === isDeclared
        ? []
        : [{ model: id, flag, declared: isDeclared, measured: entriesOf(table[flag] ?? [], entries) }],
    );
  });
}

function entriesOf(capabilities: readonly string[], entries: readonly CapabilityEntry[]): WrongDeclaration['measured'] {
  const own = entries.filter(({ capability, supported }) => supported !== null && capabilities.includes(capability));
  return own.map(({ capability, verdict, trials, evidence }) => ({ capability, verdict, trials, evidence }));
}

interface DeclaredModel {
  readonly table: Table;
  readonly flags: Flags;
}

/** By id. The shape tells whose file it is. */
function declaredModels(file: Json): ReadonlyMap<string, DeclaredModel> {
  const { data } = isObject(file) ? file : {};
  if (Array.isArray(data)) return new Map(data.filter(isObject).flatMap(ofOpenRouter));
  const entries = isObject(file) ? Object.entries(file) : [];
  return new Map(
    entries.flatMap(([id, fields]) => {
      if (!isObject(fields)) return [];
      const { models } = fields;
      if (isObject(models)) {
        return Object.entries(models).map(([name, own]) => [name, declaredIn(modelsDev, own)] as const);
      }
      const table = Object.keys(fields).some((name) => name.startsWith('supports_')) ? litellm : modelsDev;
      return [[id, declaredIn(table, fields)] as const];
    }),
  );
}

function ofOpenRouter({ id, supported_parameters: listed }: JsonObject): (readonly [string, DeclaredModel])[] {
  if (typeof id !== 'string' || !Array.isArray(listed)) return [];
  const flags = Object.fromEntries(Object.keys(openRouter).map((name) => [name, listed.includes(name)]));
  return [[id, { table: openRouter, flags }]];
}

function declaredIn(table: Table, fields: Json): DeclaredModel {
  const said = isObject(fields) ? Object.entries(fields) : [];
  const flags = said.filter((one): one is [string, boolean] => one[0] in table && typeof one[1] === 'boolean');
  return { table, flags: Object.fromEntries(flags) };
}

type SupportsFlags = Readonly<Record<string, boolean | string>>;

/** By model: the flags as LiteLLM reads them. What was not measured is left out. */
export function litellmFlags(map: CapabilityMap): Readonly<Record<string, SupportsFlags>> {
  return byModel(map, (entries) => ({ mode: 'chat', ...flagsOf(litellm, entries) }));
}

/** By model: the fields of models.dev that a conformance run measures. What was not measured is left out. */
export function modelsDevFields(map: CapabilityMap): Readonly<Record<string, SupportsFlags>> {
  return byModel(map, (entries, id) => ({ id, ...flagsOf(modelsDev, entries) }));
}

/** By the id that the service knows; by TARGET/MODEL where several targets have a model of that id. */
function byModel(
  { models, capabilities }: CapabilityMap,
  fieldsOf: (entries: readonly CapabilityEntry[], id: string) => SupportsFlags,
): Readonly<Record<string, SupportsFlags>> {
  return Object.fromEntries(
    models.map(({ id, model }) => {
      const name = models.filter((other) => other.model === model).length === 1 ? model : id;
      return [
        name,
        fieldsOf(
          capabilities.filter((entry) => entry.model === id),
          name,
        ),
      ] as const;
    }),
  );
}

function flagsOf(table: Table, entries: readonly CapabilityEntry[]): Flags {
  const supported = new Map(entries.map((entry) => [entry.capability, entry.supported]));
  return Object.fromEntries(
    Object.entries(table).flatMap(([flag, capabilities]) => {
      const known = capabilities.flatMap((capability) => supported.get(capability) ?? []);
      return known.length === 0 ? [] : [[flag, known.includes(true)]];
    }),
  );
}
