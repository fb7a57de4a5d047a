import type { ReportCell } from '../../matrix/report-format.js';

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

/** "17 of 20 passed", with faults if there were any. */
export function trialsText({ trials }: Pick<ReportCell, 'trials'>): string {
  const faults = trials.faults > 0 ? `; ${count(trials.faults, 'fault')} not counted` : '';
  const more = trials.needed > 0 ? `, ${trials.needed} more needed to decide` : '';
  return `${trials.passed} of ${trials.total} passed${faults}${more}`;
}

/** "77 to 98 %" */
export function intervalText([low, high]: readonly [number, number]): string {
  return `${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : plural}`;
}

/** "a, b and c" */
export function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
