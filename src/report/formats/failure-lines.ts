import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { groupBy } from '../../json/group-by.js';
import type { ExchangeFacts } from '../../judge/application/exchange-facts.js';
import { redactedFacts, type ToldFailure } from '../evidence/evidence-bundle.js';
import type { FailingTrial } from '../gather/failure-spool.js';
import type { RenderContext } from '../render.js';
import { safeJsonText } from '../safe/escape.js';
import { redactAll, type Redact } from '../safe/redact.js';
import { parsedJson } from '../../json/json.js';

/** A line of `failures.jsonl`. */
interface FailureLine extends Partial<ExchangeFacts> {
  readonly cell: string;
  /** Number of the trial among its kind, from 0. */
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
  for await (const failure of failures) yield `${safeJsonText(redactedLine(failureLine(failure), redact), 0)}\n`;
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

/**
 * All failing trials of these cells, by key, in the order of the trials. Read from `failures.jsonl` line by line; empty
 * where a run folder has none. A line that a killed run left torn is skipped.
 */
export async function failuresOf(
  keys: ReadonlySet<string>,
  folder: string,
): Promise<ReadonlyMap<string, readonly ToldFailure[]>> {
  const file = join(folder, 'failures.jsonl');
  const found: FailureLine[] = [];
  if (existsSync(file)) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      const one = parseFailureLine(line);
      if (one !== null && keys.has(one.cell)) found.push(one);
    }
  }
  found.sort((a, b) => a.trial - b.trial);
  return new Map([...groupBy(found, ({ cell }) => cell)].map(([key, lines]) => [key, lines.map(failureFields)]));
}

const failureFields = ({ error, validation_errors, exchange, exchanges }: FailureLine): ToldFailure => ({
  detail: error,
  violations: validation_errors,
  exchange,
  exchanges,
});

function parseFailureLine(line: string): FailureLine | null {
  try {
    return parsedJson(line) as FailureLine;
  } catch {
    return null;
  }
}
