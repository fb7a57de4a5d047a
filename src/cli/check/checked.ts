import type { ModelConfig, TargetConfig } from '../../config/config.js';
import type { Report } from '../../matrix/report-format.js';
import type { Redact } from '../../report/safe/redact.js';
import type { CheckAnswer } from './answer.js';
import type { Question } from './question.js';

/** A check that has ended: what was asked, and what came of it. */
export interface Checked {
  readonly answer: CheckAnswer;
  readonly report: Report;
  readonly target: TargetConfig;
  readonly model: ModelConfig;
  readonly question: Question;
  readonly redact: Redact;
  /** As asked for; null: until decided. */
  readonly trials: number | null;
  /** Requests that the check may send. */
  readonly budget: number;
  readonly interrupted: boolean;
  /** The ids that the service lists, where it did not know the model and has a list. */
  readonly listed: readonly string[] | null;
}
