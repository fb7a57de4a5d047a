import { conditions } from './conditions.js';
import { contradictions, omissions, recommendations } from './recommendations.js';
import type { Scorer } from './score.js';
import { classes, verdicts } from './verdicts.js';

/** Everything of a night that is compared with the truth, in the order of the table. */
export const scorers: readonly Scorer[] = [
  ...[verdicts, classes, conditions],
  ...[recommendations, contradictions, omissions],
];
