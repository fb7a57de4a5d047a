import type { Path } from '../../files/source.js';

/** Members of a probe that its other members build on: without them nothing true can be said of the rest. */
const bearing = new Set(['request', 'steps', 'vary', 'samples', 'enforce', 'find']);
const optional = new Set(['title', 'behaviours', 'families', 'forms']);

/** What of a suite file can be left unread because of a misfit: a member of a probe, a whole probe, or a list beside them. */
export function suiteCut(path: Path): Path | null {
  const [first, probe, member] = path;
  if (first === 'probes' && probe !== undefined) {
    return member === undefined || bearing.has(String(member)) ? ['probes', probe] : ['probes', probe, member];
  }
  return optional.has(String(first)) ? path.slice(0, 1) : null;
}
