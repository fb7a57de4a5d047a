import { familyOf } from '../../matrix/capability-families.js';
import type { Report } from '../../matrix/report-format.js';

/** How pages call capabilities and their families: as the suites do, otherwise by the id. */
export interface Titles {
  readonly family: (id: string) => string;
  /** "Told to call one named tool"; for what nobody described, the id without its family. */
  readonly capability: (id: string) => string;
}

export function titlesIn({ titles }: Pick<Report, 'titles'>): Titles {
  const families = new Map(Object.entries(titles?.families ?? {}));
  const capabilities = new Map(Object.entries(titles?.capabilities ?? {}));
  return {
    family: (id) => families.get(id) ?? id,
    capability: (id) => capabilities.get(id) ?? (id.slice(familyOf(id).length + 1).replaceAll('_', ' ') || id),
  };
}
