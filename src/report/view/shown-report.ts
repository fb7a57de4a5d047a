import type { Report } from '../../matrix/report-format.js';
import { redactedReport } from '../json/render-json.js';
import { capped, cappedAll } from '../safe/capped.js';
import type { Redact } from '../safe/redact.js';

/** The report as people see it: redacted, and no text so long that it buries the others. */
export function shownReport(report: Report, redact: Redact): Report {
  const clean = redactedReport(report, redact);
  // A note may hold lines of a file to paste, of which none is long.
  const notes = clean.run.notes.map((note) =>
    note
      .split('\n')
      .map((line) => capped(line))
      .join('\n'),
  );
  const shown = cappedAll(clean);
  return { ...shown, run: { ...shown.run, notes } };
}
