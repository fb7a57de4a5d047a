import type { Report } from '../../matrix/report-format.js';

/** Whether a report is that of `chatspec check`: all its cells are of the suite that the command makes. */
export function isCheck({ cells }: Pick<Report, 'cells'>): boolean {
  return cells.length > 0 && cells.every(({ suite, probe }) => suite === 'check' && formsOfCheck.test(probe));
}

const formsOfCheck = /^(json-schema|json-object|tool-call)/;
