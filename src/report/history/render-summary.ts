import type { Report } from '../../matrix/report-format.js';
import type { RenderContext } from '../render.js';
import { jsonText } from '../safe/visible-json.js';
import { summaryOf } from './run-summary.js';

/** summary.json. It holds names, ids and counts, and no text of a service. */
export function renderSummary(report: Report, context: Pick<RenderContext, 'exit' | 'summary'>): Promise<string> {
  const { exit, summary } = context;
  return Promise.resolve(`${jsonText(summary ?? summaryOf(report, exit))}\n`);
}
