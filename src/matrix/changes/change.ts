import type { SharedFailure } from '../../decide/course.js';
import type { Count } from '../../stats/count.js';
import type { Advice } from '../advice.js';
import type { ExpectedCell, ReportCell } from '../report-format.js';
import type { ServedChange } from '../served-by.js';
import type { DeviatingSince } from './deviates-since.js';

/** The gravest comes first. */
export const changeKinds = [
  'gone',
  'lost',
  'changed',
  'new',
  'wire',
  'gained',
  'served',
  'unreliable',
  'doubt',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

interface OfKind {
  readonly kind: ChangeKind;
}

/** Whether it stands among the changes; what is in doubt or unreliable is named after them. */
export const isListedChange = ({ kind }: OfKind): boolean => kind !== 'doubt' && kind !== 'unreliable';

/** Whether it makes a run red. */
export const isDeviating = (change: OfKind): boolean => isListedChange(change) && change.kind !== 'served';

/** Deviations, or doubts, with one explanation: facts of which every format makes its own words. */
export interface Change {
  readonly kind: ChangeKind;
  /** `TARGET/MODEL` of each model that shows it. */
  readonly models: readonly string[];
  /** Keys of its cells. */
  readonly cells: readonly string[];
  /** Ids of its deviations; empty: it is none. */
  readonly deviations: readonly string[];
  readonly cause: ChangeCause;
  readonly remedy: Remedy;
  /** null: no earlier run is known, or it is no deviation. */
  readonly since: ChangeSince | null;
  /** Other models that show the same; null: there is no other model. */
  readonly scope: ChangeScope | null;
  /** Words of the service. */
  readonly detail: string | null;
  /** Notes and links of the baseline's entries. */
  readonly notes: readonly string[];
  /** The cell that stands for it, and the exchange to look at. */
  readonly example: { readonly cell: string; readonly exchange: string | null } | null;
  /** Patterns of keys that accept just this; empty: it cannot be accepted, or only with many of them. */
  readonly accept: readonly string[];
}

/** Of cells of the report that fail alike, or pass. */
interface OfCells {
  readonly cells: readonly ReportCell[];
}

/** Why it is a change. */
export type ChangeCause =
  | { readonly code: 'gone'; readonly status: number | null }
  | { readonly code: 'wireNew' | 'wireGone'; readonly quirk: string }
  | { readonly code: 'together'; readonly shared: SharedFailure }
  | { readonly code: 'served'; readonly served: ServedChange }
  | ({ readonly code: 'needsMore' | 'needsLess' | 'worksUpTo'; readonly value: number } & MovedThreshold)
  | ({ readonly code: 'worksAtNone' } & MovedThreshold)
  | ({ readonly code: 'rate' | 'doubt'; readonly before: Count } & Count & OfCells)
  | ({ readonly code: 'lost' | 'gained' | 'unreliable' } & Count & OfCells)
  | ({ readonly code: 'changed'; readonly before: ExpectedCell | null } & OfCells)
  /** Words of a suite. */
  | { readonly code: 'behaviour'; readonly title: string };

interface MovedThreshold extends OfCells {
  /** The value that was accepted. */
  readonly before: number;
}

/** Advice. */
export type Remedy =
  | { readonly code: 'gone' | 'served' | 'doubt' | 'wire' }
  | { readonly code: 'gained' | 'gainedUnaccepted' | 'unreliable' | 'unreliableUnaccepted' }
  | { readonly code: 'wireBreaks'; readonly clients: readonly string[] }
  /** Words of a suite. */
  | { readonly code: 'behaviour'; readonly advice: string }
  | { readonly code: 'failure'; readonly advice: Advice | null };

export interface ChangeSince extends DeviatingSince {
  /** No earlier run is known without it. */
  readonly isOpen: boolean;
}

/** Only this model, some of them, all of these targets, or all. */
export type ChangeScope =
  | { readonly code: 'one' | 'all' }
  | { readonly code: 'some'; readonly models: number; readonly of: number }
  | { readonly code: 'target'; readonly targets: readonly string[] };
