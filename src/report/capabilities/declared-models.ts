import { groupBy } from '../../json/group-by.js';
import { isObject, type Json, type JsonObject } from '../../json/json.js';

type Flags = Readonly<Record<string, boolean>>;

/** Capabilities that a flag of another catalogue stands for: one of them is enough. */
export type FlagTable = Readonly<Record<string, readonly string[]>>;

const tools = ['tools', 'tool_choice.required', 'tool_choice.object', 'tool_choice.auto'];
const choices = ['tool_choice.required', 'tool_choice.object'];

/**
 * `supports_*` of LiteLLM's table of models and of its proxy. Source: BerriAI/litellm,
 * model_prices_and_context_window.json and litellm/types/router.py.
 */
export const litellm: FlagTable = {
  supports_function_calling: tools,
  supports_tool_choice: choices,
  supports_response_schema: ['json_schema'],
  supports_native_streaming: ['stream.chat'],
  supports_reasoning: ['thinking.enabled'],
};

/** Fields of a model of models.dev. Source: anomalyco/models.dev, README. */
export const modelsDev: FlagTable = {
  tool_call: tools,
  structured_output: ['json_schema'],
  reasoning: ['thinking.enabled'],
};

/** Parameters that OpenRouter lists for a model. Source: OpenRouter's API reference, models, supported_parameters. */
const openRouter: FlagTable = {
  tools,
  tool_choice: choices,
  response_format: ['json_object'],
  structured_outputs: ['json_schema'],
  reasoning: ['thinking.enabled'],
};

/** Claims of a catalogue about one model. */
export interface DeclaredModel {
  readonly table: FlagTable;
  readonly flags: Flags;
  /** The day from which the model may be gone, as YYYY-MM-DD; null: none is named. */
  readonly goneFrom: string | null;
}

type Declaration = readonly [string, DeclaredModel];

/**
 * Claims of a file, by id; its shape tells whose it is: LiteLLM's table of models (model_prices), its proxy's
 * `/model/info` and `/model_group/info`, models.dev's api.json, or OpenRouter's `/models`. Of several deployments of
 * one id, one that declares something is enough, and the first to go counts.
 */
export function declaredModels(file: Json): ReadonlyMap<string, DeclaredModel> {
  const { data } = isObject(file) ? file : {};
  const found = data === undefined ? ofTable(file) : [data].flat().filter(isObject).flatMap(ofEntry);
  return new Map([...groupBy(found, ([id]) => id)].map(([id, all]) => [id, merged(all.map(([, one]) => one))]));
}

function merged(all: readonly DeclaredModel[]): DeclaredModel {
  const [first, ...others] = all as readonly [DeclaredModel, ...DeclaredModel[]];
  return others.reduce((one, { table, flags, goneFrom }) => {
    const said = Object.entries(flags).map(([name, declared]) => [name, declared || one.flags[name] === true] as const);
    const days = [one.goneFrom, goneFrom].flatMap((day) => day ?? []).sort();
    return { table, flags: { ...one.flags, ...Object.fromEntries(said) }, goneFrom: days[0] ?? null };
  }, first);
}

function ofTable(file: Json): readonly Declaration[] {
  return Object.entries(isObject(file) ? file : {}).flatMap(([id, fields]): readonly Declaration[] => {
    if (!isObject(fields)) return [];
    const { models } = fields;
    if (isObject(models)) {
      return Object.entries(models).map(([name, own]) => [name, declaredIn(modelsDev, isObject(own) ? own : {})]);
    }
    const isLiteLlm = Object.keys(fields).some((name) => name.startsWith('supports_') || name.startsWith('litellm_'));
    return [[id, declaredIn(isLiteLlm ? litellm : modelsDev, fields)]];
  });
}

/** An entry of a list: of LiteLLM's proxy, else of OpenRouter. */
function ofEntry(entry: JsonObject): readonly Declaration[] {
  const { id, model_name: name, model_group: group, model_info: info, supported_parameters: listed } = entry;
  if (typeof name === 'string' && isObject(info)) return [[name, ofProxy(info)]];
  if (typeof group === 'string') return [[group, ofProxy(entry)]];
  if (typeof id !== 'string') return [];
  const parameters = Array.isArray(listed) ? Object.keys(openRouter) : [];
  const flags = parameters.map((parameter) => [parameter, listedIn(listed, parameter)] as const);
  return [[id, { table: openRouter, flags: Object.fromEntries(flags), goneFrom: goneFromIn(entry) }]];
}

/** Flags that the proxy's list of OpenAI parameters tells, too. */
const proxyParameters = { supports_function_calling: 'tools', supports_tool_choice: 'tool_choice' } as const;

/** A group says `false` of whatever nobody has declared; its list of parameters says more. */
function ofProxy(fields: JsonObject): DeclaredModel {
  const said = declaredIn(litellm, fields);
  const { supported_openai_params: listed } = fields;
  if (!Array.isArray(listed) || listed.length === 0) return said;
  const flags = Object.entries(proxyParameters).map(
    ([flag, parameter]) => [flag, said.flags[flag] === true || listedIn(listed, parameter)] as const,
  );
  return { ...said, flags: { ...said.flags, ...Object.fromEntries(flags) } };
}

const listedIn = (listed: Json | undefined, parameter: string): boolean =>
  Array.isArray(listed) && listed.includes(parameter);

function declaredIn(table: FlagTable, fields: JsonObject): DeclaredModel {
  const flags = Object.entries(fields).filter(
    (one): one is [string, boolean] => one[0] in table && typeof one[1] === 'boolean',
  );
  return { table, flags: Object.fromEntries(flags), goneFrom: goneFromIn(fields) };
}

/** LiteLLM and some lists name it `deprecation_date`, OpenRouter `expiration_date`. */
function goneFromIn({ deprecation_date: deprecated, expiration_date: expires }: JsonObject): string | null {
  const day = [deprecated, expires].find((one) => typeof one === 'string' && !Number.isNaN(Date.parse(one)));
  return typeof day === 'string' ? new Date(day).toISOString().slice(0, 10) : null;
}
