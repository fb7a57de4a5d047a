import { isJudgement, type Verdict } from '../../cell/verdict.js';
import { costText, count } from '../view/phrases.js';
import { exitTexts } from './exit-text.js';
import { type RunSummary, verdictIn } from './run-summary.js';

/** One run in a table of runs. */
export interface RunRow {
  readonly started: string;
  /** `2026-11-20 03:17` in UTC. */
  readonly minute: string;
  readonly profile: string;
  readonly complete: boolean;
  readonly exit: string;
  readonly exitMeans: string;
  /** "2 regression, 1 wire"; empty if there were none. */
  readonly deviations: string;
  /** "120 of 124 judged cells pass" */
  readonly passing: string;
  readonly spent: string;
}

export function runRow({ run, exit_code: exit, deviations, cells }: RunSummary): RunRow {
  const verdicts = Object.values(cells).map(verdictIn);
  const judged = verdicts.filter(isJudgement);
  const counts = Object.entries(deviations).filter(([, number]) => number > 0);
  return {
    ...{ started: run.started_at, minute: run.started_at.slice(0, 16).replace('T', ' ') },
    ...{ profile: run.profile, complete: run.complete },
    exit: exit === null ? '?' : String(exit),
    exitMeans: exit === null ? 'not known' : exitTexts[exit],
    deviations: counts.map(([kind, number]) => `${number} ${kind}`).join(', '),
    passing: `${passedOf(judged)} of ${count(judged.length, 'judged cell')} pass`,
    spent: `${count(run.requests, 'request')}, ${count(run.total_tokens, 'token')}${costText(run.cost)}`,
  };
}

const passedOf = (verdicts: readonly Verdict[]): number => verdicts.filter((verdict) => verdict === 'pass').length;
