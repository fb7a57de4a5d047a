import type { RunReporter } from '../../../assemble/execute-plan.js';
import type { RunEvent } from '../../../journal/event.js';
import { capped } from '../../../report/safe/capped.js';
import { oneLine } from '../../../report/safe/escape.js';
import type { Redact } from '../../../report/safe/redact.js';
import type { Spent } from '../../../run/budget-ledger.js';
import type { Io } from '../io.js';
import { exchangeText, noteFor } from './event-text.js';
import { type RunFacts, type RunSoFar, runSoFar } from './run-so-far.js';
import { statusText, unaskedText } from './status-text.js';
import { openWaitNotes } from './wait-notes.js';

/** How much is shown: `quiet` nothing, `verbose` every request. */
export type Verbosity = 'quiet' | 'usual' | 'verbose';

/** A log gets a line each time this many more percent of the cells are done, and this many milliseconds after the last. */
const logStep = 20;
const logEvery = 30_000;
/** Milliseconds between two pictures of the line on a terminal. */
const paintEvery = 250;

export interface Progress extends RunReporter {
  /** Takes the function that tells what was spent so far. */
  readonly watchBudget: (spending: () => Spent) => void;
}

/**
 * Shows how far a run is: one line that rewrites itself on a terminal, plain lines elsewhere. Events are only counted;
 * texts are made when somebody looks.
 * @param redact masks what a service wrote
 */
export async function openProgress(facts: RunFacts, verbosity: Verbosity, redact: Redact, io: Io): Promise<Progress> {
  if (verbosity === 'quiet') return { onEvent: () => undefined, watchBudget: () => undefined };
  const soFar = runSoFar(facts);
  const say = (text: string): void => {
    if (text !== '') io.err(`chatspec: ${oneLine(capped(redact(text)))}\n`);
  };
  const painter = io.interactive && verbosity === 'usual' ? await line(soFar, redact, io) : log(soFar, say, verbosity);
  // What a run that is continued had asked before is nobody's progress.
  let hasBegun = facts.recorded === undefined;
  if (hasBegun) painter.begin();
  return {
    watchBudget: soFar.watchBudget,
    onEvent(event) {
      soFar.see(event);
      if (!hasBegun) {
        if (!soFar.isLive(event)) return;
        hasBegun = true;
        painter.begin();
      }
      painter.paint(event);
    },
    onEnd() {
      if (hasBegun) painter.done();
      const unasked = unaskedText(soFar.status());
      if (unasked !== null) say(unasked);
    },
  };
}

interface Painter {
  readonly begin: () => void;
  readonly paint: (event: RunEvent) => void;
  readonly done: () => void;
}

/** The note of the last event that needed a word stays until the next one. */
async function line(soFar: RunSoFar, redact: Redact, io: Io): Promise<Painter> {
  const { default: cliProgress } = await import('cli-progress');
  const bar = new cliProgress.SingleBar(
    {
      format: '{bar} {status}',
      barsize: 12,
      clearOnComplete: true,
      hideCursor: true,
      fps: 10,
    },
    cliProgress.Presets.shades_classic,
  );
  let note = '';
  const picture = (): void => {
    const status = soFar.status();
    const text = oneLine(`${statusText(status)}${note === '' ? '' : ` · ${note}`}`);
    bar.setTotal(Math.max(1, status.planned));
    bar.update(status.cells, { status: text.slice(0, Math.max(20, io.columns - 14)) });
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      bar.start(Math.max(1, soFar.status().planned), 0, { status: '' });
      timer = setInterval(picture, paintEvery);
      timer.unref();
    },
    paint(event) {
      // What a target waits for stands in the status, for as long as it does.
      const text = noteFor(event);
      if (text !== '') note = capped(redact(text));
    },
    done: () => {
      clearInterval(timer);
      bar.stop();
    },
  };
}

function log(soFar: RunSoFar, say: (text: string) => void, verbosity: Verbosity): Painter {
  let printed = 0;
  const waitNote = openWaitNotes(verbosity === 'verbose');
  const status = (): void => {
    say(statusText(soFar.status()));
    timer?.refresh();
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    begin() {
      timer = setInterval(status, logEvery);
      timer.unref();
    },
    paint(event) {
      if (event.type === 'exchange' && verbosity === 'verbose') say(exchangeText(event));
      say(event.type === 'waiting' ? waitNote(event) : noteFor(event));
      if (event.type !== 'cell') return;
      const { cells, planned } = soFar.counts();
      const percent = Math.floor((cells / Math.max(1, planned)) * 100);
      if (percent < printed + logStep) return;
      printed = percent - (percent % logStep);
      status();
    },
    done: () => {
      clearInterval(timer);
    },
  };
}
