/** What a report notes of a run, or of one target of it, that stopped before everything was asked. */
export function stopNote(target: string | null, why: string): string {
  return `${prefix(target)}: ${why}`;
}

/** Why a run stopped early, read back from the notes of its report. */
export function stopsIn(notes: readonly string[]): readonly string[] {
  return notes.flatMap((note) => /^stopped(?: [^ :]+)?: (?<why>.+)$/s.exec(note)?.groups?.['why'] ?? []);
}

function prefix(target: string | null): string {
  return target === null ? 'stopped' : `stopped ${target}`;
}
