/** Lines around a change that show where it is. */
const context = 3;

/** A line as a diff shows it: in both texts, only in the old, or only in the new one. */
interface DiffLine {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/**
 * A unified diff of two texts, as `diff -u` and `git apply` know it; empty if they are the same.
 * @param before null: there was no file
 */
export function unifiedDiff(file: string, before: string | null, after: string): string {
  if (before === after) return '';
  const lines = diffLines(linesOf(before ?? ''), linesOf(after));
  const head = [`--- ${before === null ? '/dev/null' : file}`, `+++ ${file}`];
  return `${[...head, ...hunksOf(lines)].join('\n')}\n`;
}

/** Each with its line break, so that a missing one at the end is a difference. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunksOf(lines: readonly DiffLine[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  const hunks: { from: number; to: number }[] = [];
  for (const index of changed) {
    const last = hunks.at(-1);
    const [from, to] = [Math.max(0, index - context), Math.min(lines.length, index + context + 1)];
    if (last !== undefined && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  }
  let [old, now, done] = [0, 0, 0];
  return hunks.flatMap(({ from, to }) => {
    // Only lines of both texts stand between two hunks.
    [old, now, done] = [old + from - done, now + from - done, from];
    const shown = lines.slice(from, to);
    const [less, more] = [
      shown.filter(({ mark }) => mark !== '+').length,
      shown.filter(({ mark }) => mark !== '-').length,
    ];
    const header = `@@ -${rangeOf(old, less)} +${rangeOf(now, more)} @@`;
    [old, now, done] = [old + less, now + more, to];
    return [header, ...shown.flatMap(({ mark, text }) => writtenOut(mark, text))];
  });
}

/** An empty range names the line before it. */
function rangeOf(before: number, count: number): string {
  return `${count === 0 ? before : before + 1},${count}`;
}

function writtenOut(mark: string, text: string): readonly string[] {
  return text.endsWith('\n') ? [`${mark}${text.slice(0, -1)}`] : [`${mark}${text}`, '\\ No newline at end of file'];
}

/**
 * What is common at both ends stays. Between them, lines that occur once in each text are matched in the longest order
 * that both have (as a patience diff does), and the rest likewise in turn. The entries of a baseline are such lines.
 */
function diffLines(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  const [oldRest, nowRest] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  return [
    ...marked(' ', old.slice(0, start)),
    ...between(oldRest, nowRest),
    ...marked(' ', old.slice(old.length - end)),
  ];
}

function between(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  const anchors = old.length === 0 || now.length === 0 ? [] : longestCommonOrder(old, now);
  if (anchors.length === 0) return [...marked('-', old), ...marked('+', now)];
  const lines: DiffLine[] = [];
  let [fromOld, fromNow] = [0, 0];
  for (const [atOld, atNow] of [...anchors, [old.length, now.length] as const]) {
    for (const line of diffLines(old.slice(fromOld, atOld), now.slice(fromNow, atNow))) lines.push(line);
    const line = old[atOld];
    if (line !== undefined) lines.push({ mark: ' ', text: line });
    [fromOld, fromNow] = [atOld + 1, atNow + 1];
  }
  return lines;
}

/** Places of lines that occur once in each text, rising in both: the longest such sequence. */
function longestCommonOrder(old: readonly string[], now: readonly string[]): readonly (readonly [number, number])[] {
  const places = singlePlaces(now);
  const pairs = [...singlePlaces(old)].flatMap(([line, at]) => {
    const there = places.get(line);
    return there === undefined ? [] : [{ at, there, previous: -1 }];
  });
  /** The index of the pair that ends the best sequence of each length. */
  const ends: number[] = [];
  for (const [index, pair] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? -1]?.there ?? Infinity) < pair.there) low = middle + 1;
      else high = middle;
    }
    pair.previous = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const sequence: [number, number][] = [];
  for (let pair = pairs[ends.at(-1) ?? -1]; pair !== undefined; pair = pairs[pair.previous])
    sequence.push([pair.at, pair.there]);
  return sequence.reverse();
}

/** Where each line stands that occurs only once. */
function singlePlaces(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [index, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, index);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

const marked = (mark: DiffLine['mark'], lines: readonly string[]): readonly DiffLine[] =>
  lines.map((text) => ({ mark, text }));
