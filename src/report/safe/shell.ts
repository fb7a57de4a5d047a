/** A word of a command, quoted where a shell needs it. */
export function shellWord(text: string): string {
  return /^[\w./:@,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** ` --config FILE` for a command that is to read the same config; empty where that is found without it. */
export function configOption(config: string | null | undefined): string {
  return config === null || config === undefined || config === 'chatspec.yaml' ? '' : ` --config ${shellWord(config)}`;
}

/** A header for curl: its name with its text, or with what the shell puts in, such as `$API_KEY`. */
export type CurlHeader = readonly [name: string, value: string | { readonly shell: string }];

/**
 * A curl command, one argument a line.
 * @param options and the address, as a shell reads them
 * @param data the last option, with its value
 */
export function curlCommand(options: string, headers: readonly CurlHeader[], data: string): string {
  const lines = headers.map(([name, value]) =>
    typeof value === 'string' ? `-H ${shellWord(`${name}: ${value}`)}` : `-H "${name}: ${value.shell}"`,
  );
  return [`curl -sS ${options}`, ...lines, data].join(' \\\n  ');
}
