import type { Problem } from '../../files/problems/problem.js';
import { checkAxes } from './probe/check-axes.js';
import { checkPointers, checkPoints } from './probe/check-points.js';
import { checkChannelAxis, checkFill, checkFind, checkRetry, checkTrials } from './probe/check-measurements.js';
import { checkFinishReasons } from './probe/check-finish-reasons.js';
import type { ProbeDraft } from './probe-draft.js';
import { checkSteps, checkWhatIsAsked } from './probe/check-steps.js';
import { checkRequests } from './requests/check-requests.js';
import { checkRuleRoots, checkRuleSteps, checkRuleVariables } from './rules/check-rule-names.js';
import { checkRules } from './rules/check-rules.js';
import { checkEnforceDocuments, checkEnforceKeyword } from './schemas/check-enforce.js';
import { checkSchemas } from './schemas/check-schemas.js';
import { checkCapability, checkTemplates } from './templates/check-templates.js';

/** One check of a probe: the problems that it finds, in the order of the file. It may read the draft only. */
export type ProbeCheck = (draft: ProbeDraft) => Iterable<Problem>;

/** Every check of a probe, in the order in which problems are reported. A new check is one more entry here. */
export const probeChecks: readonly ProbeCheck[] = [
  checkAxes,
  checkWhatIsAsked,
  checkSteps,
  ({ samples }) => samples.problems,
  checkTrials,
  checkFind,
  checkFill,
  checkRetry,
  checkChannelAxis,
  checkPoints,
  checkPointers,
  checkRequests,
  checkCapability,
  checkTemplates,
  checkRuleVariables,
  checkRules,
  checkRuleRoots,
  checkFinishReasons,
  checkRuleSteps,
  checkEnforceDocuments,
  checkEnforceKeyword,
  checkSchemas,
];
