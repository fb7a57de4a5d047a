import type { Json } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { curlLine } from './curl.js';
import type { ExchangeFacts } from '../../judge/application/exchange-facts.js';
import { exchangeFacts, redactedFacts } from './redacted-facts.js';
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
  /** null: the exchange is a control of its model, and belongs to no cell. */
  readonly cell: ReportCell | null;
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

type Sources = Pick<RenderContext, 'exchanges' | 'redact'>;

/**
 * Of each cell, exchanges of failures first, then others in the order of the run; `most` exchanges, or all failing ones.
 * The journal is read once.
 */
export async function evidenceBundles(
  report: Report,
  cells: readonly ReportCell[],
  { exchanges, redact }: Sources,
  most = 20,
): Promise<readonly EvidenceBundle[]> {
  const wanted = new Map<string, ReportCell>();
  for (const cell of cells) {
    const failing = cell.failures.flatMap((failure) => failure.exchanges);
    const shown = new Set([...failing, ...cell.exchanges].slice(0, Math.max(most, failing.length)));
    for (const id of shown) wanted.set(id, cell);
  }
  const found = new Map<ReportCell, EvidenceExchange[]>(cells.map((cell) => [cell, []]));
  if (wanted.size > 0) {
    for await (const record of exchanges(new Set(wanted.keys()))) {
      const cell = wanted.get(record.id);
      if (cell !== undefined) found.get(cell)?.push(evidenceExchange(record, cell, redact));
    }
  }
  return cells.map((cell) => ({
    format: 'chatspec-evidence/1',
    run: report.run.id,
    cell: redactedCell(cell, redact),
    exchanges: found.get(cell) ?? [],
    of: cell.exchanges.length,
  }));
}

/** One exchange by its id, with its cell, if it belongs to one; null: the run has no such exchange. */
export async function evidenceOfExchange(
  report: Report,
  id: string,
  { exchanges, redact }: Sources,
): Promise<EvidenceBundle | null> {
  for await (const record of exchanges(new Set([id]))) {
    const cell = report.cells.find(({ key }) => key === record.cell) ?? null;
    return {
      format: 'chatspec-evidence/1',
      run: report.run.id,
      cell: cell && redactedCell(cell, redact),
      exchanges: [evidenceExchange(record, cell ?? { failures: [] }, redact)],
      of: cell?.exchanges.length ?? 1,
    };
  }
  return null;
}

function redactedCell(cell: ReportCell, redact: Redact): ReportCell {
  const { detail, failures } = cell;
  return { ...cell, ...redactAll({ detail, failures }, redact) };
}

/** One exchange, redacted. The caller shows at most `most` characters of the response. */
export function evidenceExchange(
  record: ExchangeRecord,
  cell: Pick<ReportCell, 'failures'>,
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
