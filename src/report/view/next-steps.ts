import { unreachedWords } from '../../judge/unreached.js';
import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import { unmeasured, usualConditions } from '../../matrix/run-exit-code.js';
import type { Stop } from '../../journal/stop.js';
import { causesOf } from './causes/causes-of.js';
import type { Cause } from './causes/cause.js';
import { isCheck } from './is-check.js';
import { goneSentence } from './gone-sentence.js';
import { configOption, shellWord } from './shell-word.js';
import { stopSentence } from './stop-sentences.js';
import { modelsInDoubt, nothingAccepted } from './summary.js';
import { untilCovered } from './uncounted.js';
import { lastingGroups, unansweredEvidence } from './unmeasured.js';
import { unreachedAdvice } from './unreached-advice.js';
import { nothingMeasured } from './verdict/nothing-measured.js';

export interface NextStep {
  readonly text: string;
  /** To be typed as it is. */
  readonly command: string | null;
}

/** The note of a merged run of an earlier version. To resume it would pay for what the missing shard may hold. */
const missingShard = /^shard \d+ of \d+ is missing: /;

/**
 * What the reader should do next, in order.
 * @param causes those of the report, if they are known already
 */
export function nextSteps(report: Report, folder: string | null, causes = causesOf(report, folder)): NextStep[] {
  const run = shellWord(folder ?? 'RUN');
  const { stops, notes } = report.run;
  if (stops.some(({ kind }) => kind === 'missing_shard') || notes.some((note) => missingShard.test(note))) {
    const text = 'Shards are missing. Merge again with the folders of all of them, which sends nothing:';
    return [{ text, command: `chatspec merge SHARD... --out ${run}${configOption(report.run.config)}` }];
  }
  if (!report.run.complete) {
    const command = `chatspec run --resume --out ${run}${configOption(report.run.config)}`;
    if (nothingMeasured(report) !== null) return [{ text: 'Continue the run:', command }];
    const what = stops.some(({ kind }) => kind === 'interrupted') ? 'was interrupted' : 'is truncated';
    const text = `This run ${what}: part of it was not measured. Continue where it stopped:`;
    return [{ text, command }];
  }
  // The last word is what has to be done first.
  return [...whenComplete(report, run, causes), ...(nothingMeasured(report) === null ? afterUnreached(report) : [])];
}

function whenComplete(report: Report, run: string, causes: readonly Cause[]): NextStep[] {
  const { stops } = report.run;
  const stop = stops.find(({ kind }) => kind === 'budget') ?? stops.find(({ model }) => model === null) ?? stops[0];
  if (stop !== undefined) return [continueRun(stop, run, report), ...afterGone(report), ...toInspect(causes)];
  if (nothingAccepted(report)) {
    // A check of one schema and one prompt is no part of what a baseline covers.
    if (isCheck(report)) return [...afterGone(report), ...toExplain(report, run)];
    const until = untilCovered(report);
    const told = until === null ? [] : [{ text: until, command: null }];
    return [...told, ...afterGone(report), ...toExplain(report, run), toAcceptFirst(report, run)];
  }
  return [
    ...afterGone(report),
    ...toInspect(causes),
    ...toExplain(report, run),
    ...toSettle(report, run),
    ...toAccept(causes, report, run),
  ];
}

/** The first baseline is a run that measured what it was to measure. */
function toAcceptFirst(report: Report, run: string): NextStep {
  const instead = (text: string): NextStep => ({ text, command: null });
  if (report.run.last_failed !== undefined) {
    return instead(
      'This run asked only part of the plan. Accept a whole run as the baseline; accepting this one settles only what it asked.',
    );
  }
  if (report.run.profile === 'smoke') {
    return instead(
      'A run of the smoke profile asks each cell only once and settles nothing; accept one of another profile.',
    );
  }
  if (unmeasured(report) > usualConditions.maxUnmeasured) {
    return instead('Too much could not be measured to make this run the baseline.');
  }
  return {
    text: 'Once you have checked the results, accept this run as the baseline:',
    command: `chatspec baseline accept ${run}${configOption(report.run.config)}`,
  };
}

/** A run that stopped early is continued before anything is accepted. */
function continueRun(stop: Stop, run: string, report: Report): NextStep {
  const resume = `chatspec run --resume --out ${run}${configOption(report.run.config)}`;
  // The verdict has said why nothing was measured.
  const why = nothingMeasured(report) === null ? `Part of the run was not measured: ${ended(stopSentence(stop))} ` : '';
  if (stop.kind !== 'budget') return { text: `${why}${remedyFor(stop)}Fix this, then continue:`, command: resume };
  if (stop.unit === 'cost') return { text: `${why}Raise budget.cost in the config, then continue:`, command: resume };
  const text = `${why}Continue with a larger budget (N for the whole run):`;
  return { text, command: `${resume} --budget-${stop.unit} N` };
}

function remedyFor(stop: Stop): string {
  switch (stop.kind) {
    case 'quota':
      return stop.model === null
        ? 'Top up the account, or use a key that has credit. '
        : 'Top up, or use a key whose plan includes the model. ';
    case 'unanswered':
    case 'long_pause':
      return 'Wait until the service takes requests again. ';
    default:
      return '';
  }
}

/** The evidence of the gravest cause. */
function toInspect(causes: readonly Cause[]): NextStep[] {
  const first = causes.find(({ evidence }) => evidence !== null);
  if (first === undefined) return [];
  return [{ text: inspectText(first, causes.length), command: first.evidence }];
}

/** Who does not want to wait for the next night. */
function toSettle(report: Report, run: string): NextStep[] {
  if (modelsInDoubt(report) === null) return [];
  const command = `chatspec run --last-failed ${run}${configOption(report.run.config)}`;
  return [{ text: 'To know at another hour whether more answers still fail:', command }];
}

/** The first of the requests that were never answered. */
function toExplain(report: Report, run: string): NextStep[] {
  const [first] = lastingGroups(report);
  const command = first === undefined ? null : unansweredEvidence(first, run, report.run.config);
  return command === null ? [] : [{ text: 'See a request that was not answered, or send it to support:', command }];
}

function inspectText({ direction }: Cause, causes: number): string {
  switch (direction) {
    case 'gone':
      return 'Ask the service for the model once more:';
    case 'wire':
      return 'See answers as they came over the wire:';
    case 'gained':
      return 'See what passes now:';
    case 'lost':
    case 'changed':
    case 'new':
      return `Look at the evidence${causes > 1 ? ' of the first cause' : ''}, or send it to support:`;
  }
}

/** A single cause is accepted by itself, several all at once; the reports have the command of each. */
function toAccept(causes: readonly Cause[], { run: { config } }: Report, run: string): NextStep[] {
  const acceptable = causes.flatMap(({ accept }) => accept.command ?? []);
  const [only] = acceptable;
  if (only === undefined) return [];
  if (acceptable.length === 1) return [{ text: 'To expect this from now on:', command: only }];
  return [
    {
      text: 'To expect all of this from now on (each cause of the report has a command of its own):',
      command: `chatspec baseline accept ${run}${configOption(config)}`,
    },
  ];
}

/** With one full stop; what a service says often ends with its own. */
function ended(sentence: string): string {
  return /[.!?。]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Models that did not answer at all were not measured; each reason is given once, with all its models. */
function afterUnreached({ models }: Report): NextStep[] {
  const unreached = new Map<string, string[]>();
  for (const { id, standing, unreachable, client } of models) {
    if (unreachable === null || standing === 'gone') continue;
    const advice = unreachedAdvice(unreachable, client?.base_url ?? null, standing === 'known');
    const said = [ended(unreachable.detail ?? unreachable.class), advice].filter((text) => text !== '').join(' ');
    const why = `${unreachedWords(unreachable)}: ${said}`;
    unreached.set(why, [...(unreached.get(why) ?? []), id]);
  }
  return [...unreached].map(([why, ids]) => ({
    text: `Not measured: ${ids.join(', ')}${ids.length === 1 ? '' : ': each'} ${why} Fix this, then rerun.`,
    command: null,
  }));
}

function afterGone(report: Report): NextStep[] {
  const gone = deviationsOf(report).flatMap((deviation) => (deviation.kind === 'gone' ? [deviation.gone] : []));
  return gone.length === 0 ? [] : [{ text: goneSentence(gone, report.run.config), command: null }];
}
