/** "850 ms", "3.4 s" */
export function durationText(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toPrecision(2)).toLocaleString('en')} s`;
  return `${ms < 10 ? Number(ms.toPrecision(2)) : Math.round(ms)} ms`;
}
