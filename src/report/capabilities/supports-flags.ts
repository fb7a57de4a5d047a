import type { CapabilityEntry, CapabilityMap } from '../../capabilities/capability-map.js';

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

type Fields = Readonly<Record<string, boolean | string>>;

/** By model: the flags as LiteLLM reads them. What was not measured is left out. */
export function litellmFlags(map: CapabilityMap): Readonly<Record<string, Fields>> {
  return byModel(map, (entries) => ({ mode: 'chat', ...flagsOf(litellm, entries) }));
}

/** By model: the fields of models.dev that a conformance run measures. What was not measured is left out. */
export function modelsDevFields(map: CapabilityMap): Readonly<Record<string, Fields>> {
  return byModel(map, (entries, id) => ({ id, ...flagsOf(modelsDev, entries) }));
}

/** By the id that the service knows; by TARGET/MODEL where several targets have a model of that id. */
function byModel(
  { models, capabilities }: CapabilityMap,
  fieldsOf: (entries: readonly CapabilityEntry[], id: string) => Fields,
): Readonly<Record<string, Fields>> {
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
