import type { ReportCapability } from '../../matrix/report-format.js';

/** Labels that mean nothing without the name of their axis. */
const general =
  /^(?:true|false|on|off|yes|no|none|auto|absent|present|default|enabled|disabled|low|medium|high|[\d.-]+)$/;
/** Characters that a field of the matrix has room for. */
const roomy = 48;

/**
 * "≥2048", "not object", "only thinking=disabled", "≥36 …": a condition in the room of a field. Only what cannot be misread
 * without it is left out: the name of the budget, and of an axis whose label says what is meant. An ellipsis says that
 * there is more.
 */
export function shortCondition({ condition }: Pick<ReportCapability, 'condition'>): string | null {
  if (condition === null) return null;
  const [, bound = '', number, rest = ''] = /^max_tokens (>=|<=) (\d+)( and .+)?$/s.exec(condition) ?? [];
  if (number !== undefined) return `${withSigns(bound)}${number}${rest === '' ? '' : ' …'}`;
  const [, how, axis = '', label = ''] = /^(only|not) with ([\w.-]+)=([\w.-]+)$/.exec(condition) ?? [];
  if (how !== undefined) return general.test(label) ? `${how} ${axis}=${label}` : `${how} ${label}`;
  const text = withSigns(condition).replace(/\b(only|not) with /g, '$1 ');
  return text.length <= roomy ? text : `${text.slice(0, Math.max(text.lastIndexOf(' ', roomy), 24))} …`;
}

/** The whole condition, with the signs that people write. */
export function plainCondition({ condition }: Pick<ReportCapability, 'condition'>): string | null {
  return condition === null ? null : withSigns(condition);
}

const withSigns = (text: string): string => text.replaceAll('>=', '≥').replaceAll('<=', '≤');
