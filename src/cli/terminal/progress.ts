import type { RunReporter } from '../../assemble/execute-plan.js';
import { isJudgement } from '../../cell/verdict.js';
import type { Budget } from '../../config/config.js';
import { shareOfLimit } from '../../config/accounts.js';
import type { ExchangeRecord, RunEvent } from '../../journal/event.js';
import { unreachedWords } from '../../judge/outcome.js';
import type { Plan } from '../../plan/plan.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Redact } from '../../report/safe/redact.js';
import { stopText } from '../../report/words/facts.js';
import { type Io, numberText } from './io.js';

/** Facts of a run that its progress shows. */
interface RunFacts {
  readonly plan: Plan;
  readonly budget: Budget;
  /** The part of limits and budget that this run may use, above 0 and up to 1. */
  readonly share: number;
  /** Of the run that this one continues: requests with their answers, and those whose answers are lost. */
  readonly recorded?: { readonly count: number; readonly lost: number };
  /** `quiet` shows nothing, `verbose` every request. */
  readonly verbosity: 'quiet' | 'usual' | 'verbose';
  /** Masks what a service wrote. */
  readonly redact: Redact;
}

/** Milliseconds between two lines of a log. */
const logEvery = 30_000;
/** Milliseconds between two pictures of the line on a terminal. */
const paintEvery = 250;

/** Shows how far a run is: one line that rewrites itself on a terminal, plain lines elsewhere. */
export function openProgress(facts: RunFacts, io: Io): RunReporter {
  const { plan, recorded, verbosity } = facts;
  if (verbosity === 'quiet') return { onEvent: () => undefined };
  const isLine = io.interactive && verbosity === 'usual';
  const shown = (text: string): string => oneLine(capped(facts.redact(text)));
  const say = (text: string): void => io.err(`chatspec: ${shown(text)}\n`);
  const began = Date.now();
  const [counts, note] = countingProgress(plan, began);
  const isNews = verbosity === 'verbose' ? () => true : createNewsFilter();
  let lastNote = '';
  let timer: NodeJS.Timeout | undefined;
  /** Cells that were done when this run began: of a run that is continued, nobody's progress. */
  let doneBefore = 0;
  const status = (): string => statusText(facts, counts, (Date.now() - began) / 1000, doneBefore);
  const paint = (): void => {
    const full = Math.floor((12 * counts.done) / Math.max(1, counts.planned));
    const text = `${'█'.repeat(full)}${'░'.repeat(12 - full)} ${status()}${lastNote}`;
    io.err(`\r\u001b[K${text.slice(0, Math.max(32, io.columns - 1))}`);
  };
  const begin = (): void => {
    doneBefore = counts.done;
    timer = setInterval(isLine ? paint : () => say(status()), isLine ? paintEvery : logEvery);
    timer.unref();
  };
  const showNote = (event: RunEvent): void => {
    const text = isLine && event.type === 'waiting' ? '' : eventNote(event);
    if (text === '') return;
    // On a terminal, it stays until the next one.
    if (isLine) {
      lastNote = ` · ${shown(text)}`;
    } else if (isNews(event)) {
      say(text);
    }
  };
  if (recorded === undefined) begin();

  return {
    onEvent(event) {
      const isLive = note(event);
      if (timer === undefined && isLive) begin();
      if (timer === undefined) return;
      if (event.type === 'exchange' && verbosity === 'verbose') say(exchangeText(event));
      showNote(event);
    },
    onEnd() {
      clearInterval(timer);
      if (timer === undefined) return;
      if (isLine) io.err('\r\u001b[K');
      const left = isLine ? unaskedText(counts) : status();
      if (left !== null) say(left);
    },
  };
}

/** The cells of a run, and how far they are. */
interface ProgressCounts {
  planned: number;
  done: number;
  /** Requests that were sent now. */
  sent: number;
  unexpected: number;
  isStopped: boolean;
}

/**
 * Counts events. The function that it returns tells whether an event happens now, and is not only read from a journal.
 * @param began milliseconds since the epoch
 */
function countingProgress(plan: Plan, began: number): readonly [ProgressCounts, (event: RunEvent) => boolean] {
  const cells = new Map([...plan.cells, ...plan.reserve.map((one) => one.planned)].map((one) => [one.cell.key, one]));
  const planned = new Set(plan.cells.map(({ cell }) => cell.key));
  const open = new Set(planned);
  const counts = { planned: planned.size, done: 0, sent: 0, unexpected: 0, isStopped: false };
  const conclude = ({ cell, finding: { verdict }, stop }: Extract<RunEvent, { type: 'cell' }>): void => {
    if (verdict === 'not_run' || stop !== undefined || !open.delete(cell)) return;
    counts.done += 1;
    // The cell alone tells no more; the report decides by all evidence.
    const isKnownToFail = cells.get(cell)?.expected.kind === 'entry';
    if (isJudgement(verdict) && (verdict === 'pass') === isKnownToFail) counts.unexpected += 1;
  };
  const note = (event: RunEvent): boolean => {
    switch (event.type) {
      case 'exchange':
        if (Date.parse(event.exchange.timing.started_at) < began) return false;
        counts.sent += 1;
        return true;
      case 'waiting':
        return true;
      case 'stopped':
        counts.isStopped ||= event.stop.target === null;
        return true;
      case 'run_finished':
        counts.isStopped = true;
        return false;
      case 'further':
        for (const key of event.cells.filter((one) => cells.has(one) && !planned.has(one))) {
          planned.add(key);
          open.add(key);
        }
        counts.planned = planned.size;
        return false;
      case 'cell':
        conclude(event);
        return false;
      default:
        return false;
    }
  };
  return [counts, note];
}

/** The checks that an interruption or a spent budget left out; null: none. */
function unaskedText({ planned, done, isStopped }: ProgressCounts): string | null {
  const open = planned - done;
  if (!isStopped || open === 0) return null;
  const checks = planned === 1 ? 'check' : 'checks';
  return `${numberText(open)} of ${numberText(planned)} ${checks} not asked, or only in part`;
}

/**
 * How far the run is, on one line, the most important first.
 * @param elapsed seconds
 * @param doneBefore cells that were done when it began
 */
function statusText(
  { plan, budget, share, recorded }: RunFacts,
  counts: ProgressCounts,
  elapsed: number,
  doneBefore: number,
): string {
  const { planned, done } = counts;
  const doneNow = done - doneBefore;
  const isDone = counts.isStopped || planned === done || doneNow === 0;
  const left = isDone ? '' : `, about ${durationText((elapsed * (planned - done)) / doneNow)} left`;
  const requests = counts.sent + (recorded?.count ?? 0);
  const most = budget.requests === null ? null : shareOfLimit(budget.requests, share);
  const lost = recorded?.lost ? ` and ${numberText(recorded.lost)} without an answer` : '';
  const ofMost = most === null ? '' : ` of ${numberText(most)}`;
  const isFirst = plan.cells.every(({ expected }) => expected.kind === 'new');
  const parts = [
    `${numberText(done)}/${numberText(planned)} checks`,
    `${numberText(requests)}${ofMost} ${(most ?? requests) === 1 ? 'request' : 'requests'}${lost}`,
    `${durationText(elapsed)}${left}`,
    `${numberText(counts.unexpected)} ${isFirst ? 'failed' : 'unexpected'} so far`,
    unaskedText(counts) ?? '',
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** A hundred waits of one kind would bury the progress, and so would each model of a service that is not there. */
function createNewsFilter(): (event: RunEvent) => boolean {
  const shownAt = new Map<string, number>();
  return (event) => {
    const [key, every] = repeats(event);
    if (key === null) return true;
    if (Date.now() - (shownAt.get(key) ?? -Infinity) < every) return false;
    shownAt.set(key, Date.now());
    return true;
  };
}

/** The line for an event that needs a word at once; empty for most events. */
function eventNote(event: RunEvent): string {
  switch (event.type) {
    case 'stopped':
      return stopText(event.stop);
    case 'left_alone':
      return `${unanswered(event)}; asked again when all other models are done`;
    case 'model':
      return event.reachable ? '' : unanswered(event);
    case 'further':
      return furtherText(event.model, event.cells.length);
    case 'wire':
      return `${event.cell}: asked once more, to see whether a new quirk is the rule`;
    case 'waiting':
      return event.reason === 'retry'
        ? `${event.model}: ${event.cause}, retrying in ${event.seconds.toFixed(1)} s`
        : `${event.target}: waiting ${event.seconds.toFixed(1)} s because of the per-minute limit`;
    default:
      return '';
  }
}

/** Events with the same key are shown once in so many milliseconds. */
function repeats(event: RunEvent): readonly [key: string | null, every: number] {
  if (event.type === 'waiting') return [`${event.target} ${event.reason}`, logEvery];
  if (event.type !== 'left_alone' && event.type !== 'model') return [null, 0];
  return [`${event.model.replace(/\/.*/s, '')} ${event.outcome.detail ?? ''}`, Infinity];
}

function furtherText(model: string, cells: number): string {
  return `${model}: asking ${cells} more ${cells === 1 ? 'check' : 'checks'}, to settle what the results leave open`;
}

function unanswered({ model, outcome }: Extract<RunEvent, { type: 'model' | 'left_alone' }>): string {
  return `${model} ${unreachedWords(outcome)}: ${outcome.detail ?? 'no answer'}`;
}

/** `--verbose`: what was asked and how it was answered, without what either said. */
function exchangeText({ id, model, cell, ask, purpose, attempt, exchange }: ExchangeRecord): string {
  const { status, failure } = exchange.answer;
  const parts = [
    cell ?? `${model} (control)`,
    ...(cell === null || ask === null ? [] : [`trial ${ask.sample + 1}`]),
    ...(cell === null || purpose === 'probe' ? [] : [purpose]),
    ...(attempt === 0 ? [] : [`sent again (${attempt})`]),
  ];
  const answer = failure === null ? `HTTP ${status ?? 'none'}` : failure.kind;
  return `${id} ${parts.join(', ')}: ${answer} after ${(exchange.timing.total_ms / 1000).toFixed(2)} s`;
}

/** "45 s", "3 min 10 s", "1 h 5 min" */
function durationText(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${rest} s`;
}
