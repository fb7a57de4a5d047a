import type { Json } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { curlLine } from './curl.js';
import { type ExchangeFacts, exchangeFacts, redactedFacts } from './exchange-facts.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Redact } from '../safe/redact.js';
import { redactForeign, redactAll } from '../safe/redact-values.js';
import type { RenderContext } from '../render.js';
import { readAnswer, replyIn } from '../../chat/read-answer.js';
import { printableBody } from './answer-body.js';

/** What support needs: the redacted exchanges of a cell, with everything around them. */
export interface EvidenceBundle {
  readonly format: 'chatspec-evidence/1';
  readonly run: string;
  readonly cell: ReportCell;
  readonly exchanges: readonly EvidenceExchange[];
  /** How many exchanges the cell has; not all may be shown. */
  readonly of: number;
}

export interface EvidenceExchange extends ExchangeFacts {
  readonly exchange: string;
  readonly purpose: string;
  readonly step: string;
  /** Which trial it belongs to, from 0; null for a control. */
  readonly trial: number | null;
  /** The error of the trial that it decided, if that failed. */
  readonly error: string | null;
  readonly validation_errors: readonly { readonly at: string; readonly message: string }[];
  readonly request: Json;
  readonly response: {
    readonly status: number | null;
    readonly headers: Readonly<Record<string, string>>;
    /** As it arrived. */
    readonly body: string;
    /** The text of a stream, assembled. */
    readonly content: string | null;
    readonly failure: string | null;
  };
  readonly curl: string;
}

/** Exchanges of failures first, then others in the order of the run; `most` exchanges, or all failing ones. */
export async function evidenceBundle(
  report: Report,
  cell: ReportCell,
  { exchanges, redact }: Pick<RenderContext, 'exchanges' | 'redact'>,
  most = 20,
): Promise<EvidenceBundle> {
  const failing = cell.failures.flatMap((failure) => failure.exchanges);
  const wanted = new Set([...failing, ...cell.exchanges].slice(0, Math.max(most, failing.length)));
  const shown: EvidenceExchange[] = [];
  if (wanted.size > 0) for await (const record of exchanges(wanted)) shown.push(evidenceExchange(record, cell, redact));
  const { detail, failures } = cell;
  return {
    format: 'chatspec-evidence/1',
    run: report.run.id,
    cell: { ...cell, ...redactAll({ detail, failures }, redact) },
    exchanges: shown,
    of: cell.exchanges.length,
  };
}

/** One exchange, redacted. The caller shows at most `most` characters of the response. */
export function evidenceExchange(
  record: ExchangeRecord,
  cell: ReportCell,
  redact: Redact,
  most?: number,
): EvidenceExchange {
  const { request, answer } = record.exchange;
  const failure = cell.failures.find(({ exchange }) => exchange === record.id);
  const body = redactForeign(request.body, redact);
  const reply = replyIn(readAnswer(answer));
  return {
    ...redactedFacts(exchangeFacts(record), redact),
    ...{ exchange: record.id, purpose: record.purpose, step: record.step, trial: record.ask?.sample ?? null },
    error: failure ? redactAll(failure.detail, redact) : null,
    validation_errors: redactAll(failure?.violations ?? [], redact),
    request: body,
    response: {
      status: answer.status,
      headers: redactAll(answer.headers, redact),
      body: printableBody(answer, reply, redact, most),
      content: reply?.streamed && reply.content !== null ? redact(reply.content) : null,
      failure: answer.failure && redact(answer.failure.message),
    },
    curl: curlLine({ ...request, url: redact(request.url), body }),
  };
}
