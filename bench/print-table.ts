/** Prints a Markdown table, as docs/how-chatspec-decides.md shows it. */
export function printTable(head: readonly string[], rows: readonly (readonly string[])[]): void {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  process.stdout.write(`${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n\n`);
}
