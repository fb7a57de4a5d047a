import type { RunReporter } from '../../assemble/execute-plan.js';
import type { RunEvent, WaitReason } from '../../journal/event.js';
import { capped } from '../../report/safe/capped.js';
import { oneLine } from '../../report/safe/escape.js';
import type { Redact } from '../../report/safe/redact.js';
import { stopNote } from '../../report/view/stop-sentences.js';
import type { Io } from './io.js';

/** A log gets a line each time this many more percent of the cells are done. */
const logStep = 20;

/**
 * Shows how far a run is: one line that rewrites itself on a terminal, a few plain lines elsewhere.
 * @param cells how many cells are planned
 * @param redact masks what a service wrote
 */
export async function openProgress(cells: number, redact: Redact, io: Io): Promise<RunReporter> {
  const counts = { cells: 0, planned: cells, requests: 0, failing: 0 };
  const count = (event: RunEvent): void => {
    if (event.type === 'exchange') counts.requests += 1;
    if (event.type === 'further') counts.planned += event.cells.length;
    if (event.type === 'cell') {
      counts.cells += 1;
      if (event.finding.verdict === 'fail' || event.finding.verdict === 'flaky') counts.failing += 1;
    }
  };
  const noteOf: NoteOf = (event) => oneLine(capped(redact(noteFor(event))));
  const painter = io.interactive ? await bar(cells, noteOf) : log(noteOf, io);
  return {
    onEvent(event) {
      count(event);
      painter.paint(event, counts);
    },
    onEnd: painter.done,
  };
}

type Counts = Readonly<{ cells: number; planned: number; requests: number; failing: number }>;
/** On one line, harmless and redacted. */
type NoteOf = (event: RunEvent) => string;
interface Painter {
  readonly paint: (event: RunEvent, counts: Counts) => void;
  readonly done: () => void;
}

async function bar(cells: number, noteOf: NoteOf): Promise<Painter> {
  const { default: cliProgress } = await import('cli-progress');
  const line = new cliProgress.SingleBar(
    {
      format: '{bar} {value}/{total} cells · {requests} requests · {failing} failing{note}',
      barsize: 24,
      clearOnComplete: true,
      hideCursor: true,
      fps: 10,
    },
    cliProgress.Presets.shades_classic,
  );
  line.start(cells, 0, { requests: 0, failing: 0, note: '' });
  return {
    paint(event, { cells: done, planned, requests, failing }) {
      const note = noteOf(event);
      line.setTotal(planned);
      line.update(done, { requests, failing, note: note === '' ? '' : ` · ${note}` });
    },
    done: () => {
      line.stop();
    },
  };
}

function log(noteOf: NoteOf, io: Io): Painter {
  let printed = 0;
  return {
    paint(event, { cells: done, planned, requests, failing }) {
      const note = noteOf(event);
      if (note !== '') io.err(`chatspec: ${note}\n`);
      const percent = Math.floor((done / Math.max(1, planned)) * 100);
      if (event.type !== 'cell' || percent < printed + logStep) return;
      printed = percent - (percent % logStep);
      io.err(`chatspec: ${done}/${planned} cells, ${requests} requests, ${failing} failing\n`);
    },
    done: () => undefined,
  };
}

const waits: Readonly<Record<WaitReason, (seconds: string) => string>> = {
  retry: (seconds) => `retrying in ${seconds} s`,
  pause: (seconds) => `pausing for ${seconds} s, as the service asked`,
  rate_limit: (seconds) => `waiting ${seconds} s because of the per-minute limit`,
};

/** What needs a word at once; empty for most events. */
function noteFor(event: RunEvent): string {
  switch (event.type) {
    case 'waiting':
      return `${event.target}: ${waits[event.reason](event.seconds.toFixed(1))}`;
    case 'stopped':
      return stopNote(event.stop);
    case 'further':
      return `${event.model}: running ${event.cells.length} more ${event.cells.length === 1 ? 'cell' : 'cells'} to settle a doubtful result`;
    case 'model':
      return event.reachable ? '' : `${event.model} cannot be reached: ${event.outcome.detail ?? 'no answer'}`;
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
