/** What an application can need of a model. */
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
  /** What the client must know or do beside the settings. */
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
