import type { JsonObject } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { bodyOf, variablesOf } from '../../plan/request/request-body.js';
import type { Ticket } from '../../plan/ticket.js';
import { capOf, inOrder, isAgain, settingsIn } from './next-cells.js';
import { choiceAxis, strictAxis } from './check-suite.js';
import { largest, median, type Measuring } from './measured.js';

export type FormName = 'json_schema' | 'json_object' | 'tools';

/** One form of request under one cap, as it was measured. */
export interface CheckedForm {
  readonly form: FormName;
  /** `strict`, `tool_choice` and settings of the config, by label. */
  readonly settings: Readonly<Record<string, string>>;
  /** null: none was sent beyond what the config sends. */
  readonly max_tokens: number | null;
  /** Nothing failed, in as many trials as were wanted. */
  readonly holds: boolean;
  /** Fresh trials of a form that others chose. */
  readonly confirms: boolean;
  readonly verdict: ReportCell['verdict'];
  readonly trials: ReportCell['trials'];
  readonly class: ReportCell['class'];
  readonly reason: ReportCell['reason'];
  readonly status: ReportCell['status'];
  readonly detail: string | null;
  /** Output tokens of the answers that conform; null where none is known. */
  readonly tokens: { readonly median: number; readonly largest: number } | null;
  /** Median, of the answers that conform. */
  readonly latency_ms: number | null;
  /** The key of its cell, for `chatspec evidence`. */
  readonly cell: string;
}

export type CheckVerdict = 'reliable' | 'unreliable' | 'unmeasured';

export interface CheckAnswer {
  readonly verdict: CheckVerdict;
  readonly forms: readonly CheckedForm[];
  /** null: nothing can be relied on. */
  readonly recommended: Recommended | null;
}

export interface Recommended {
  readonly form: CheckedForm;
  /** The body of its request. */
  readonly request: JsonObject;
}

/** What the cells of a check say: a form is relied on if it passed again in every fresh trial. */
export function answerOf(report: Report, tickets: readonly Ticket[], measuring: Pick<Measuring, 'of'>): CheckAnswer {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const seen = inOrder(tickets).flatMap((ticket) => {
    const cell = cells.get(ticket.cell.key);
    return cell === undefined ? [] : [{ ticket, form: formOf(ticket, cell, measuring) }];
  });
  const isCut = report.run.stops.length > 0;
  const best = seen.find(({ ticket, form }) => isAgain(ticket) && form.holds);
  return {
    verdict:
      best !== undefined ? 'reliable' : isCut || seen.some(({ form }) => isOpen(form)) ? 'unmeasured' : 'unreliable',
    forms: seen.map(({ form }) => form),
    recommended: best === undefined ? null : { form: best.form, request: requestOf(best.ticket) },
  };
}

function formOf(ticket: Ticket, cell: ReportCell, measuring: Pick<Measuring, 'of'>): CheckedForm {
  const { tokens, milliseconds } = measuring.of(cell.key);
  const middle = median(tokens);
  return {
    ...variantIn(ticket),
    ...{ max_tokens: capOf(ticket) === 0 ? null : capOf(ticket), verdict: cell.verdict, trials: cell.trials },
    ...{ holds: cell.verdict === 'pass' && cell.trials.needed === 0, confirms: isAgain(ticket) },
    ...{ class: cell.class, reason: cell.reason, status: cell.status, detail: cell.detail },
    tokens: middle === null ? null : { median: middle, largest: largest(tokens) ?? middle },
    ...{ latency_ms: median(milliseconds), cell: cell.key },
  };
}

/** Not measured well enough to say whether it holds. */
const isOpen = ({ verdict, trials }: CheckedForm): boolean =>
  (verdict !== 'fail' && verdict !== 'flaky' && verdict !== 'pass') || (verdict === 'pass' && trials.needed > 0);

function variantIn({ cell, ...ticket }: Ticket): Pick<CheckedForm, 'form' | 'settings'> {
  const { [strictAxis]: strict, [choiceAxis]: choice } = cell.point;
  const settings = Object.fromEntries(settingsIn({ ...ticket, cell }));
  if (strict !== undefined) return { form: 'json_schema', settings: { strict, ...settings } };
  if (choice !== undefined) return { form: 'tools', settings: { tool_choice: choice, ...settings } };
  return { form: 'json_object', settings };
}

/** The literal body that was sent. */
function requestOf(ticket: Ticket): JsonObject {
  const ask = { kind: 'trial', patch: {}, sample: 0 } as const;
  return bodyOf(ticket, ask, 'request', variablesOf(ticket, ask)) as JsonObject;
}
