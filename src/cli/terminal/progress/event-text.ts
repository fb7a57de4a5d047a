import type { ExchangeRecord, RunEvent, WaitReason } from '../../../journal/event.js';
import { unreachedWords } from '../../../judge/unreached.js';
import { stopNote } from '../../../report/view/stop-sentences.js';

const waits: Readonly<Record<WaitReason, (seconds: string) => string>> = {
  retry: (seconds) => `retrying in ${seconds} s`,
  pause: (seconds) => `pausing for ${seconds} s, as the service asked`,
  rate_limit: (seconds) => `waiting ${seconds} s because of the per-minute limit`,
};

/** What needs a word at once; empty for most events. */
export function noteFor(event: RunEvent): string {
  switch (event.type) {
    case 'waiting':
      return `${event.target}: ${waits[event.reason](event.seconds.toFixed(1))}`;
    case 'stopped':
      return stopNote(event.stop);
    case 'further':
      return `${event.model}: running ${event.cells.length} more ${event.cells.length === 1 ? 'cell' : 'cells'} to settle a doubtful result`;
    case 'model':
      return event.reachable
        ? ''
        : `${event.model} ${unreachedWords(event.outcome)}: ${event.outcome.detail ?? 'no answer'}`;
    case 'wire':
      return `${event.cell}: asked once more, to see whether a new quirk is the rule`;
    case 'run_started':
    case 'exchange':
    case 'trial':
    case 'cell':
    case 'run_finished':
      return '';
  }
}

/** `--verbose`: what was asked and how it was answered, without what either said. */
export function exchangeText({ id, model, cell, ask, purpose, attempt, exchange }: ExchangeRecord): string {
  const { status, failure } = exchange.answer;
  const what = cell ?? `${model} (control)`;
  const kind = ask === null || ask.kind === 'trial' ? 'trial' : `trial of ${ask.kind}`;
  const trial = cell === null || ask === null ? '' : `, ${kind} ${ask.sample + 1}`;
  const why = cell !== null && purpose !== 'probe' ? `, ${purpose}` : '';
  const again = attempt === 0 ? '' : `, sent again (${attempt})`;
  return `${id} ${what}${trial}${why}${again}: ${failure === null ? `HTTP ${status ?? 'none'}` : failure.kind} after ${timeText(exchange.timing.total_ms)}`;
}

/** "25 ms", "1.25 s" */
function timeText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}
