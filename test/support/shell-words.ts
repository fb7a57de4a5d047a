/** The words of a command line, without its comment, redirections and what follows a pipe. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [, single, double, plain] of line.matchAll(/'([^']*)'|"([^"]*)"|([^\s'"]+)/g)) {
    if (plain !== undefined && /^(?:#|[|&;]|\d?>)/.test(plain)) break;
    words.push(single ?? double ?? plain ?? '');
  }
  return words;
}
