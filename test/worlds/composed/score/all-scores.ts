import { conditionsAsked, conditionsUnasked, interactionsNamed } from './conditions.js';
import { counts } from './counts.js';
import { enforcement } from './enforcement.js';
import { enforcementNights } from './enforcement-nights.js';
import { environment } from './environment.js';
import { intervals } from './intervals.js';
import { contradictions, omissions, recommendations } from './recommendations.js';
import { nightsWithAChange } from './nights.js';
import { requests } from './requests.js';
import type { Scorer, StoryScorer } from './score.js';
import { thresholds } from './thresholds.js';
import { classes, verdicts } from './verdicts.js';

/** Everything that is compared with the truth of a single night, in the order of the table. */
export const allScores: readonly Scorer[] = [
  verdicts, //
  classes,
  counts,
  intervals,
  thresholds,
  enforcement,
  conditionsAsked,
  conditionsUnasked,
  interactionsNamed,
  recommendations,
  contradictions,
  omissions,
  requests,
];

/** What takes nights of its own: an environment that spoils answers, changes from one night to the next. */
export const storyScores: readonly StoryScorer[] = [environment, enforcementNights, nightsWithAChange];
