/** A word of a command, quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** ` --config FILE` for a command that is to read the same config; empty where that is found without it. */
export function configOption(config: string | null | undefined): string {
  return config === null || config === undefined || config === 'chatspec.yaml' ? '' : ` --config ${shellWord(config)}`;
}
