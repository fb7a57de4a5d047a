import type { Verdict } from '../../cell/verdict.js';
import type { CapabilityVerdict, ReportCell } from '../../matrix/report-format.js';

export type ShownVerdict = Verdict | CapabilityVerdict;

/** How a verdict shows: a glyph and a letter, so that nothing rests on colour alone. */
export interface VerdictMark {
  readonly glyph: string;
  readonly letter: string;
  readonly title: string;
}

export const verdictMarks: Readonly<Record<ShownVerdict, VerdictMark>> = {
  pass: { glyph: '✓', letter: 'P', title: 'pass' },
  partial: { glyph: '◐', letter: 'C', title: 'on a condition' },
  flaky: { glyph: '≈', letter: 'L', title: 'flaky' },
  fail: { glyph: '✗', letter: 'F', title: 'fail' },
  inconclusive: { glyph: '?', letter: 'I', title: 'could not be measured' },
  blocked: { glyph: '⊘', letter: 'B', title: 'blocked: what it needs does not pass' },
  not_run: { glyph: '·', letter: '-', title: 'not asked' },
};

/** "http_error 500, tool_choice_unsupported"; empty where nothing failed. */
export function whatFailed({
  class: outcome,
  reason,
  status,
}: Pick<ReportCell, 'class' | 'reason' | 'status'>): string {
  if (outcome === null) return '';
  const withStatus = outcome === 'http_error' && status !== null ? `${outcome} ${status}` : outcome;
  return reason === null ? withStatus : `${withStatus}, ${reason}`;
}

/** "17 of 20"; with faults named. */
export function trialsText({
  trials,
  needed = trials.needed,
}: {
  trials: ReportCell['trials'];
  needed?: number;
}): string {
  const faults = trials.faults > 0 ? `, ${count(trials.faults, 'fault')} apart` : '';
  const more = needed > 0 ? `, ${needed} more needed to decide` : '';
  return `${trials.passed} of ${trials.total} passed${faults}${more}`;
}

/** "77 to 98 %" */
export function intervalText([low, high]: readonly [number, number]): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

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

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}
