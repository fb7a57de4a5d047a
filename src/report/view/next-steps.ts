import { deviationsOf } from '../../matrix/standing/deviations.js';
import type { Report } from '../../matrix/report-format.js';
import type { Stop } from '../../journal/stop.js';
import { configOption, shellWord } from './shell-word.js';
import { stopSentence } from './stop-sentences.js';
import { nothingAccepted } from './summary.js';

export interface NextStep {
  readonly text: string;
  /** To be typed as it is. */
  readonly command: string | null;
}

/** The note of a merged run. To resume it would pay for what the missing shard may hold. */
const missingShard = /^shard \d+ of \d+ is missing: /;

/** What the reader should do next, in order. */
export function nextSteps(report: Report, folder: string | null): NextStep[] {
  const run = shellWord(folder ?? 'RUN');
  if (report.run.notes.some((note) => missingShard.test(note))) {
    const text = 'Shards are missing. Merge again with the folders of all of them, which sends nothing:';
    return [{ text, command: `chatspec merge SHARD... --out ${run}${configOption(report.run.config)}` }];
  }
  if (!report.run.complete) {
    const text = 'This run is truncated: part of it was not measured. Continue where it stopped:';
    return [{ text, command: `chatspec run --resume --out ${run}${configOption(report.run.config)}` }];
  }
  return [...afterUnreached(report), ...whenComplete(report, run)];
}

function whenComplete(report: Report, run: string): NextStep[] {
  const { stops } = report.run;
  const stop = stops.find(({ kind }) => kind === 'budget') ?? stops[0];
  if (stop !== undefined)
    return [continueRun(stop, run, report.run.config), ...afterGone(report), ...toInspect(report, run)];
  if (nothingAccepted(report)) {
    return [
      {
        text: 'There is no accepted baseline yet, so every cell is new, and each one that does not pass is a deviation.',
        command: null,
      },
      ...afterGone(report),
      {
        text: 'Once you have checked the results, accept this run as the baseline:',
        command: `chatspec baseline accept ${run}${configOption(report.run.config)}`,
      },
    ];
  }
  const inspect = toInspect(report, run);
  const changed = deviationsOf(report).some(({ kind }) => kind !== 'gone');
  if (!changed) return afterGone(report);
  const accept = {
    text: 'To accept these results as the new baseline:',
    command: `chatspec baseline accept ${run} --only PATTERN${configOption(report.run.config)}`,
  };
  return [...afterGone(report), ...inspect, accept];
}

/** A run that stopped early is continued before anything is accepted. */
function continueRun(stop: Stop, run: string, config: string | undefined): NextStep {
  const resume = `chatspec run --resume --out ${run}${configOption(config)}`;
  const why = `Part of the run was not measured: ${ended(stopSentence(stop))}`;
  if (stop.kind !== 'budget') return { text: `${why}${remedyFor(stop)} Fix this, then continue:`, command: resume };
  if (stop.unit === 'cost') return { text: `${why} Raise budget.cost in the config, then continue:`, command: resume };
  const text = `${why} Continue with a larger budget (N for the whole run):`;
  return { text, command: `${resume} --budget-${stop.unit} N` };
}

function remedyFor(stop: Stop): string {
  switch (stop.kind) {
    case 'quota':
      return stop.model === null
        ? ' Top up the account, or use a key that has credit.'
        : ' Top up, or use a key whose plan includes the model.';
    case 'overloaded':
    case 'long_pause':
      return ' Wait until the service takes requests again.';
    default:
      return '';
  }
}

function toInspect(report: Report, run: string): NextStep[] {
  const deviations = deviationsOf(report);
  const config = configOption(report.run.config);
  const cell = deviations.flatMap((one) => (one.kind === 'wire' ? one.quirk.cells : []))[0];
  const ofWire =
    cell === undefined
      ? []
      : [
          {
            text: 'See answers as they came over the wire:',
            command: `chatspec evidence ${run} ${shellWord(cell)}${config}`,
          },
        ];
  const ofCells = deviations.some(({ kind }) => kind !== 'gone' && kind !== 'wire')
    ? [{ text: 'Inspect a deviation, or send this to support:', command: `chatspec evidence ${run} CELL${config}` }]
    : [];
  return [...ofCells, ...ofWire];
}

/** With one full stop; what a service says often ends with its own. */
function ended(sentence: string): string {
  return /[.!?。]$/.test(sentence) ? sentence : `${sentence}.`;
}

/** Models that did not answer at all were not measured; each reason is given once, with all its models. */
function afterUnreached({ models }: Report): NextStep[] {
  const unreached = new Map<string, string[]>();
  for (const { id, standing, unreachable } of models) {
    if (unreachable === null || standing === 'gone') continue;
    const why = `${ended(unreachable.detail ?? unreachable.class)}${whatToCheck(unreachable)}`;
    unreached.set(why, [...(unreached.get(why) ?? []), id]);
  }
  return [...unreached].map(([why, ids]) => ({
    text: `Not measured: ${ids.join(', ')} could not be reached: ${why} Fix this, then rerun.`,
    command: null,
  }));
}

/** An answer that no chat service gives comes from another address, or from a machine in between. */
function whatToCheck({ class: kind, reason }: NonNullable<Report['models'][number]['unreachable']>): string {
  if (kind === 'malformed_response' && reason === null) {
    return ' This is no answer of a Chat Completions service: check base_url (often it ends in /v1), and whether a proxy or a login page answers in its place.';
  }
  if (reason === 'gateway') return ' Check base_url, the proxy and the gateway in front of the service.';
  return '';
}

function afterGone(report: Report): NextStep[] {
  const gone = deviationsOf(report).flatMap((deviation) => (deviation.kind === 'gone' ? [deviation.gone] : []));
  return gone.length === 0 ? [] : [{ text: goneSentence(gone, report.run.config), command: null }];
}

/** What to do about models that the service no longer knows. A baseline cannot accept that. */
export function goneSentence(gone: Report['models'], config = 'chatspec.yaml'): string {
  const names = gone.map(({ id }) => id).join(', ');
  const [is, them] = gone.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return `${names} ${is} gone, which a baseline cannot accept: remove ${them} from ${config}, or set a retirement date (retired: YYYY-MM-DD).`;
}
