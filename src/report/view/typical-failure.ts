import type { CellFailure, ReportCell } from '../../matrix/report-format.js';

/** The failing trial that the cell's class and detail are of; null: none was kept. */
export function typicalFailure(cell: ReportCell): CellFailure | null {
  const alike = failuresAlike(cell);
  return alike.find(({ detail }) => detail === cell.detail) ?? alike[0] ?? cell.failures[0] ?? null;
}

/** The failing trials that failed as the cell does; where a schema is not enforced, those that violate it. */
export function failuresAlike({ failures, class: outcome, reason, status }: ReportCell): readonly CellFailure[] {
  if (outcome === 'not_enforced') return failures.filter((one) => one.class === 'schema_violation');
  return failures.filter((one) => one.class === outcome && one.reason === reason && one.status === status);
}
