import type { ReportCell } from '../../matrix/report-format.js';

/** What a search found, in a sentence: from where it passes, where it fails, and what no threshold explains. */
export function thresholdText({ value, last_failing, monotonic, curve }: NonNullable<ReportCell['threshold']>): string {
  const found = value === null ? 'no value that passes was found' : `passes from ${value}`;
  const below = last_failing === null ? '' : `, fails at ${last_failing}`;
  const sometimes = curve.filter(([, passed, total]) => passed > 0 && passed < total).map(([x]) => x);
  const [first, last] = [sometimes[0], sometimes.at(-1)];
  const where = first === last ? `${first ?? ''}` : `values from ${first ?? ''} to ${last ?? ''}`;
  const flaky = sometimes.length === 0 ? '' : `; passes only at times at ${where}`;
  return `${found}${below}${flaky}${monotonic ? '' : '; larger values do not always pass'}`;
}
