import type { ExchangeRecord, RunEvent, WaitReason } from '../../../journal/event.js';

type WaitEvent = Extract<RunEvent, { type: 'waiting' }>;

/** Milliseconds between two notes of waits of one kind: a hundred of them bury the progress. */
const noteEvery = 30_000;

const waits: Readonly<Record<WaitReason, (seconds: string, why: string) => string>> = {
  retry: (seconds, why) => `${why === '' ? '' : `${why}, `}retrying in ${seconds} s`,
  pause: (seconds) => `pausing for ${seconds} s, as the service asked`,
  rate_limit: (seconds) => `waiting ${seconds} s because of the per-minute limit`,
};

interface Noted {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Waits since then. */
  untold: number;
}

/** Words for what targets wait for, with what the last answers were: each at once, or few of many. */
export function openWaitNotes(all: boolean) {
  const noted = new Map<string, Noted>();
  /** By target: how requests ended since the last word about a retry. */
  const failures = new Map<string, Set<string>>();
  return {
    see({ model, exchange }: ExchangeRecord): void {
      const ended = failureText(exchange);
      if (ended === null) return;
      const target = model.slice(0, model.indexOf('/'));
      failures.set(target, (failures.get(target) ?? new Set()).add(ended));
    },
    /** Empty where a wait of this kind had a word a moment ago. */
    noteFor({ target, reason, seconds }: WaitEvent): string {
      const name = `${target} ${reason}`;
      const last = noted.get(name);
      const now = Date.now();
      if (!all && last !== undefined && now - last.at < noteEvery) {
        last.untold += 1;
        return '';
      }
      noted.set(name, { at: now, untold: 0 });
      const why = reason === 'retry' ? [...(failures.get(target) ?? [])].join(', ') : '';
      if (reason === 'retry') failures.delete(target);
      const before =
        last === undefined || last.untold === 0 ? '' : ` (and ${last.untold} times since the last such line)`;
      return `${target}: ${waits[reason](seconds.toFixed(1), why)}${before}`;
    },
  };
}

/** "HTTP 500", "connection reset"; null of an answer. */
function failureText({ answer: { status, failure } }: ExchangeRecord['exchange']): string | null {
  if (failure !== null) return failure.kind.replaceAll('_', ' ');
  return status !== null && status >= 400 ? `HTTP ${status}` : null;
}
