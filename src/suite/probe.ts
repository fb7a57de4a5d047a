import type { Point } from '../cell/cell-key.js';
import type { Place } from '../files/problems/problem.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ExpectSpec } from '../judge/expectation.js';
import type { OutcomeClass } from '../judge/outcome.js';
import type { BoundedTest } from '../stats/sequential-test.js';
import type {
  BehaviourFile,
  EnforceFile,
  FamilyFile,
  FindFile,
  FormEvidenceFile,
  FormFile,
  RetryFile,
} from './suite-file.js';

/** A point of an axis. `unset` leaves the field out of the body. */
export type PointValue = { readonly kind: 'value'; readonly value: Json } | { readonly kind: 'unset' };

export type Axis =
  /** Labels and values are in the suite file; `at` are the steps of a JSON Pointer into the body. */
  | {
      readonly kind: 'values';
      readonly name: string;
      readonly at: readonly string[];
      readonly points: ReadonlyMap<string, PointValue>;
      /** The points were written as a list, so a numeric axis can be ordered. */
      readonly listed: boolean;
    }
  /** Labels and body patches come from the model's `settings` under this name. */
  | { readonly kind: 'settings'; readonly name: string; readonly settings: string };

/** A probe (`SUITE/PROBE`) that another one names: under `needs`, it must pass first for the same model. */
export interface Need {
  readonly probe: string;
  readonly place: Place;
}

export type TrialsSpec =
  | { readonly kind: 'count'; readonly count: number }
  /** `min`: fewest trials, even if the test could stop sooner; absent: 1. */
  | ({ readonly kind: 'decided'; readonly min?: number } & BoundedTest);

export type RetrySpec = Readonly<Required<Omit<RetryFile, 'on'>>> & { readonly on: readonly OutcomeClass[] };

/** A step of the probe; a probe without `steps` has one, a request named `request`. */
export type Step =
  | { readonly kind: 'ask'; readonly id: string; readonly request: JsonObject; readonly expect: ExpectSpec }
  /** A tool of the client, by the result that it gives; may contain templates. */
  | { readonly kind: 'run'; readonly id: string; readonly result: Json };

export type FindSpec = Readonly<Required<Omit<FindFile, 'largest' | 'repeat'>> & Pick<FindFile, 'largest' | 'repeat'>>;
export type EnforceSpec = Readonly<Omit<EnforceFile, 'split'>>;

export interface PointExpectation {
  readonly point: Point;
  readonly expect: ExpectSpec;
}

/** One probe as read: `$ref`s are replaced and `defaults` merged, but templates are not filled yet. */
export interface Probe {
  readonly suite: string;
  readonly name: string;
  readonly title: string;
  /** May contain templates, which stand for axis labels. */
  readonly capability: string;
  readonly tags: readonly string[];
  readonly needs: readonly Need[];
  readonly axes: readonly Axis[];
  readonly combine: 'product' | 'each';
  /** Most points of the product that may be added to find out which labels a failure depends on. */
  readonly fill: number;
  readonly exclude: readonly Point[];
  readonly include: readonly Point[];
  readonly steps: readonly Step[];
  readonly when: readonly PointExpectation[];
  /** Trial k takes row k (modulo their number) as variables; empty without samples. */
  readonly samples: readonly JsonObject[];
  readonly vars: JsonObject;
  /** null: the profile's default. */
  readonly trials: TrialsSpec | null;
  readonly retry: RetrySpec | null;
  readonly find: FindSpec | null;
  /** How many requests a trial sends at the same moment, by the labels of the axis `load`; empty: one, and no axis. */
  readonly load: readonly number[];
  readonly enforce: EnforceSpec | null;
  /** The probes of a composite document's single keywords, asked when its result changes. */
  readonly split: readonly Need[];
  readonly place: Place;
}

/** A pattern over the cells of a model. `when` and `unless` are JSONata, evaluated in src/matrix/behaviours. */
export type Behaviour = Readonly<BehaviourFile> & { readonly place: Place };

/** A family of capabilities: those whose id is its name, or begins with its name and a dot. */
export type CapabilityFamily = Readonly<FamilyFile>;

/** A form of request that can serve a need, measured by a capability. */
export interface NeedForm extends Readonly<Required<Omit<FormFile, 'care' | 'budget'>>> {
  /** null: nothing beyond the usual checks of a client. */
  readonly care: string | null;
  /** null: no capability measures the form over token budgets. */
  readonly budget: string | null;
}

/** Evidence about a form of request beside the cells of its own capability. */
export type FormEvidence = Readonly<FormEvidenceFile>;

/** A caveat for cells of these patterns that fail or are flaky in one of these ways. */
export type DeclaredCaveat = NonNullable<FormEvidence['caveats']>[number];

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly probes: readonly Probe[];
  readonly behaviours: readonly Behaviour[];
  readonly families: readonly CapabilityFamily[];
  readonly forms: readonly NeedForm[];
  readonly evidence: readonly FormEvidence[];
}

/** How `enforce` hands a schema to the model: the labels of the axis `channel` that it adds to a probe. */
export const enforceChannels = ['response_format', 'tools'] as const;

/**
 * A `schema.KEYWORD` that `enforce` measures through the channel `tools` is the separate capability
 * `tool_schema.KEYWORD`.
 */
export function capabilityThrough(channel: string | undefined, capability: string): string {
  return channel === 'tools' ? capability.replace(/^schema\./, 'tool_schema.') : capability;
}
