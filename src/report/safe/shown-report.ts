import type { Stop } from '../../journal/event.js';
import type { Report } from '../../matrix/report-format.js';
import { capped, eachText } from './capped.js';
import { redactAll, type Redact } from './redact.js';

/** A copy of the report in which every text that a service or a rule wrote is redacted. */
export function redactedReport(report: Report, redact: Redact): Report {
  return {
    ...report,
    run: {
      ...report.run,
      notes: redactAll(report.run.notes, redact),
      stops: report.run.stops.map((stop) => redactedStop(stop, redact)),
    },
    models: report.models.map((model) => ({
      ...model,
      served: redactAll(model.served, redact),
      ...(model.fingerprints && { fingerprints: redactAll(model.fingerprints, redact) }),
      ...(model.answered_by && { answered_by: redactAll(model.answered_by, redact) }),
      unreachable: redactAll(model.unreachable, redact),
    })),
    // Unlike ids, titles are sentences, and may say whatever their author wrote.
    titles: redactAll(report.titles, redact),
    ...(report.remembered?.models && {
      remembered: { ...report.remembered, models: redactAll(report.remembered.models, redact) },
    }),
    cells: report.cells.map((cell) => {
      const [detail, failures] = [redactAll(cell.detail, redact), redactAll(cell.failures, redact)];
      const expected = redactAll(cell.expected, redact);
      const isSame = detail === cell.detail && failures === cell.failures && expected === cell.expected;
      return isSame ? cell : { ...cell, detail, failures, expected };
    }),
  };
}

/** Some kinds of stop repeat what a service wrote. */
function redactedStop(stop: Stop, redact: Redact): Stop {
  if (stop.kind === 'quota' || stop.kind === 'key_refused') return { ...stop, detail: redactAll(stop.detail, redact) };
  return stop.kind === 'unanswered' ? { ...stop, detail: redactAll(stop.detail, redact) } : stop;
}

/**
 * The report as people see it: redacted, and no text so long that it buries the others.
 * @param further what else is done to every text, in the same pass over the report
 */
export function shownReport(report: Report, redact: Redact, further = (text: string) => text): Report {
  const clean = redactedReport(report, redact);
  // A note may hold lines of a file to paste, of which none is long.
  const notes = clean.run.notes.map((note) =>
    note
      .split('\n')
      .map((line) => further(capped(line)))
      .join('\n'),
  );
  const shown = eachText(clean, (text) => further(capped(text)));
  return { ...shown, run: { ...shown.run, notes } };
}
