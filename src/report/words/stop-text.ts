import type { StopReason } from '../../journal/stop.js';
import { stops } from './catalogue.js';
import { say } from './message.js';

/** Why nothing more was asked, in one sentence. */
export function stopText(stop: StopReason): string {
  switch (stop.kind) {
    case 'budget':
      return stop.next === undefined || (stop.spent ?? stop.limit) >= stop.limit
        ? say(stops.budget, { limit: stop.limit, unit: stop.unit })
        : say(stops.budgetTooSmall, { limit: stop.limit, unit: stop.unit, next: stop.next });
    case 'quota':
      return say(stops.quota, { who: stop.answered_by });
    case 'unanswered':
      return say(stops.unanswered, {
        who: stop.answered_by,
        why: stop.status === null ? 'none' : `HTTP ${stop.status}`,
      });
    case 'long_pause':
      return say(stops.long_pause, { who: stop.answered_by, seconds: stop.seconds });
    case 'missing_shard':
      return say(stops.missing_shard, { shard: stop.shard, of: stop.of });
    case 'interrupted':
    case 'cut_off':
    case 'not_recorded':
      return say(stops[stop.kind]);
  }
}
