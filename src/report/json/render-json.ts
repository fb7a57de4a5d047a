import type { Stop } from '../../journal/stop.js';
import type { Report } from '../../matrix/report-format.js';
import { redactAll } from '../safe/redact-values.js';
import type { RenderContext } from '../render.js';
import { jsonText } from '../safe/visible-json.js';

/** report.json, indented by two spaces. Texts from the service are redacted; names and ids are not. */
export function renderJson(report: Report, { redact }: Pick<RenderContext, 'redact'>): Promise<string> {
  return Promise.resolve(`${jsonText(redactedReport(report, redact))}\n`);
}

/** A copy of the report in which every text that a service or a rule wrote is redacted. */
export function redactedReport(report: Report, redact: RenderContext['redact']): Report {
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

/** Two kinds of stop repeat what a service wrote. */
function redactedStop(stop: Stop, redact: RenderContext['redact']): Stop {
  if (stop.kind === 'quota') return { ...stop, detail: redactAll(stop.detail, redact) };
  return stop.kind === 'unanswered' ? { ...stop, detail: redactAll(stop.detail, redact) } : stop;
}
