import type { Report } from '../../matrix/report-format.js';
import { redactedReport } from '../json/render-json.js';
import { capped } from '../safe/capped.js';
import { eachText } from '../safe/each-text.js';
import type { Redact } from '../safe/redact.js';

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
