import { configOption, shellWord } from '../safe/shell.js';

/** Shows the evidence of a cell. */
export function evidenceCommand(folder: string | null, cell: string, config: string | null | undefined): string {
  return `chatspec evidence ${shellWord(folder ?? 'RUN')} ${shellWord(cell)}${configOption(config)}`;
}

/** Accepts the deviations of a run, or only those of cells that fit the patterns. */
export function acceptCommand(
  folder: string | null,
  patterns: readonly string[],
  config: string | null | undefined,
): string {
  const only = patterns.map((pattern) => ` --only ${shellWord(pattern)}`).join('');
  return `chatspec baseline accept ${shellWord(folder ?? 'RUN')}${only}${configOption(config)}`;
}
