import type { Finding } from '../../../src/decide/course.js';
import { findingOf } from '../../../src/decide/finding.js';
import type { Outcome } from '../../../src/judge/outcome.js';
import { aFailure, anOutcome } from './outcome.js';

/** The finding of a cell with so many passes and failures; `failure` changes every failure. */
export function aFinding(
  passed: number,
  failed: number,
  changes: Partial<Finding> & { readonly failure?: Partial<Outcome> } = {},
): Finding {
  const { failure, ...others } = changes;
  const outcomes = [
    ...Array.from({ length: passed }, () => anOutcome()),
    ...Array.from({ length: failed }, () => aFailure(failure)),
  ];
  return { ...findingOf(outcomes), ...others };
}
