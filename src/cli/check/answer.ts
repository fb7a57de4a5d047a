import type { JsonObject } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { bodyOf, variablesOf } from '../../plan/request/request-body.js';
import type { Ticket } from '../../plan/ticket.js';
import { type CheckAnswer, type CheckedForm, isRefuted } from '../../report/checks/render-check.js';
import type { Measured } from '../../report/gather/measured-cells.js';
import { choiceAxis, strictAxis } from './check-suite.js';
import { capOf, inOrder, isAgain, settingsIn } from './course.js';

/** What the cells of a check say: a form is relied on if it passed again in every fresh trial. */
export function answerOf(report: Report, tickets: readonly Ticket[], measured: Measured): CheckAnswer {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const seen = inOrder(tickets).flatMap((ticket) => {
    const cell = cells.get(ticket.cell.key);
    return cell === undefined ? [] : [{ ticket, form: formOf(ticket, cell, measured) }];
  });
  const best = seen.find(({ ticket, form }) => isAgain(ticket) && form.holds);
  const isOpen = report.run.stops.length > 0 || seen.some(({ form }) => !form.holds && !isRefuted(form));
  const ask = { kind: 'trial', patch: {}, sample: 0 } as const;
  return {
    verdict: best !== undefined ? 'reliable' : isOpen ? 'unmeasured' : 'unreliable',
    forms: seen.map(({ form }) => form),
    recommended:
      best === undefined
        ? null
        : {
            form: best.form,
            request: bodyOf(best.ticket, ask, 'request', variablesOf(best.ticket, ask)) as JsonObject,
          },
  };
}

function formOf(ticket: Ticket, cell: ReportCell, measured: Measured): CheckedForm {
  const { verdict, trials, class: failure, reason, status, detail, key } = cell;
  const { [strictAxis]: strict, [choiceAxis]: choice } = ticket.cell.point;
  const answers = measured.get(key) ?? [];
  const tokens = answers.map((one) => one.tokens).filter((count) => count > 0);
  const median = (values: readonly number[]): number | null =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
  return {
    form: strict !== undefined ? 'json_schema' : choice !== undefined ? 'tools' : 'json_object',
    settings: {
      ...(strict !== undefined && { strict }),
      ...(choice !== undefined && { tool_choice: choice }),
      ...Object.fromEntries(settingsIn(ticket)),
    },
    max_tokens: capOf(ticket) === 0 ? null : capOf(ticket),
    ...{ holds: verdict === 'pass' && trials.needed === 0, confirms: isAgain(ticket), verdict, trials },
    ...{ class: failure, reason, status, detail },
    tokens: tokens.length === 0 ? null : { median: median(tokens) ?? 0, largest: Math.max(...tokens) },
    ...{ latency_ms: median(answers.map(({ ms }) => ms)), cell: key },
  };
}
