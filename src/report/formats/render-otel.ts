import { withoutModel } from '../../cell/cell-key.js';
import { endOf, isSuccess } from '../../chat/exchange.js';
import { nonEmptyText } from '../../chat/fields.js';
import { tokenUse } from '../../chat/tokens.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { type Json, writtenJson } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { exchangeFacts, redactedFacts } from '../evidence/evidence-bundle.js';
import { redactedReport } from '../safe/shown-report.js';
import type { RenderContext } from '../render.js';
import type { Redact } from '../safe/redact.js';
import { safeJsonText } from '../safe/escape.js';

/** Attributes that the spans of a cell share. */
interface Trace {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

/**
 * OTLP/JSON in one line: a trace for each cell, with a span for each of its requests in the `gen_ai` conventions, which
 * has the id of the `traceparent` that was sent. What was asked and answered stays in the journal.
 */
export async function* renderOtel(
  report: Report,
  { redact, exchanges }: Pick<RenderContext, 'redact' | 'exchanges'>,
): AsyncGenerator<string> {
  const { run, cells } = redactedReport(report, redact);
  const resource = { 'service.name': run.tool.name, 'service.version': run.tool.version, 'chatspec.run': run.id };
  const traces = new Map<string, Trace>();
  yield `{"resourceSpans":[{"resource":${safeJsonText({ attributes: otelAttributes(resource) }, 0)},`;
  yield `"scopeSpans":[{"scope":${safeJsonText(run.tool, 0)},"spans":[`;
  for await (const record of exchanges(new Set(cells.flatMap((cell) => cell.exchanges)))) {
    const { cell, exchange } = record;
    const [, id, spanId] = /^00-([\da-f]{32})-([\da-f]{16})-/.exec(exchange.request.headers['traceparent'] ?? '') ?? [];
    if (cell === null || id === undefined || spanId === undefined) continue;
    const [start, end] = [Date.parse(exchange.timing.started_at), endOf(exchange)];
    const known = traces.get(cell) ?? { id, start, end };
    const span = { ...spanOf({ id, start, end }), spanId, parentSpanId: rootOf(id), ...requestSpan(record, redact) };
    yield `${traces.size === 0 ? '' : ','}${safeJsonText(span, 0)}`;
    traces.set(cell, { id, start: Math.min(known.start, start), end: Math.max(known.end, end) });
  }
  for (const cell of cells) {
    const trace = traces.get(cell.key);
    if (trace !== undefined) {
      yield `,${safeJsonText({ ...spanOf(trace), spanId: rootOf(trace.id), ...cellSpan(cell) }, 0)}`;
    }
  }
  yield ']}]}]}\n';
}

const rootOf = (trace: string): string => trace.slice(0, 16);

const spanOf = ({ id, start, end }: Trace) => ({
  traceId: id,
  startTimeUnixNano: `${start}000000`,
  endTimeUnixNano: `${end}000000`,
});

function cellSpan({ key, model, capability, verdict, standing, class: failure, reason, detail }: ReportCell): object {
  return {
    name: withoutModel(key),
    kind: 1,
    status: statusOf(verdict === 'fail' || verdict === 'flaky', detail),
    attributes: otelAttributes({
      'chatspec.cell': key,
      'chatspec.model': model,
      'chatspec.capability': capability,
      'chatspec.verdict': verdict,
      'chatspec.standing': standing,
      'chatspec.reason': reason,
      'error.type': failure,
    }),
  };
}

function requestSpan(record: ExchangeRecord, redact: Redact): object {
  const { id, served, purpose, attempt, exchange } = record;
  const { request, answer } = exchange;
  const facts = redactedFacts(exchangeFacts(record), redact);
  const tokens = tokenUse(facts);
  const isError = !isSuccess(answer.status) || answer.failure !== null;
  return {
    name: `chat ${nonEmptyText(facts.model) ?? ''}`,
    kind: 3,
    status: statusOf(isError, answer.failure && redact(answer.failure.message)),
    attributes: otelAttributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': facts.model,
      'gen_ai.request.max_tokens': facts.max_tokens,
      'gen_ai.request.temperature': facts.temperature,
      'gen_ai.response.id': facts.id,
      'gen_ai.response.model': served === null ? null : redact(served),
      'gen_ai.response.finish_reasons': facts.finish_reason === null ? null : [facts.finish_reason],
      'gen_ai.usage.input_tokens': tokens.prompt,
      'gen_ai.usage.output_tokens': tokens.completion,
      'server.address': new URL(request.url).hostname,
      'http.response.status_code': answer.status,
      'error.type': isError ? (answer.failure?.kind ?? String(answer.status)) : null,
      'chatspec.exchange': id,
      'chatspec.purpose': purpose,
      'chatspec.attempt': attempt,
    }),
  };
}

const statusOf = (isError: boolean, message: string | null): object =>
  isError ? { code: 2, ...(message !== null && { message }) } : {};

/** Without those that are not known. */
function otelAttributes(values: Readonly<Record<string, Json>>): readonly object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: otlpAnyValue(value) }],
  );
}

function otlpAnyValue(value: Json): object {
  if (Array.isArray(value)) return { arrayValue: { values: (value as readonly Json[]).map(otlpAnyValue) } };
  if (typeof value !== 'number') return { stringValue: typeof value === 'string' ? value : writtenJson(value) };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
