import { posix } from 'node:path';

/** What must not be committed, each with its reason. */
const secret: readonly (readonly [name: string, reason: string])[] = [
  ['.env', 'which holds keys'],
  ['reports/', 'where journals hold answers as they came, unredacted'],
];

/** What a `.gitignore` should list and does not, in words; null: nothing. Only the usual ways to write a name are known. */
export function notIgnored(gitignore: string, folder: string): string | null {
  const listed = new Set(gitignore.split(/\r?\n/).map(bare));
  const missing = secret.filter(([name]) => {
    const plain = name.replace(/\/$/, '');
    return ![plain, posix.join(folder, plain), `${plain}*`].some((way) => listed.has(way));
  });
  return missing.length === 0 ? null : missing.map(([name, reason]) => `${name}, ${reason}`).join(', and ');
}

/** A line without what says only where or that it is a folder. */
function bare(line: string): string {
  return line
    .trim()
    .replace(/^(?:\*\*)?\//, '')
    .replace(/\/(?:\*\*?)?$/, '');
}
