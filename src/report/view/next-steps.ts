import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import type { Stop } from '../../journal/stop.js';
import { stopSentence } from './stop-sentences.js';
import { nothingAccepted } from './summary.js';

export interface NextStep {
  readonly say: string;
  /** To be typed as it stands. */
  readonly command: string | null;
}

/** What to do next. */
export function nextSteps(report: Report, folder: string | null): NextStep[] {
  const run = folder ?? 'RUN';
  if (!report.run.complete) {
    const say =
      'This run is truncated: it is not complete, and what is missing was not measured. Go on where it stopped:';
    return [{ say, command: `chatspec run --resume --out ${run}` }];
  }
  return [...afterUnreached(report), ...whenComplete(report, run)];
}

function whenComplete(report: Report, run: string): NextStep[] {
  const { stops } = report.run;
  const stop = stops.find(({ kind }) => kind === 'budget') ?? stops[0];
  if (stop !== undefined) return [goOn(stop, run), ...afterGone(report), ...toLookAt(report, run)];
  if (nothingAccepted(report)) {
    return [
      { say: 'Nothing was accepted yet, so every cell is new and what does not pass is a deviation.', command: null },
      ...afterGone(report),
      {
        say: 'When you have looked at it, accept this run as the baseline:',
        command: `chatspec baseline accept ${run}`,
      },
    ];
  }
  const toSee = toLookAt(report, run);
  if (toSee.length === 0) return afterGone(report);
  const accept = {
    say: 'What you accept as the new state:',
    command: `chatspec baseline accept ${run} --only PATTERN`,
  };
  return [...afterGone(report), ...toSee, accept];
}

/** What was not asked is not measured yet: nothing to accept. */
function goOn(stop: Stop, run: string): NextStep {
  const resume = `chatspec run --resume --out ${run}`;
  const why = `What was not asked is not measured yet: ${stopSentence(stop)}.`;
  if (stop.kind !== 'budget') return { say: `${why} When that is mended, go on:`, command: resume };
  if (stop.unit === 'cost') return { say: `${why} Raise budget.cost in the config, and go on:`, command: resume };
  const say = `${why} Go on with a larger budget, N for the whole run:`;
  return { say, command: `${resume} --budget-${stop.unit} N` };
}

function toLookAt(report: Report, run: string): NextStep[] {
  if (!deviationsOf(report).some(({ kind }) => kind !== 'gone')) return [];
  const say = "Look at the deviations; what the service's support needs of one:";
  return [{ say, command: `chatspec evidence ${run} CELL` }];
}

/** A model that did not answer at all says nothing of itself: why, once for all models of the same reason. */
function afterUnreached({ models }: Report): NextStep[] {
  const unreached = new Map<string, string[]>();
  for (const { id, standing, unreachable } of models) {
    if (unreachable === null || standing === 'gone') continue;
    const why = unreachable.detail ?? unreachable.class;
    unreached.set(why, [...(unreached.get(why) ?? []), id]);
  }
  return [...unreached].map(([why, ids]) => ({
    say: `Not measured: ${ids.join(', ')} could not be reached: ${why}. When that is mended, run it again.`,
    command: null,
  }));
}

function afterGone(report: Report): NextStep[] {
  const gone = deviationsOf(report).flatMap((deviation) => (deviation.kind === 'gone' ? [deviation.gone] : []));
  return gone.length === 0 ? [] : [{ say: goneSentence(gone), command: null }];
}

/** What to do about models that the service no longer knows: no baseline can take that in. */
export function goneSentence(gone: Report['models']): string {
  const names = gone.map(({ id }) => id).join(', ');
  const [is, them] = gone.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${names} ${is} gone, which no baseline accepts: remove ${them} from chatspec.yaml, or give ${them} the day from which that is expected (retired: YYYY-MM-DD).`;
}
