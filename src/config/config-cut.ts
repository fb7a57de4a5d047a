import type { Path } from '../files/source.js';

/** What of a config can be left unread because of a misfit: a member of a model, of a target or of the whole. */
export function configCut(path: Path): Path | null {
  const [first, , member, , part] = path;
  if (first === 'suites') return null;
  if (first !== 'targets') return path.length === 0 ? null : path.slice(0, 1);
  if (member === 'models') return part === undefined || part === 'id' ? null : path.slice(0, 5);
  return member === undefined || member === 'base_url' ? null : path.slice(0, 3);
}
