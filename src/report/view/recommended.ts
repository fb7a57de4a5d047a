import type { Recommendation } from '../../matrix/report-format.js';

/** "known from 2 trials only" stands with almost everything in a quick run; of requests that failed, a note tells. */
const everyday = /^known from | got no usable answer \(/;

/** "max_tokens=2048", one for each setting. */
export function settingsShown({ settings }: Pick<Recommendation, 'settings'>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `${name}=${value}`);
}

/** "Mind: schema ignored: validate. Known from 2 trials only." null where there is nothing to mind. */
export function caveatsShown({ caveats = [] }: Pick<Recommendation, 'caveats'>): string | null {
  return caveats.length === 0 ? null : `Mind: ${caveats.join('; ')}.`;
}

/** Needs more of a client than to send the form. */
export function isDemanding({ settings, caveats = [] }: Recommendation): boolean {
  return Object.keys(settings).some((name) => name !== 'tool_choice') || caveats.some((one) => !everyday.test(one));
}
