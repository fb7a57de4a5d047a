import type { RunReporter } from '../../../assemble/execute-plan.js';
import type { ExchangeRecord, RunEvent } from '../../../journal/event.js';
import { unreachedWords } from '../../../judge/outcome.js';
import { capped } from '../../../report/safe/capped.js';
import { oneLine } from '../../../report/safe/escape.js';
import type { Redact } from '../../../report/safe/redact.js';
import { stopText } from '../../../report/words/facts.js';
import type { Io } from '../io.js';
import { type RunFacts, type RunStatus, runStatus } from './run-status.js';

/** How much is shown: `quiet` nothing, `verbose` every request. */
export type Verbosity = 'quiet' | 'usual' | 'verbose';

/** A log gets a line each time this many more percent of the cells are done, and this many milliseconds after the last. */
const [logStep, logEvery] = [20, 30_000];
/** Milliseconds between two pictures of the line on a terminal. */
const paintEvery = 250;

type Progress = RunReporter & Pick<RunStatus, 'watchBudget'>;

/**
 * Shows how far a run is: one line that rewrites itself on a terminal, plain lines elsewhere.
 * @param redact masks what a service wrote
 */
export async function openProgress(facts: RunFacts, verbosity: Verbosity, redact: Redact, io: Io): Promise<Progress> {
  if (verbosity === 'quiet') return { onEvent: () => undefined, watchBudget: () => undefined };
  const status = runStatus(facts);
  const shown = (text: string): string => oneLine(capped(redact(text)));
  const say = (text: string): void => io.err(`chatspec: ${shown(text)}\n`);
  const painter = io.interactive && verbosity === 'usual' ? await line(status, shown, io) : log(status, say, verbosity);
  // What a run that is continued had asked before is nobody's progress.
  let hasBegun = facts.recorded === undefined;
  if (hasBegun) painter.begin();
  return {
    watchBudget: status.watchBudget,
    onEvent(event) {
      const isLive = status.see(event);
      if (!hasBegun && isLive) {
        hasBegun = true;
        painter.begin();
      }
      if (hasBegun) painter.paint(event);
    },
    onEnd() {
      if (hasBegun) painter.done();
      const unasked = status.unasked();
      if (unasked !== null) say(unasked);
    },
  };
}

/** The note of the last event that needed a word stays until the next one. */
async function line(status: RunStatus, shown: (text: string) => string, io: Io): Promise<ReturnType<typeof log>> {
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    { format: '{bar} {status}', barsize: 12, clearOnComplete: true, hideCursor: true, fps: 10 },
    cliProgress.Presets.shades_classic,
  );
  let note = '';
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      bar.start(Math.max(1, status.counts().planned), 0, { status: '' });
      timer = setInterval(() => {
        const { cells, planned } = status.counts();
        bar.setTotal(Math.max(1, planned));
        bar.update(cells, { status: `${status.text()}${note}`.slice(0, Math.max(20, io.columns - 14)) });
      }, paintEvery);
      timer.unref();
    },
    paint(event) {
      const text = event.type === 'waiting' ? '' : noteFor(event);
      if (text !== '') note = ` · ${shown(text)}`;
    },
    done: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function log(status: RunStatus, say: (text: string) => void, verbosity: Verbosity) {
  let told = 0;
  let timer: NodeJS.Timeout | undefined;
  const waitedAt = new Map<string, number>();
  // A hundred waits of one kind would bury the progress.
  const isTold = (event: Extract<RunEvent, { type: 'waiting' }>): boolean => {
    const name = `${event.target} ${event.reason}`;
    if (verbosity !== 'verbose' && Date.now() - (waitedAt.get(name) ?? 0) < logEvery) return false;
    waitedAt.set(name, Date.now());
    return true;
  };
  return {
    begin() {
      timer = setInterval(() => say(status.text()), logEvery);
      timer.unref();
    },
    paint(event: RunEvent): void {
      if (event.type === 'exchange' && verbosity === 'verbose') say(exchangeText(event));
      const note = event.type === 'waiting' && !isTold(event) ? '' : noteFor(event);
      if (note !== '') say(note);
      if (event.type !== 'cell') return;
      const { cells, planned } = status.counts();
      const percent = Math.floor((cells / Math.max(1, planned)) * 100);
      if (percent < told + logStep) return;
      told = percent - (percent % logStep);
      say(status.text());
      timer?.refresh();
    },
    done: () => clearInterval(timer),
  };
}

/** What needs a word at once; empty for most events. */
function noteFor(event: RunEvent): string {
  switch (event.type) {
    case 'stopped':
      return stopText(event.stop);
    case 'left_alone':
      return `${unanswered(event)}; asked again when all other models are done`;
    case 'model':
      return event.reachable ? '' : unanswered(event);
    case 'further':
      return `${event.model}: asking ${event.cells.length} more ${event.cells.length === 1 ? 'cell' : 'cells'}, to settle what the results leave open`;
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
