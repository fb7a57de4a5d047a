import { isJudgement, type Verdict } from '../../cell/verdict.js';
import { directionNames, directionOf, directions } from '../view/causes/direction.js';
import { costText, count, listed } from '../view/phrases.js';
import { exitTexts } from './exit-text.js';
import { inDoubt } from './in-doubt.js';
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
  /** "2 cells lost, 1 change of the wire"; empty if there were none. */
  readonly deviations: string;
  /** "demo/x in doubt"; empty if no model is. */
  readonly doubt: string;
  /** "120 of 124 judged cells pass" */
  readonly passing: string;
  readonly spent: string;
}

export function runRow(summary: RunSummary): RunRow {
  const { run, exit_code: exit, deviations, cells } = summary;
  const verdicts = Object.values(cells).map(verdictIn);
  const judged = verdicts.filter(isJudgement);
  return {
    ...{ started: run.started_at, minute: run.started_at.slice(0, 16).replace('T', ' ') },
    ...{ profile: run.profile, complete: run.complete },
    exit: exit === null ? '?' : String(exit),
    exitMeans: exit === null ? 'not known' : exitTexts[exit],
    deviations: changesText(deviations),
    doubt: doubtText(inDoubt(summary)),
    passing: `${passedOf(judged)} of ${count(judged.length, 'judged cell')} pass`,
    spent: `${count(run.requests, 'request')}, ${count(run.total_tokens, 'token')}${costText(run.cost)}`,
  };
}

/** So many models are named. */
const mostNamed = 2;

function doubtText(models: readonly string[]): string {
  if (models.length === 0) return '';
  return `${models.length > mostNamed ? count(models.length, 'model') : listed(models)} in doubt`;
}

/** In the words of the verdict. */
function changesText(deviations: RunSummary['deviations']): string {
  const kinds = Object.entries(deviations) as [keyof RunSummary['deviations'], number][];
  return directionNames
    .flatMap((direction) => {
      const number = kinds.reduce((sum, [kind, some]) => (directionOf(kind) === direction ? sum + some : sum), 0);
      return number === 0 ? [] : [count(number, ...directions[direction].counted)];
    })
    .join(', ');
}

const passedOf = (verdicts: readonly Verdict[]): number => verdicts.filter((verdict) => verdict === 'pass').length;
