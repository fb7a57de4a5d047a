import type { ReportLatency } from '../../../matrix/report-format.js';
import { count } from '../phrases.js';

/** "first byte 210 ms / 1.2 s, whole 850 ms / 3.4 s (12 answers of this kind)"; empty where none was measured. */
export function latencyText(latency: ReportLatency | null): string {
  if (latency === null) return '';
  const { first_byte_ms: first, total_ms: whole, answers } = latency;
  const parts = [
    ...(first === null ? [] : [`first byte ${pairText(first, answers)}`]),
    ...(whole === null ? [] : [`whole ${pairText(whole, answers)}`]),
  ];
  return `${parts.join(', ')} (${count(answers, 'answer')} of this kind)`;
}

/** One answer has no percentiles. */
function pairText({ p50, p95 }: NonNullable<ReportLatency['total_ms']>, answers: number): string {
  return answers === 1 ? durationText(p50) : `${durationText(p50)} / ${durationText(p95)}`;
}

/** "850 ms", "3.4 s" */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(2)).toLocaleString('en')} s`;
  return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
}

/** "120 in, 340 out (210 for reasoning), 45 a second, cost 0.0012"; empty where no answer reports its usage. */
export function tokensText(latency: ReportLatency | null): string {
  if (latency === null || latency.tokens === null) return '';
  const { tokens, tokens_per_second: rate, cost } = latency;
  const reasoning = tokens.reasoning > 0 ? ` (${tokens.reasoning.toLocaleString('en')} for reasoning)` : '';
  return [
    `${tokens.prompt.toLocaleString('en')} in`,
    `${tokens.completion.toLocaleString('en')} out${reasoning}`,
    ...(rate === null ? [] : [`${Math.round(rate.p50).toLocaleString('en')} a second`]),
    ...(cost === null ? [] : [`cost ${cost}`]),
  ].join(', ');
}
