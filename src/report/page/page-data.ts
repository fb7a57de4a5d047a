import { deflateRawSync } from 'node:zlib';
import { readExchangeAnswer, replyIn } from '../../chat/read-answer.js';
import type { Reply } from '../../chat/reply.js';
import { isObject, writtenJson } from '../../json/json.js';
import type { ExchangeRecord } from '../../journal/event.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { printableBody } from '../evidence/evidence-bundle.js';
import type { RenderContext } from '../render.js';
import { capped, everything } from '../safe/capped.js';
import { visible, visibleAll } from '../safe/escape.js';
import { redactForeign, type Redact } from '../safe/redact.js';
import { comparedModels } from './compared-models.js';
import { cellView, type LastGoodView } from './cell-view.js';
import { lastGoodAnswers } from './last-good.js';
import { markedAnswer, type LineMark } from './marked-answer.js';
import { dayText } from '../sections/run-time.js';
import type { PageSections } from './page-sections.js';

/** Characters of a request or an answer that the page keeps. */
const maxExchangeLengths = { deviating: 32_000, other: 6000 };
/** Characters of all of them: deviating cells come first, then those that do not pass, then the others. */
const room = 24_000_000;

/** An exchange as the page shows it; texts stand in a table, since many models are asked the same. */
interface ShownExchange {
  readonly id: string;
  readonly status: number | null;
  readonly milliseconds: number | null;
  /** `id`, `request_id` and `traceresponse`, for support. */
  readonly ids: string;
  readonly finish: string | null;
  readonly model: string;
  /** Numbers of texts. */
  readonly request: number;
  readonly response: number;
  /** The part of an answer that a client reads: the content, or the arguments of the first call. */
  readonly answer: number | null;
  /** Lines of {@link answer} that violate what was asked for. */
  readonly marks: readonly LineMark[];
}

export interface PageData {
  /** Compressed, in base64: what the script shows on demand. */
  readonly packed: string;
  /** Request and answer of an exchange, for readers without JavaScript. */
  readonly plain: (exchange: string) => { readonly request: string; readonly response: string } | null;
}

export async function pageData(
  sections: PageSections,
  context: Pick<RenderContext, 'exchanges' | 'redact' | 'history' | 'earlier'>,
  /** By cell: how many requests it took, of which the report names few. */
  asked: ReadonlyMap<string, number>,
): Promise<PageData> {
  const { report: shown } = sections;
  const wanted = wantedOf(sections);
  const texts = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = texts.get(text) ?? texts.size;
    texts.set(text, number);
    return number;
  };
  const kept = new Map<string, ShownExchange>();
  let left = room;
  const violations = violationsByExchange(shown);
  const shownBy = { numberOf, redact: context.redact };
  for await (const record of context.exchanges(new Set(wanted.keys()))) {
    const most = maxExchangeLengths[wanted.get(record.id) ?? 'other'];
    if (wanted.get(record.id) !== 'deviating' && left <= 0) continue;
    const before = texts.size;
    const one = shownExchange(record, { ...shownBy, most, violations: violations.get(record.id) ?? [] });
    if (texts.size > before) left -= most / 4;
    kept.set(record.id, one);
  }
  const good = new Map<string, LastGoodView>();
  for (const { cell, time, record } of await lastGoodAnswers(shown, sections.changes, context)) {
    const one = shownExchange(record, { ...shownBy, most: maxExchangeLengths.deviating, violations: [] });
    if (one.answer !== null) good.set(cell, { day: dayText(time), answer: one.answer });
  }
  const cells = shown.cells.map((cell) =>
    cellView(cell, sections, {
      exchanges: pageExchangeIds(cell, kept),
      asked: asked.get(cell.key) ?? cell.exchanges.length,
      good: good.get(cell.key) ?? null,
    }),
  );
  const all = [...texts.keys()];
  const data = visibleAll({
    cells,
    exchanges: [...kept.values()],
    runs: runPages(sections),
    ask: sections.ask,
    compared: comparedModels(sections),
    started: shown.run.started_at,
    addresses: Object.fromEntries(shown.models.map(({ id, client }) => [id, client ?? null])),
  });
  const packed = deflateRawSync(writtenJson({ ...data, texts: all }), { level: 6 }).toString('base64');
  return {
    packed,
    plain(id) {
      const one = kept.get(id);
      if (one === undefined) return null;
      return { request: withModel(one.model, all[one.request] ?? ''), response: all[one.response] ?? '' };
    },
  };
}

/** The runs of a strip, with their pages. */
const runPages = ({ history }: PageSections) => history.toReversed().map(({ time, href }) => ({ time, href }));

const withModel = (model: string, text: string): string => `{\n  "model": ${writtenJson(model)},${text.slice(1)}`;

function pageExchangeIds(cell: ReportCell, kept: ReadonlyMap<string, ShownExchange>): readonly string[] {
  return shownIds(cell, 2).filter((id) => kept.has(id));
}

/** Failed ones first. */
function shownIds(cell: ReportCell, most: number): readonly string[] {
  const failing = cell.failures.flatMap(({ exchange }) => exchange ?? []);
  return (failing.length > 0 ? failing : cell.exchanges).slice(0, most);
}

type Violation = ReportCell['failures'][number]['violations'][number];

/** By the exchange that failed. */
function violationsByExchange({ cells }: Report): ReadonlyMap<string, readonly Violation[]> {
  const failures = cells.flatMap((cell) => cell.failures);
  return new Map(failures.flatMap(({ exchange, violations }) => (exchange === null ? [] : [[exchange, violations]])));
}

function wantedOf({ report, changes }: PageSections): ReadonlyMap<string, keyof typeof maxExchangeLengths> {
  const deviating = new Set(changes.flatMap(({ cells }) => cells));
  const wanted = new Map<string, keyof typeof maxExchangeLengths>();
  const add = (cells: readonly ReportCell[], kind: keyof typeof maxExchangeLengths) => {
    for (const cell of cells) {
      for (const id of shownIds(cell, kind === 'deviating' ? 2 : 1)) if (!wanted.has(id)) wanted.set(id, kind);
    }
  };
  for (const { example } of changes) if (example?.exchange) wanted.set(example.exchange, 'deviating');
  add(
    report.cells.filter(({ key }) => deviating.has(key)),
    'deviating',
  );
  add(
    report.cells.filter(({ verdict }) => verdict !== 'pass'),
    'other',
  );
  add(report.cells, 'other');
  return wanted;
}

function shownExchange(
  { id, exchange: { request, answer, timing } }: ExchangeRecord,
  {
    numberOf,
    redact,
    most,
    violations,
  }: {
    readonly numberOf: (text: string) => number;
    readonly redact: Redact;
    readonly most: number;
    readonly violations: readonly Violation[];
  },
): ShownExchange {
  const reply = replyIn(readExchangeAnswer(answer));
  const { model = '', ...rest } = isObject(request.body) ? request.body : {};
  const failure = answer.failure === null ? '' : `(${redact(answer.failure.message)})\n`;
  const text = (value: string) => numberOf(visible(shortenedText(value, most)));
  const answered = replyAnswerText(reply);
  const marked = answered === null ? null : markedAnswer(redact(answered), violations);
  const { traceresponse } = answer.headers;
  return {
    id,
    status: answer.status,
    milliseconds: timing.total_ms,
    ids: capped([reply?.id, reply?.request_id, traceresponse].flatMap((one) => (one ? redact(one) : [])).join(' · ')),
    finish: typeof reply?.finish_reason === 'string' ? capped(redact(reply.finish_reason)) : null,
    model: typeof model === 'string' ? redact(model) : '',
    request: text(writtenJson(redactForeign(rest, redact), 2)),
    response: text(`${failure}${printableBody(answer, reply, redact, most)}`),
    answer: marked === null ? null : text(marked.text),
    marks: marked?.marks ?? [],
  };
}

function replyAnswerText(reply: Reply | null): string | null {
  const [call] = reply?.tool_calls ?? [];
  const raw = call === undefined ? reply?.content : call.arguments;
  if (raw === undefined || raw === null) return null;
  return typeof raw === 'string' ? raw : writtenJson(raw, 2);
}

/** Says what it leaves out. */
function shortenedText(text: string, most: number): string {
  const over = text.length - most;
  return over <= 0 ? text : `${text.slice(0, most)}\n[... ${over.toLocaleString('en')} more characters; ${everything}]`;
}
