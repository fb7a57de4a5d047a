import type { RunEvent, WaitReason } from '../../journal/event.js';
import type { Clock } from '../clock.js';

/** Milliseconds. A shorter wait is not reported, nor is one that ends little later than one reported before. */
const worthReporting = 1000;

/** Reports waits to the listeners, once for all requests that wait for the same thing. */
export function announceWaits(
  clock: Clock,
  emit: (event: RunEvent) => Promise<void>,
): (target: string, ms: number, reason: WaitReason) => void {
  const announcedUntil = new Map<string, number>();
  return (target, ms, reason) => {
    const ends = clock.now() + ms;
    if (ms < worthReporting || ends <= (announcedUntil.get(target) ?? 0) + worthReporting) return;
    announcedUntil.set(target, ends);
    void emit({ type: 'waiting', target, seconds: Math.ceil(ms / 1000), reason });
  };
}
