import { endsRun } from '../../../journal/stop.js';
import { isShard } from '../is-shard.js';
import { type ExitConditions, exitCode, usualConditions } from '../../../matrix/run-exit-code.js';
import { nothingAccepted } from '../summary.js';
import type { Report } from '../../../matrix/report-format.js';

/** The exit code of the run that a report is about, and what it says. */
export interface ExitMeaning {
  readonly code: 0 | 1 | 3 | 130;
  /** "a deviation from the baseline" */
  readonly meaning: string;
  /** The options of the run are not known, so this is the code that it has without any. */
  readonly assumed: boolean;
}

/** @param conditions those under which the run ended; undefined: not known, as when a report is rendered again */
export function exitMeaning(report: Report, conditions?: ExitConditions): ExitMeaning {
  const interrupted = report.run.stops.some((stop) => stop.kind === 'interrupted' && endsRun(stop));
  const used = conditions ?? { ...usualConditions, interrupted, shard: isShard(report) };
  const code = exitCode(report, used);
  return {
    code,
    meaning: meaningOf(code, used, nothingAccepted(report)),
    assumed: conditions === undefined && !interrupted,
  };
}

function meaningOf(code: ExitMeaning['code'], { failOn, shard }: ExitConditions, isFirst: boolean): string {
  switch (code) {
    case 130:
      return 'the run was interrupted';
    case 3:
      return 'too little could be measured';
    case 1:
      // Without a baseline there is nothing to deviate from but a pass.
      return failOn === 'deviation' && isFirst ? 'a deviation' : failed[failOn];
    case 0:
      if (shard) return 'a shard leaves deviations to chatspec merge';
      return failOn === 'deviation' ? 'no deviation' : `with --fail-on ${failOn}`;
  }
}

const failed: Readonly<Record<ExitConditions['failOn'], string>> = {
  deviation: 'a deviation from the baseline',
  regression: 'a regression',
  fail: 'a cell that does not pass, with --fail-on fail',
  never: '',
};
