import type { ExchangeFacts } from '../../judge/application/exchange-facts.js';
import { redactedFacts } from '../evidence/redacted-facts.js';
import type { FailingTrial } from '../gather/failure-spool.js';
import type { Redact } from '../safe/redact.js';
import { redactAll } from '../safe/redact-values.js';
import type { RenderContext } from '../render.js';
import { jsonText } from '../safe/visible-json.js';

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

/** The lines of `failures.jsonl`, redacted, made one at a time. */
export async function* failureLines({
  failures,
  redact,
}: Pick<RenderContext, 'failures' | 'redact'>): AsyncGenerator<string> {
  for await (const failure of failures) yield `${jsonText(redactedLine(failureLine(failure), redact), 0)}\n`;
}

function redactedLine(line: FailureLine, redact: Redact): FailureLine {
  const { usage, ...rest } = line;
  return { ...redactAll(rest, redact), ...(usage === undefined ? {} : redactedFacts({ usage }, redact)) };
}

/** One failing trial with the facts of the exchange that failed. */
function failureLine(failure: FailingTrial): FailureLine {
  const { facts } = failure;
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
