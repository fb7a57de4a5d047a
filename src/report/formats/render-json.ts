import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { safeJsonText } from '../safe/escape.js';
import { redactedReport } from '../safe/shown-report.js';

/** report.json, indented by two spaces. Texts from the service are redacted; names and ids are not. */
export function renderJson(report: Report, { redact }: Pick<RenderContext, 'redact'>): Promise<string> {
  return Promise.resolve(`${safeJsonText(redactedReport(report, redact))}\n`);
}
