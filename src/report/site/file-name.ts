import { createHash } from 'node:crypto';

/** A name that is safe in every file system and address, another one for every id. */
export function fileNameOf(id: string): string {
  const safe = id
    .replaceAll(/[^\w.-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 80);
  // Upper and lower case are one name on some systems.
  const isOwn = safe === id && !/[A-Z]/.test(id);
  return isOwn ? safe : `${safe}-${createHash('sha256').update(id).digest('hex').slice(0, 8)}`;
}
