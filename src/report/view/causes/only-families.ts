import type { SharedFailure } from '../../../decide/shared-failure.js';
import { familyOf } from '../../../matrix/capability-families.js';
import type { ReportCell } from '../../../matrix/report-format.js';
import { unlikely } from '../../../stats/unlikely.js';
import { listed } from '../phrases.js';

/** So many families are named. */
const mostNamed = 2;

/**
 * The families of all cells that ever showed the failure; null: they are many, or it may be luck that they are few.
 * @param judged all cells of the model that were
 */
export function onlyFamilies(
  { cells: failed, failed: failures }: SharedFailure,
  judged: readonly ReportCell[],
): string | null {
  const shown = judged.filter(({ key }) => Object.hasOwn(failed, key));
  const families = new Set(shown.map(({ capability }) => familyOf(capability)));
  if (families.size === 0 || families.size > mostNamed || shown.length < Object.keys(failed).length) return null;
  const share = judged.filter(({ capability }) => families.has(familyOf(capability))).length / judged.length;
  // Whichever come first name the families; the others meet them by luck.
  return share ** (failures - families.size) > unlikely ? null : listed([...families].sort());
}
