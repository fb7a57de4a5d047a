import type { Problem } from '../../files/problems/problem.js';
import { checkBehaviours } from './across-suites/check-behaviours.js';
import { checkForms } from './across-suites/check-forms.js';
import { checkNames } from './across-suites/check-names.js';
import { checkNeedCycles, checkNeeds, checkSplits } from './across-suites/check-needs.js';
import type { SuitesDraft } from './suites-draft.js';

/** One check of all suites together: the problems that it finds. It may read the draft only. */
export type SuitesCheck = (draft: SuitesDraft) => Iterable<Problem>;

/** Every check of all suites, in the order in which problems are reported, after those of the single probes. */
export const suitesChecks: readonly SuitesCheck[] = [
  checkBehaviours,
  checkNames,
  checkNeeds,
  checkSplits,
  checkNeedCycles,
  checkForms,
];
