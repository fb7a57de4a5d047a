import type { Report } from '../../matrix/report-format.js';
import { runSummaryOf } from '../../matrix/run-summary.js';
import type { RenderContext } from '../render.js';
import { safeJsonText } from '../safe/escape.js';
import { redactAll } from '../safe/redact.js';

/** summary.json. It holds names, ids and counts; all that a service wrote in it is what it called its models. */
export function renderSummary(
  report: Report,
  { exit, summary, redact }: Pick<RenderContext, 'exit' | 'summary' | 'redact'>,
): Promise<string> {
  const shown = summary ?? runSummaryOf(report, exit);
  const memory = { ...shown.memory, models: redactAll(shown.memory.models, redact) };
  return Promise.resolve(`${safeJsonText({ ...shown, memory })}\n`);
}
