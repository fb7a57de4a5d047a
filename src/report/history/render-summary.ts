import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { redactAll } from '../safe/redact-values.js';
import { jsonText } from '../safe/visible-json.js';
import { summaryOf } from './run-summary.js';

/** summary.json. It holds names, ids and counts; all that a service wrote in it is what it called its models. */
export function renderSummary(
  report: Report,
  { exit, summary, redact }: Pick<RenderContext, 'exit' | 'summary' | 'redact'>,
): Promise<string> {
  const shown = summary ?? summaryOf(report, exit);
  const memory = { ...shown.memory, models: redactAll(shown.memory.models, redact) };
  return Promise.resolve(`${jsonText({ ...shown, memory })}\n`);
}
