import type { ExchangeRecord, RunEvent } from '../../../journal/event.js';
import { unreachedWords } from '../../../judge/unreached.js';
import { stopText } from '../../../report/words/stop-text.js';

/** What needs a word at once; empty for most events, and for waits, of which there may be too many. */
export function noteFor(event: RunEvent): string {
  switch (event.type) {
    case 'stopped':
      return stopText(event.stop);
    case 'left_alone':
      return `${event.model} ${unreachedWords(event.outcome)}: ${event.outcome.detail ?? 'no answer'}; asked again when all other models are done`;
    case 'further':
      return `${event.model}: running ${event.cells.length} more ${event.cells.length === 1 ? 'cell' : 'cells'} to settle a doubtful result`;
    case 'model':
      return event.reachable
        ? ''
        : `${event.model} ${unreachedWords(event.outcome)}: ${event.outcome.detail ?? 'no answer'}`;
    case 'wire':
      return `${event.cell}: asked once more, to see whether a new quirk is the rule`;
    case 'waiting':
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
