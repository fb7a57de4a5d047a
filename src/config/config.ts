import { namesOfModel, type NamedModel } from '../cell/model-names.js';
import type { JsonObject } from '../json/json.js';
import type { Place, Spot } from '../files/problems/problem.js';

export interface Limits {
  readonly concurrency: number;
  /** null: no limit. */
  readonly requestsPerMinute: number | null;
  readonly tokensPerMinute: number | null;
  /** Seconds for a whole exchange. */
  readonly timeoutSeconds: number;
  /** How often a fault is retried. */
  readonly retries: number;
}

/** Axis to label to merge patch over the body; null: the label changes nothing. */
export type Settings = Readonly<Record<string, Readonly<Record<string, JsonObject | null>>>>;

export interface ModelConfig extends NamedModel {
  readonly target: string;
  readonly concurrency: number | null;
  /** null or absent: no limit of its own. */
  readonly requestsPerMinute?: number | null;
  /** Per million tokens, in a currency of the team's choice. */
  readonly price: { readonly prompt: number; readonly completion: number } | null;
  readonly vars: JsonObject;
  /** Merge patch over every body to this model. */
  readonly request: JsonObject;
  readonly rename: Readonly<Record<string, string>>;
  readonly settings: Settings;
  /** Merge patch over the control request. */
  readonly control: JsonObject;
  /** ISO date. */
  readonly retired: string | null;
  readonly place: Place;
}

/** A program whose first line of output is a secret. */
export interface SecretCommand {
  readonly command: readonly string[];
  /** Seconds after which it is asked again; null: only where what it gave is refused. */
  readonly refreshSeconds: number | null;
}

/** Of the models that a service lists, those to test. */
export interface ListedModels {
  /** Globs of ids; with `!` in front, those to leave out. */
  readonly patterns: readonly string[];
  /** null: no limit. */
  readonly atMost: number | null;
}

export interface TargetConfig {
  readonly name: string;
  /** `simulator`, or the http(s) address that stands before `/chat/completions`, without a trailing slash. */
  readonly baseUrl: string;
  /** The name of the environment variable, not its value. */
  readonly apiKeyEnv: string | null;
  /** In place of `apiKeyEnv`. */
  readonly apiKeyCommand?: SecretCommand | null;
  readonly headers: Readonly<Record<string, string | { readonly env: string } | SecretCommand>>;
  readonly limits: Limits;
  readonly models: readonly ModelConfig[];
  /** The service says which models it has: `models` are those that it listed, none before it was asked. */
  readonly listed?: ListedModels | null;
  readonly place: Place;
  /** Where the config names each environment variable; absent for a target that was not read from a file. */
  readonly namedAt?: ReadonlyMap<string, Spot>;
  /**
   * The environment variables of all targets of the same config. What they hold must not reach this target unless it
   * names them itself. Absent for a target that was not read from a file.
   */
  readonly variables?: readonly string[];
}

export interface Budget {
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly cost: number | null;
}

/** Where a config file does not say `max_unmeasured`. */
export const usualMaxUnmeasured = 0.1;

export interface Config {
  readonly file: string;
  readonly targets: readonly TargetConfig[];
  /** Each is `builtin:NAME`, or a glob relative to the config file. */
  readonly suites: readonly { readonly pattern: string; readonly place: Place }[];
  readonly baseline: string | null;
  readonly out: string;
  readonly budget: Budget;
  /** The share, 0 to 1, of the plan that may be missing before a run counts as not measured. */
  readonly maxUnmeasured: number;
  readonly redact: readonly string[];
  /** Names of client libraries, as written; null: those of the package.json beside the file. */
  readonly clients?: readonly string[] | null;
}

/** The names of targets and models that people read in reports. */
export function namesInConfig({ targets }: Pick<Config, 'targets'>): readonly string[] {
  return targets.flatMap(({ name, models }) => [name, ...models.flatMap(namesOfModel)]);
}
