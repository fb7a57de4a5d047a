import { type ExchangeFacts, exchangeFacts } from './exchange-facts.js';
import type { FailingTrial, FindExchanges } from './recorded.js';
import { type Redact, redactAll } from './redact.js';
import type { RenderContext } from './render.js';

/** A line of `failures.jsonl`. */
export interface FailureLine extends Partial<ExchangeFacts> {
  readonly cell: string;
  /** Which trial of its kind, from 0. */
  readonly trial: number;
  readonly kind: string;
  readonly step: string | null;
  readonly class: string | null;
  readonly reason: string | null;
  /** The parse or validation error. */
  readonly error: string | null;
  readonly validation_errors: readonly { readonly at: string; readonly message: string }[];
  readonly exchange: string | null;
  readonly exchanges: readonly string[];
}

/** Trials are looked up in the journal this many at a time: one pass over it for each batch. */
const batchSize = 5000;

/** The lines of `failures.jsonl`, redacted, without line ends. Holds one batch in memory. */
export async function* failureLines({
  failures,
  exchanges,
  redact,
}: Pick<RenderContext, 'failures' | 'exchanges' | 'redact'>): AsyncGenerator<string> {
  let batch: FailingTrial[] = [];
  for await (const failure of failures) {
    if (batch.push(failure) < batchSize) continue;
    yield* linesOf(batch, exchanges, redact);
    batch = [];
  }
  yield* linesOf(batch, exchanges, redact);
}

export async function renderFailures(_report: unknown, context: RenderContext): Promise<string> {
  let text = '';
  for await (const line of failureLines(context)) text += `${line}\n`;
  return text;
}

async function* linesOf(
  batch: readonly FailingTrial[],
  exchanges: FindExchanges,
  redact: Redact,
): AsyncGenerator<string> {
  const wanted = new Set(batch.flatMap(({ exchange }) => exchange ?? []));
  const facts = new Map<string, ExchangeFacts>();
  if (wanted.size > 0) for await (const record of exchanges(wanted)) facts.set(record.id, exchangeFacts(record));
  for (const failure of batch) {
    const line = failureLine(failure, facts.get(failure.exchange ?? ''));
    yield JSON.stringify(redactAll(line, redact));
  }
}

/** One failing trial with the facts of the exchange that failed. */
export function failureLine(failure: FailingTrial, facts: ExchangeFacts | undefined): FailureLine {
  return {
    cell: failure.cell,
    trial: failure.ask.sample,
    kind: failure.ask.kind,
    step: failure.step,
    class: failure.class,
    reason: failure.reason,
    ...facts,
    http_status: facts?.http_status ?? failure.status,
    error: failure.detail,
    validation_errors: failure.violations,
    exchange: failure.exchange,
    exchanges: failure.exchanges,
  };
}
