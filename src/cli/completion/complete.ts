import type { Io } from '../terminal/io.js';
import { verbs } from '../verbs.js';
import { candidatesFor } from './candidates.js';
import { typedIn } from './typed-words.js';

/**
 * Answers a completion script.
 * @param args the shell, then for bash the line up to the cursor, for others its words
 */
export async function complete([shell = '', ...words]: readonly string[], io: Io): Promise<void> {
  const typed = shell === 'bash' ? typedIn(words[0] ?? '') : { before: words.slice(1, -1), word: words.at(-1) ?? '' };
  const { words: found, files } = await candidatesFor(typed, verbs, io);
  // bash replaces only what stands behind the last of these signs.
  const kept = shell === 'bash' ? (/^.*[:=]/.exec(typed.word)?.[0].length ?? 0) : 0;
  const lines = found
    // A word with a control character or a line break comes from no sensible config.
    .filter(({ word }) => !/\p{C}/u.test(word))
    .map(({ word, about }) =>
      shell === 'bash' ? escaped(word.slice(kept)) : about === '' ? word : `${word}\t${about}`,
    );
  io.out(`${[files ? 'files' : 'words', ...lines].join('\n')}\n`);
}

/** bash inserts a word as it stands. */
function escaped(word: string): string {
  return word.replace(/[^\w./:@,=+%-]/g, (sign) => `\\${sign}`);
}
