import type { Report } from '../../matrix/report-format.js';
import { redactedReport } from '../json/render-json.js';
import type { RenderContext } from '../render.js';
import { exitCode } from '../../matrix/run-exit-code.js';
import { exposition } from './exposition.js';
import { familiesOf } from './families.js';

/** OpenMetrics 1.0 text: verdicts, rates, latency and spend, by model and capability. */
export async function* renderOpenMetrics(
  report: Report,
  { redact, exit, summary }: Pick<RenderContext, 'redact' | 'exit' | 'summary'>,
): AsyncIterable<string> {
  const code = exit === undefined ? (summary?.exit_code ?? null) : exitCode(report, exit);
  yield* await Promise.resolve(exposition(familiesOf(redactedReport(report, redact), code)));
}
