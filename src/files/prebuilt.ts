import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** What the build made of files of the package: the same two levels up from src/files and from dist/files. */
const folder = fileURLToPath(new URL('../../dist/prebuilt/', import.meta.url));

/**
 * Where the build puts what it makes of a text. The name comes from the text alone, so what was made of an older text is
 * never found, and a copy of a shipped file is found as well.
 */
export function prebuiltName(text: string, ending: string): string {
  return `${folder}${createHash('sha256').update(text).digest('hex').slice(0, 32)}${ending}`;
}

/** The file that the build made of this very text; null without one, and before the first build. */
export function prebuiltOf(text: string, ending: string): string | null {
  const name = prebuiltName(text, ending);
  return existsSync(name) ? name : null;
}
