import type { ModelConfig } from '../config/config.js';
import type { Clock } from './clock.js';
import type { EmitEvent } from './drive-options.js';

/** Milliseconds. A shorter wait is not reported, nor is one that ends little later than one reported before. */
const worthReporting = 1000;

/** Reports waits to the listeners, once for all requests that wait for the same thing. */
export function announceWaits(clock: Clock, emit: EmitEvent) {
  const announcedUntil = new Map<string, number>();
  const isNews = (name: string, ms: number): boolean => {
    const ends = clock.now() + ms;
    if (ms < worthReporting || ends <= (announcedUntil.get(name) ?? 0) + worthReporting) return false;
    announcedUntil.set(name, ends);
    return true;
  };
  return {
    limited: (target: string, ms: number): void => {
      if (!isNews(target, ms)) return;
      void emit({ type: 'waiting', reason: 'rate_limit', target, seconds: Math.ceil(ms / 1000) });
    },
    toRepeat: ({ key, target }: ModelConfig, ms: number, cause: string): void => {
      if (!isNews(key, ms)) return;
      void emit({ type: 'waiting', reason: 'retry', target, model: key, seconds: Math.ceil(ms / 1000), cause });
    },
  };
}
