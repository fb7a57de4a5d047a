import type { RunEvent } from '../../../journal/event.js';

type WaitEvent = Extract<RunEvent, { type: 'waiting' }>;

/** Milliseconds between two notes of waits of one kind: a hundred of them bury the progress. */
const noteEvery = 30_000;

/** Words for what is waited for: each wait at once, or few of many. */
export function openWaitNotes(all: boolean): (event: WaitEvent) => string {
  const noted = new Map<string, { readonly at: number; untold: number }>();
  return (event) => {
    const name = `${event.target} ${event.reason}`;
    const last = noted.get(name);
    const now = Date.now();
    if (!all && last !== undefined && now - last.at < noteEvery) {
      last.untold += 1;
      return '';
    }
    noted.set(name, { at: now, untold: 0 });
    const more = (last?.untold ?? 0) === 0 ? '' : ` (and ${last?.untold ?? 0} times since the last such line)`;
    return `${textOf(event)}${more}`;
  };
}

function textOf(event: WaitEvent): string {
  const seconds = event.seconds.toFixed(1);
  return event.reason === 'retry'
    ? `${event.model}: ${event.cause}, retrying in ${seconds} s`
    : `${event.target}: waiting ${seconds} s because of the per-minute limit`;
}
