import type { Clock } from '../clock.js';
import type { RunEvent } from '../../journal/event.js';

/** Shorter waits are not worth a word; and while one is being waited for, only a longer one is. */
const worthSaying = 1000;

/** Tells the listeners of waits, once for all requests that wait for the same. */
export function createWaitingNotes(
  clock: Clock,
  emit: (event: RunEvent) => Promise<void>,
): (target: string, ms: number, why: string) => void {
  const until = new Map<string, number>();
  return (target, ms, why) => {
    const ends = clock.now() + ms;
    if (ms < worthSaying || ends <= (until.get(target) ?? 0) + worthSaying) return;
    until.set(target, ends);
    void emit({ type: 'waiting', target, seconds: Math.ceil(ms / 1000), why });
  };
}
