import type { OptionTable } from '../options/check-options.js';
import { anObject, aWhole, oneOf, orNull, texts } from '../options/kinds.js';
import type { Filters } from './cells/filter.js';
import type { LeftOpen, Profile } from './ticket.js';

export interface PlanOptions extends Filters {
  /** Default `standard`. */
  readonly profile?: Profile;
  /** Exactly this many trials for each cell, whatever else applies. */
  readonly trials?: number | null;
  /** Default 1. */
  readonly seed?: number;
  /** Only these cells, and what they need. Together with the other filters, they may leave nothing, which is no error. */
  readonly lastFailed?: LeftOpen;
}

export const planOptionTable: OptionTable<PlanOptions> = {
  ...{ models: texts, suites: texts, only: texts, skip: texts, tags: texts },
  profile: oneOf(['smoke', 'standard', 'certify'] satisfies readonly Profile[]),
  trials: orNull(aWhole(1)),
  seed: aWhole(0),
  lastFailed: anObject,
};
