/** A message suggests at most this many names. */
const mostSuggested = 3;

/** A message lists at most this many names, each on a line of its own. */
const mostListed = 5;

/** Longer names differ in their first letters already. */
const mostRead = 200;

/**
 * The names that a pattern probably means, nearest first and at most three; empty when none is near. In the pattern, `*`
 * stands for any run of characters and costs nothing. What differs by about a third of the other letters is near, and so
 * is a name that holds the pattern somewhere inside. Of the near ones, only those as near as the nearest are returned.
 */
export function nearNames(pattern: string, candidates: Iterable<string>): readonly string[] {
  const small = pattern.toLowerCase().slice(0, mostRead);
  const letters = small.replaceAll('*', '').length;
  // Any two words of one or two letters are near each other, so none of them helps.
  const farthest = letters < 3 ? 0 : Math.max(1, Math.round(letters / 3));
  if (letters === 0) return [];
  let best = Infinity;
  let found: string[] = [];
  for (const candidate of new Set(candidates)) {
    if (candidate === pattern) continue;
    const far = farFrom(small, letters, candidate.toLowerCase().slice(0, mostRead), farthest);
    if (far > farthest || far > best) continue;
    if (far < best) [best, found] = [far, []];
    found.push(candidate);
  }
  return found.sort((a, b) => a.length - b.length).slice(0, mostSuggested);
}

/** How far a name is from a pattern, both in small letters. */
function farFrom(pattern: string, letters: number, name: string, farthest: number): number {
  // A name that holds the pattern is nearer than any that differs by a letter.
  if (letters > 1 && distance(`*${pattern}*`, name) === 0) return 0;
  if (!pattern.includes('*')) {
    if (Math.abs(pattern.length - name.length) > farthest) return Infinity;
    // Letters in the wrong order count as one mistake.
    if (sorted(pattern) === sorted(name)) return 1;
  }
  return distance(pattern, name);
}

function sorted(word: string): string {
  return Array.from(word).sort().join('');
}

/** The fewest letters to insert, leave out or replace until the pattern matches the name. */
function distance(pattern: string, name: string): number {
  let row = Array.from({ length: name.length + 1 }, (_, column) => column);
  for (const letter of pattern) {
    const next = [letter === '*' ? (row[0] ?? 0) : (row[0] ?? 0) + 1];
    for (let column = 1; column <= name.length; column += 1) {
      const [above = 0, left = 0, both = 0] = [row[column], next[column - 1], row[column - 1]];
      next.push(
        letter === '*'
          ? Math.min(above, left)
          : Math.min(above + 1, left + 1, both + (letter === name[column - 1] ? 0 : 1)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** What could have been written. */
export interface KnownNames {
  readonly title: string;
  readonly names: readonly string[];
  /** It lists them all. */
  readonly command?: string;
}

/** `did you mean "a" or "b"?`, or else a few of the known names; undefined when there are none. */
export function nearHint(near: readonly string[], { title, names, command }: KnownNames): string | undefined {
  if (near.length > 0) return `did you mean ${inWords(near.slice(0, mostSuggested).map((name) => `"${name}"`))}?`;
  return names.length === 0 ? undefined : listedNames(title, names, command);
}

function inWords(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), ...names.slice(-1)].filter((part) => part !== '').join(' or ');
}

/** A title and a few names, one a line; then how many more there are, and the command that lists them. */
export function listedNames(title: string, names: readonly string[], command?: string): string {
  const more = names.length - mostListed;
  const rest = `and ${more} more${command === undefined ? '' : `: ${command}`}`;
  return [`${title}:`, ...names.slice(0, mostListed), ...(more > 0 ? [rest] : [])].join('\n      ');
}
