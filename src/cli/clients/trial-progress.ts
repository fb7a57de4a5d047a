import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import type { Io } from '../terminal/io.js';
import type { TrialProgress } from './try-client.js';

const { trials } = texts;

/** Milliseconds between two lines of a log. */
const logEvery = 15_000;

/** Says how far a trial is: one line that rewrites itself on a terminal, a line now and then elsewhere. */
export function openTrialProgress(io: Pick<Io, 'err' | 'interactive'>): {
  readonly show: (progress: TrialProgress) => void;
  readonly end: () => void;
} {
  let [latest, isStarted] = [Date.now(), false];
  const clear = io.interactive ? '\r\u001b[K' : '';
  io.err(`chatspec: ${say(trials.waiting)}\n`);
  return {
    show: ({ done, runs, took, limit, jobs }) => {
      if (!isStarted) {
        isStarted = true;
        const seconds = { took: Number((took / 1000).toFixed(1)), limit: Math.ceil(limit / 1000) };
        io.err(`chatspec: ${say(trials.started, { runs, jobs, ...seconds })}\n`);
        return;
      }
      if (!io.interactive && (Date.now() - latest < logEvery || done === runs)) return;
      latest = Date.now();
      io.err(`${clear}chatspec: ${say(trials.progress, { done, runs })}${io.interactive ? '' : '\n'}`);
    },
    end: () => {
      if (isStarted) io.err(clear);
    },
  };
}
