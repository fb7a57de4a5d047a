/* Generated from schemas/config.schema.json by npm run generate; do not edit. */
import type { JsonObject } from '../json/json.js';
/**
 * the name of an environment variable, such as CHATSPEC_API_KEY
 */
type EnvName = string;
type Concurrency = number;
/**
 * Merge patch (RFC 7396) over every body to this model.
 */
type ModelRequest = JsonObject;
export type ModelFile =
  | ModelId
  | {
      id: ModelId;
      as?: ModelId;
      concurrency?: Concurrency;
      /**
       * Requests to one model in a minute. Default: no limit.
       */
      requests_per_minute?: number;
      price?: ModelPrice;
      /**
       * Values for {{name}}, which override those of the suites.
       */
      vars?: JsonObject;
      request?: ModelRequest;
      rename?: ModelRename;
      settings?: SettingsFile;
      /**
       * Merge patch over the control request, such as { stream: true }.
       */
      control?: JsonObject;
      /**
       * The day (YYYY-MM-DD) from which the model is expected to be gone.
       */
      retired?: string;
    };
/**
 * a model id: text without spaces or control characters
 */
type ModelId = string;

/**
 * chatspec.yaml: which services and models are tested, with which suites, and within which limits.
 */
export interface ConfigFile {
  /**
   * Services by name, in kebab-case.
   */
  targets: {
    [k: string]: TargetFile;
  };
  /**
   * builtin:core (default), builtin:extended, builtin:json-schema-test-suite, or paths of YAML files with *, ** and ?, relative to this file.
   *
   * @minItems 1
   */
  suites?: string[];
  /**
   * Path of the baseline file, which says what is expected, relative to this file.
   */
  baseline?: string;
  /**
   * Where a run writes its folder, relative to this file; {stamp} is the date and time. Default: reports/runs/{stamp}.
   */
  out?: string;
  /**
   * What a run may use at most.
   */
  budget?: {
    requests?: number;
    tokens?: number;
    /**
     * In the currency of the prices.
     */
    cost?: number;
  };
  /**
   * The share of cells that may stay inconclusive or not run before the run counts as not measured. Default: 0.1.
   */
  max_unmeasured?: number;
  /**
   * The client libraries that read the answers, such as openai, openai@4 or ai: reports say what a quirk does to them. Default: those that the package.json beside this file depends on.
   */
  clients?: string[];
  /**
   * Regular expressions; text that matches is masked in everything that leaves the run folder.
   */
  redact?: string[];
}
export interface TargetFile {
  /**
   * The http(s) address that stands before /chat/completions, such as https://HOST/v1; simulator for the embedded service; or { env: NAME }.
   */
  base_url: string | FromEnvironment;
  api_key_env?: EnvName;
  api_key?: FromCommand;
  /**
   * Further request headers: a text, { env: NAME } for a secret from the environment, or { command: [...] } for one that a program prints.
   */
  headers?: {
    [k: string]: string | FromEnvironment | FromCommand;
  };
  limits?: LimitsFile;
  settings?: SettingsFile;
  request?: ModelRequest;
  rename?: ModelRename;
  price?: ModelPrice;
  /**
   * Requests to each model in a minute. Default: no limit.
   */
  requests_per_minute?: number;
  /**
   * Model ids, or objects with an id; or { env: NAME }: ids separated by blanks or line ends; or { listed: [...] }: those that the service lists.
   */
  models: ModelFile[] | FromEnvironment | FromList;
}
/**
 * { env: NAME }: the value of this environment variable
 */
export interface FromEnvironment {
  env: EnvName;
}
/**
 * { command: [PROGRAM, ARGUMENT...] }: what this program prints
 */
export interface FromCommand {
  /**
   * The program and its arguments; no shell reads them. The first line that it prints is taken.
   *
   * @minItems 1
   */
  command: string[];
  /**
   * Seconds after which it is asked again. Default: only where a key that worked is refused.
   */
  refresh_s?: number;
}
/**
 * Limits of the key, shared by all models of the target.
 */
export interface LimitsFile {
  concurrency?: Concurrency;
  /**
   * Default: no limit.
   */
  requests_per_minute?: number;
  /**
   * Default: no limit.
   */
  tokens_per_minute?: number;
  /**
   * Seconds for a whole exchange. Default: 60.
   */
  timeout_s?: number;
  /**
   * How often a fault (never a wrong answer) is retried. Default: 3.
   */
  retries?: number;
}
export interface SettingsFile {
  [k: string]: {
    [k: string]: JsonObject | null;
  } | null;
}
/**
 * Body fields under another name, such as { max_tokens: max_completion_tokens }.
 */
interface ModelRename {
  [k: string]: string;
}
/**
 * Per million tokens.
 */
interface ModelPrice {
  prompt: number;
  completion: number;
}
/**
 * { listed: [PATTERN...], at_most: N }: models that the service's own /models lists when a run starts
 */
export interface FromList {
  /**
   * Ids, in which * stands for any characters; with ! in front, those to leave out.
   *
   * @minItems 1
   */
  listed: string[];
  /**
   * So many models at most: first those of the baseline, then in the service's order. Default: no limit.
   */
  at_most?: number;
}
