import type { Report } from '../matrix/report-format.js';
import { aFormat } from '../options/arguments.js';
import { checkFirst } from '../options/first-argument.js';
import type { RenderContext, ReportFormat } from './render.js';

/** The whole text of a report in one format. */
export async function renderReport(format: ReportFormat, report: Report, context: RenderContext): Promise<string> {
  checkFirst('renderReport', format, aFormat);
  const rendered = format.render(report, context);
  if (!(Symbol.asyncIterator in rendered)) return rendered;
  const pieces: string[] = [];
  for await (const piece of rendered) pieces.push(piece);
  return pieces.join('');
}
