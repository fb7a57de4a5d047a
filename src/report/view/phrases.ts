import type { Verdict } from '../../cell/verdict.js';
import type { CapabilityVerdict, ReportCell } from '../../matrix/report-format.js';
import { type SentAgain, sentAgainText } from '../../matrix/sent-again.js';

export type ShownVerdict = Verdict | CapabilityVerdict;

/** The mark of a verdict: a glyph and a letter, so that nobody has to rely on colour. */
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
  not_run: { glyph: '·', letter: '-', title: 'not run' },
};

/** "blocked", without what explains it. */
export function shortTitle(verdict: ShownVerdict): string {
  return verdictMarks[verdict].title.replace(/:.*/, '');
}

/** "http_error 500, tool_choice_unsupported"; empty if nothing failed. */
export function whatFailed({
  class: outcome,
  reason,
  status,
}: Pick<ReportCell, 'class' | 'reason' | 'status'>): string {
  if (outcome === null) return '';
  const withStatus = outcome === 'http_error' && status !== null ? `${outcome} ${status}` : outcome;
  return reason === null ? withStatus : `${withStatus}, ${reason}`;
}

/** "17 of 20 passed", with those that passed only when sent again, if they are many, and with faults if there were any. */
export function trialsText({
  trials,
  needed = trials.needed,
}: {
  trials: ReportCell['trials'];
  needed?: number;
}): string {
  const faults = trials.faults > 0 ? `; ${count(trials.faults, 'fault')} not counted` : '';
  const more = needed > 0 ? `, ${needed} more needed to decide` : '';
  return `${trials.passed} of ${trials.total} passed${sentAgain([trials])}${faults}${more}`;
}

/** "; 30 of 51 trials passed only when sent again"; empty where few did. */
export function sentAgain(counts: readonly SentAgain[]): string {
  const text = sentAgainText(counts);
  return text === null ? '' : `; ${text}`;
}

/** "77 to 98 %" */
export function intervalText([low, high]: readonly [number, number]): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

/**
 * The result of a search: from which value it passes, where it fails, and what a threshold does not explain.
 * @param before the threshold that the baseline stores
 */
export function thresholdText(
  { value, last_failing, monotonic, curve }: NonNullable<ReportCell['threshold']>,
  before: number | null = null,
): string {
  const sometimes = curve.filter(([, passed, total]) => passed > 0 && passed < total).map(([x]) => x);
  const none = sometimes.length === 0 ? 'no passing value was found' : 'no value was found that passes reliably';
  const moved = before === null || before === value ? '' : ` (before: from ${before})`;
  const found = (value === null ? none : `passes from ${value}`) + moved;
  const atLast = curve.find(([x]) => x === last_failing);
  // A value that passes sometimes is named below.
  const below = last_failing === null || (atLast?.[1] ?? 0) > 0 ? '' : `, fails at ${last_failing}`;
  const [first, last] = [sometimes[0], sometimes.at(-1)];
  const where = first === last ? `${first ?? ''}` : `values from ${first ?? ''} to ${last ?? ''}`;
  const flaky = sometimes.length === 0 ? '' : `; passes only sometimes at ${where}`;
  return `${found}${below}${flaky}${monotonic ? '' : '; larger values do not always pass'}`;
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** "a, b and c" */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** As it goes on within a sentence. */
export function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
