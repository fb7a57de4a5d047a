import { checkOptions, type OptionTable } from '../options/check-options.js';
import { anyValue, aText, required } from '../options/kinds.js';

type NodeProcess = {
  readonly getBuiltinModule?: (name: string) => { readFileSync(path: string | URL, encoding: 'utf8'): string };
};

export type Address = `http://${string}` | `https://${string}`;

/** From the web a promise; from a text of which only the program knows what it holds, either. */
export type Loaded<Source> = Source extends string
  ? Lowercase<Source> extends Address
    ? Promise<CapabilityMap>
    : // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- it lacks the key of a word, not those of a pattern
      {} extends Record<Source, 1>
      ? CapabilityMap | Promise<CapabilityMap>
      : CapabilityMap
  : Source extends URL
    ? CapabilityMap | Promise<CapabilityMap>
    : URL extends Source
      ? CapabilityMap | Promise<CapabilityMap>
      : CapabilityMap;

/**
 * Reads a capability map: the path of a capabilities.json or of its run folder, its text, its content, or its address.
 * A map from the web comes as a promise; `await` fits all. Throws a TypeError if it is no capability map or its address
 * gives none, and an Error with the code of the file system if there is no file.
 */
export function loadCapabilities<Source extends string | object>(source: Source): Loaded<Source>;
export function loadCapabilities(source: string | URL | object): CapabilityMap | Promise<CapabilityMap> {
  if (source instanceof URL) return source.protocol === 'file:' ? fromFile(source) : fetched(source);
  if (typeof source !== 'string') return checked(source);
  if (/^https?:\/\//i.test(source)) return fetched(new URL(source));
  if (/^\s*\{/.test(source)) return checked(parseCapabilityJson(source));
  return fromFile(source.endsWith('.json') ? source : `${source}/capabilities.json`);
}

async function fetched(url: URL): Promise<CapabilityMap> {
  // Without a name and a password in it.
  const shown = `${url.origin}${url.pathname}`;
  let response: Response;
  try {
    response = await fetch(url);
  } catch (cause) {
    const why = (cause as { readonly cause?: { readonly code?: string } }).cause?.code;
    const hint = 'check the address, and that something answers there';
    throw new TypeError(`cannot read ${shown}: no answer came${why === undefined ? '' : ` (${why})`}; ${hint}`, {
      cause,
    });
  }
  if (!response.ok) throw new TypeError(`${shown} answered with HTTP ${response.status}`);
  return checked(parseCapabilityJson(await response.text(), shown), shown);
}

function fromFile(path: string | URL): CapabilityMap {
  const shown = typeof path === 'string' ? path : decodeURIComponent(path.pathname);
  return checked(parseCapabilityJson(readCapabilityText(path, shown), shown), shown);
}

function parseCapabilityJson(text: string, source?: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new TypeError(`${source === undefined ? '' : `${source}: `}not a capability map (it is no JSON)`, { cause });
  }
}

/** Not imported, so that a bundle for a browser, which loads from text, content or the web, needs no substitute. */
function readCapabilityText(path: string | URL, shown: string): string {
  const files = (globalThis as { process?: NodeProcess }).process?.getBuiltinModule?.('node:fs');
  if (files === undefined) throw new TypeError('no file system: give the text, content or address');
  try {
    return files.readFileSync(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as { readonly code?: string; readonly message: string };
    const why = code === 'ENOENT' ? 'it does not exist' : message;
    const hint = 'name a run folder, or the capabilities.json that every run writes into it';
    throw Object.assign(new Error(`cannot read ${shown}: ${why}; ${hint}`, { cause }), { code });
  }
}

const capabilitiesFormat = 'chatspec-capabilities/1';

/** @param source where it was read: a path or an address; undefined for what a program gave */
export function checked(value: unknown, source?: string): CapabilityMap {
  const { format, models, needs, capabilities } = (value ?? {}) as Partial<CapabilityMap>;
  if (format === capabilitiesFormat && [models, needs, capabilities].every(Array.isArray)) {
    return value as CapabilityMap;
  }
  const hint = value instanceof Promise ? ': await it' : otherFormatHint(format);
  throw new TypeError(
    `${source === undefined ? '' : `${source}: `}not a capability map (${capabilitiesFormat})${hint}`,
  );
}

function otherFormatHint(format: unknown): string {
  if (typeof format !== 'string' || format === capabilitiesFormat) return '';
  const other = `; its format is "${format.slice(0, 40)}"`;
  if (format.startsWith('chatspec-report/')) return `${other}: name the capabilities.json beside it`;
  return format.startsWith('chatspec-capabilities/') ? `${other}: read it with that version of chatspec` : other;
}

/** A need that an application can have of a model. */
export type Need = 'plain_text' | 'structured' | 'free_json' | 'tool_call';
export const needs: readonly Need[] = ['plain_text', 'structured', 'free_json', 'tool_call'];

/** The content of capabilities.json: the public format `chatspec-capabilities/1`. */
export interface CapabilityMap {
  readonly format: 'chatspec-capabilities/1';
  readonly run: {
    readonly id: string;
    readonly profile: string;
    /** false: the run was cut short, so that some entries are missing or not measured. */
    readonly complete: boolean;
    readonly tool: { readonly name: string; readonly version: string };
  };
  readonly models: readonly MapModel[];
  /** For each model, the form that serves a need. */
  readonly needs: readonly NeedEntry[];
  /** For each model, every capability that the run measured. */
  readonly capabilities: readonly CapabilityEntry[];
}

export interface MapModel {
  /** `TARGET/MODEL` */
  readonly id: string;
  readonly model: string;
  /** The common name of the config; null: none is configured. */
  readonly as: string | null;
  readonly reachable: boolean;
}

/** On what an entry rests. */
export interface Evidence {
  /** When it was gathered (ISO 8601, UTC). */
  readonly date: string;
  /** From when on it is too old to rely on (ISO 8601, UTC). */
  readonly expires: string;
  /** The judged trials behind it. */
  readonly trials: { readonly passed: number; readonly total: number };
  /** Wilson, 95 %, of the rate of passing; 0 to 1 where nothing was judged. */
  readonly interval: readonly [number, number];
  /** `sha256:...` of what report.json says of the cells behind it; docs/capabilities.md says how to check it. */
  readonly evidence: string;
}

/** How to ask. */
export interface Setting {
  /** The settings by name, as reports show them: `{ "max_tokens": "2048", "tool_choice": "required" }`. */
  readonly settings: Readonly<Record<string, string>>;
  /** The same as members of a request body, to be merged into it. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Notes on the client's part beside the settings. */
  readonly caveats: readonly string[];
}

export interface NeedEntry extends Evidence, Setting {
  readonly model: string;
  readonly need: Need;
  /** Capability id of the form to use, such as `json_schema` or `tool_choice.required`; null: none can be relied on. */
  readonly form: string | null;
  readonly supported: boolean;
  /** When the form passes, in words; null: always, as far as is known. */
  readonly condition: string | null;
  readonly because: string;
}

export interface CapabilityEntry extends Evidence, Setting {
  readonly model: string;
  readonly capability: string;
  readonly verdict: 'pass' | 'partial' | 'flaky' | 'fail' | 'inconclusive';
  /** Whether requests with these settings can be relied on; null: it could not be measured. */
  readonly supported: boolean | null;
  readonly condition: string | null;
}

export interface Wish {
  /** `TARGET/MODEL`, or the model's id or common name if no other target has it. */
  readonly model: string;
  readonly need: Need;
  /** Default: the present. */
  readonly now?: Date | string | number;
}

export interface ChosenForm extends Setting {
  /** Capability id, such as `json_schema` or `tool_choice.required`. */
  readonly form: string;
}

/** The evidence is too old to rely on. */
export class StaleEvidence extends Error {
  override readonly name = 'StaleEvidence';
}

const wishTable: OptionTable<Wish> = { model: required(aText), need: anyValue, now: anyValue };

/**
 * The request form that serves a need, and what to send with it; null where nothing is known that can be relied on.
 * Throws {@link StaleEvidence} when the evidence has expired, a RangeError for a need that does not exist or
 * a `now` that is no date, and a TypeError for a model that several targets have
 * and for a wish or a map that is none.
 */
export function chooseForm(map: CapabilityMap, wish: Wish): ChosenForm | null {
  checked(map);
  checkOptions('`chooseForm`', wish, wishTable);
  const { model, need, now = Date.now() } = wish;
  if (!needs.includes(need)) throw new RangeError(`no need is "${need}"; there are ${needs.join(', ')}`);
  const time = new Date(now).getTime();
  if (Number.isNaN(time)) throw new RangeError('now is no date');
  const id = idOf(map, model);
  const entry = map.needs.find((one) => one.model === id && one.need === need);
  if (entry === undefined) return null;
  // An unreadable date is no reason to believe old evidence.
  if (!(time < Date.parse(entry.expires))) {
    throw new StaleEvidence(
      `what is known of ${entry.model} expired on ${entry.expires}: ask it again with chatspec run`,
    );
  }
  const { form, settings, request, caveats } = entry;
  return form === null ? null : { form, settings, request, caveats };
}

function idOf({ models }: CapabilityMap, name: string): string {
  if (models.some(({ id }) => id === name)) return name;
  const ids = models.filter((one) => one.model === name || one.as === name).map(({ id }) => id);
  if (ids.length > 1) throw new TypeError(`several targets have "${name}": ${ids.join(', ')}`);
  return ids[0] ?? name;
}
