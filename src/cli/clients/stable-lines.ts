/** Lines of a text, without what ends them. */
const linesOf = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

/**
 * The lines that two runs print alike; null for one that differs, as it holds a time or a random number. null for the
 * whole where nothing can be compared: the runs print differently many lines, or no line that is alike.
 */
export function stableLines(one: string, other: string): readonly (string | null)[] | null {
  const [lines, others] = [linesOf(one), linesOf(other)];
  if (lines.length !== others.length) return null;
  const stable = lines.map((line, index) => (line === others[index] ? line : null));
  return stable.some((line) => line !== null && line.trim() !== '') ? stable : null;
}

/** The first line of a text that is not as it should be, or what is missing; null where the text is right. */
export function reportedBy(text: string, stable: readonly (string | null)[]): string | null {
  const lines = linesOf(text);
  for (const [index, wanted] of stable.entries()) {
    const line = lines[index];
    if (line === undefined)
      return `prints ${lines.length} of ${stable.length} ${stable.length === 1 ? 'line' : 'lines'}`;
    if (wanted !== null && line !== wanted) return line;
  }
  return lines.length > stable.length ? (lines[stable.length] ?? '') : null;
}
