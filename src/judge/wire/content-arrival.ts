import type { Exchange } from '../../chat/exchange.js';
import { contentTimes, timedChunks } from '../../chat/stream/timed-chunks.js';

/** Milliseconds that a service must have taken before its first content: what comes sooner may well come at once. */
const shortestPause = 500;

/** Fewer chunks of content, as of one word, say nothing. */
const fewestChunks = 4;

/** Chunks a millisecond: no service writes a thousand a second, so what comes faster was held back. */
const fastestWriting = 1;

/**
 * Whether the content of a stream came as it was written, or at once. null: too soon or too little to tell, or nobody
 * knows when. The time in which the recording process was busy is no pause of the service.
 */
export function arrivalOfContent(exchange: Exchange): 'as_written' | 'at_once' | null {
  const { pieces_ms: times = [], busy_ms: busy = 0 } = exchange.timing;
  // Most answers of a service nearby end here, before anything is read a second time.
  if ((times.at(-1) ?? 0) - busy < shortestPause) return null;
  const { first, last, count } = contentTimes(timedChunks(exchange));
  if (first === null || last === null) return null;
  if (first - busy < shortestPause || count < fewestChunks) return null;
  return last - first < count / fastestWriting ? 'at_once' : 'as_written';
}
