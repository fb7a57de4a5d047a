import { conditionShown } from '../view/condition-text.js';
import type { ReportCapability } from '../../matrix/report-format.js';

/** Labels that mean nothing without the name of their axis. */
const general =
  /^(?:true|false|on|off|yes|no|none|auto|absent|present|default|enabled|disabled|low|medium|high|[\d.-]+)$/;

/**
 * "≥ 2048", "not object", "only required": a condition in the room of a cell. Only what cannot be misread without it is
 * left out: the name of the budget, and of an axis whose label says what is meant.
 */
export function shortCondition(mark: Pick<ReportCapability, 'condition' | 'asked_up_to'>): string | null {
  const { condition } = mark;
  if (condition === null) return null;
  const [, bound, number] = /^max_tokens (>=|<=) (\d+)$/.exec(condition) ?? [];
  if (number !== undefined) return `${bound === '>=' ? '≥' : '≤'}${number}`;
  const [, how, axis, label = ''] = /^(only|not) with ([\w.-]+)=([\w.-]+)$/.exec(condition) ?? [];
  if (how !== undefined) return general.test(label) ? `${how} ${axis ?? ''}=${label}` : `${how} ${label}`;
  return plainCondition(mark);
}

/** The whole condition, with the sign that people write. */
export function plainCondition(mark: Pick<ReportCapability, 'condition' | 'asked_up_to'>): string | null {
  return conditionShown(mark)?.replaceAll('>=', '≥').replaceAll('<=', '≤') ?? null;
}
