/** A command line as far as it is typed. */
export interface Typed {
  /** Whole words, without the name of the program. */
  readonly before: readonly string[];
  /** The word at the cursor, perhaps empty. */
  readonly word: string;
}

/** Splits a line as a shell does, as far as quotes and backslashes go; nothing in it is ever run or expanded. */
export function typedIn(line: string): Typed {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const sign = line.charAt(at);
    if (quote !== '') {
      if (sign === quote) quote = '';
      else if (sign === '\\' && quote === '"' && /["\\$`]/.test(line.charAt(at + 1)))
        word = `${word ?? ''}${line.charAt((at += 1))}`;
      else word = `${word ?? ''}${sign}`;
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (sign === '\\' && at + 1 < line.length) word = `${word ?? ''}${line.charAt((at += 1))}`;
    else word = `${word ?? ''}${sign}`;
  }
  return { before: words.slice(1), word: word ?? '' };
}
