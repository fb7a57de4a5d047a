import type { Point } from '../cell/cell-key.js';
import type { Place } from '../files/problems/place.js';
import type { Json, JsonObject } from '../json/json.js';
import type { ExpectSpec } from '../judge/expectation.js';
import type { OutcomeClass } from '../judge/outcome.js';

/** A point of an axis. `unset` leaves the field out of the body. */
export type PointValue = { readonly kind: 'value'; readonly value: Json } | { readonly kind: 'unset' };

export type Axis =
  /** Labels and values stand in the suite; `at` are the steps of a JSON Pointer into the body. */
  | {
      readonly kind: 'values';
      readonly name: string;
      readonly at: readonly string[];
      readonly points: ReadonlyMap<string, PointValue>;
      /** The points were given as a list (so a numeric axis can be ordered). */
      readonly listed: boolean;
    }
  /** Labels and body patches come from the model's `settings` under this name. */
  | { readonly kind: 'settings'; readonly name: string; readonly settings: string };

/** A probe (`SUITE/PROBE`) that another one names: under `needs`, one that must pass first for the same model. */
export interface Need {
  readonly probe: string;
  readonly place: Place;
}

export type TrialsSpec =
  | { readonly kind: 'count'; readonly count: number }
  | {
      readonly kind: 'decided';
      readonly reliable: number;
      readonly broken: number;
      readonly error: number;
      readonly max: number;
      /** At least this many, though the test stops sooner; absent: 1. */
      readonly min?: number;
    };

export interface RetrySpec {
  readonly on: readonly OutcomeClass[];
  readonly max: number;
  readonly temperature: number;
}

/** A request of the probe; a probe without `steps` has one, named `request`. */
export type Step =
  | { readonly kind: 'ask'; readonly id: string; readonly request: JsonObject; readonly expect: ExpectSpec }
  /** The client's own tool: its result, with templates. */
  | { readonly kind: 'run'; readonly id: string; readonly result: Json };

export interface FindSpec {
  readonly axis: string;
  readonly from: number;
  readonly to: number;
  readonly tolerance: number;
}

export interface EnforceSpec {
  readonly keyword: string;
  readonly schema: Json;
  readonly valid: Json;
  readonly invalid: Json;
}

export interface When {
  readonly point: Point;
  readonly expect: ExpectSpec;
}

/** One probe as read, `$ref`s replaced, `defaults` merged; templates are still templates. */
export interface Probe {
  readonly suite: string;
  readonly name: string;
  readonly title: string;
  /** May hold templates over axis labels. */
  readonly capability: string;
  readonly tags: readonly string[];
  readonly needs: readonly Need[];
  readonly axes: readonly Axis[];
  readonly combine: 'product' | 'each';
  /** Most further points of the product that may settle which labels a failure depends on; 0 asks none. */
  readonly fill: number;
  readonly exclude: readonly Point[];
  readonly include: readonly Point[];
  readonly steps: readonly Step[];
  readonly when: readonly When[];
  /** Row k (mod length) is trial k's further variables; empty without samples. */
  readonly samples: readonly JsonObject[];
  readonly vars: JsonObject;
  /** null: the profile's default. */
  readonly trials: TrialsSpec | null;
  readonly retry: RetrySpec | null;
  readonly find: FindSpec | null;
  readonly enforce: EnforceSpec | null;
  /** The probes of the single keywords of a composite document, asked when what it shows changes. */
  readonly split: readonly Need[];
  readonly place: Place;
}

/** A pattern over a model's cells; data beside the probes. `when` and `unless` are JSONata: see src/matrix. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly when: string;
  readonly unless: string | null;
  readonly advice: string;
  readonly place: Place;
}

export interface Suite {
  readonly name: string;
  readonly title: string;
  readonly file: string;
  readonly probes: readonly Probe[];
  readonly behaviours: readonly Behaviour[];
}
