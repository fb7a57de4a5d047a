import type { Recommendation } from '../../matrix/report-format.js';

/** "max_tokens=2048", one for each setting. */
export function settingsShown({ settings }: Pick<Recommendation, 'settings'>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}
