import type { JsonObject } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { bodyOf, variablesOf } from '../../plan/request/request-body.js';
import type { Ticket } from '../../plan/ticket.js';
import { passesToReliable } from '../../stats/sequential-test.js';
import { capOf, checkTest, inOrder, settingsIn, variantOf, type CheckCourse } from './check-course.js';
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
  readonly holds: boolean;
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
  /** Passes in a row that are needed to rely on a form. */
  readonly needed: number;
}

export interface Recommended {
  readonly form: CheckedForm;
  /** The largest cap under which it was seen to hold. */
  readonly up_to: number | null;
  /** The body of its request. */
  readonly request: JsonObject;
}

/** What the findings of a check say. */
export function answerOf(
  report: Report,
  tickets: readonly Ticket[],
  course: Pick<CheckCourse, 'holds'>,
  measuring: Pick<Measuring, 'of'>,
): CheckAnswer {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const asked = inOrder(tickets.filter(({ cell }) => cells.has(cell.key)));
  const seen = asked.map((ticket) => ({ ticket, form: formOf(ticket, cells.get(ticket.cell.key) as ReportCell) }));
  const best = seen.find(({ form }) => form.holds);
  return {
    verdict: best !== undefined ? 'reliable' : seen.every(({ form }) => isDecided(form)) ? 'unreliable' : 'unmeasured',
    forms: seen.map(({ form }) => form),
    recommended: best === undefined ? null : recommended(best.ticket, best.form),
    needed: passesToReliable(checkTest),
  };

  function formOf(ticket: Ticket, cell: ReportCell): CheckedForm {
    const { tokens, milliseconds } = measuring.of(cell.key);
    const middle = median(tokens);
    return {
      ...variantIn(ticket),
      ...{ max_tokens: capOf(ticket) === 0 ? null : capOf(ticket), verdict: cell.verdict, trials: cell.trials },
      ...{ holds: course.holds({ ...cell, needed: cell.trials.needed, fresh: null }) },
      ...{ class: cell.class, reason: cell.reason, status: cell.status, detail: cell.detail },
      tokens: middle === null ? null : { median: middle, largest: largest(tokens) ?? middle },
      ...{ latency_ms: median(milliseconds), cell: cell.key },
    };
  }

  function recommended(ticket: Ticket, form: CheckedForm): Recommended {
    const same = seen.filter((one) => one.form.holds && variantOf(one.ticket) === variantOf(ticket));
    const caps = same.flatMap((one) => one.form.max_tokens ?? []);
    return { form, up_to: largest(caps), request: requestOf(ticket) };
  }
}

/** Measured well enough to say that it does not hold. */
function isDecided({ verdict, trials }: CheckedForm): boolean {
  return (verdict === 'fail' || verdict === 'flaky') && trials.total > 0;
}

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
