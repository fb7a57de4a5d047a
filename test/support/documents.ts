import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectFolder = fileURLToPath(new URL('../../', import.meta.url));

/** A fenced block of a Markdown file. */
export interface CodeBlock {
  /** `docs/config.md:12` */
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

/** The project's own Markdown files, as paths relative to its folder. */
export function markdownFiles(): readonly string[] {
  const foreign = new Set(['node_modules', 'dist', 'reports', 'coverage', '.git', '.venv']);
  const below = (folder: string): readonly string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (foreign.has(entry.name)) return [];
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return below(path);
      return entry.name.endsWith('.md') ? [relative(projectFolder, path)] : [];
    });
  return below(projectFolder).toSorted();
}

export const textOf = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');

export function codeBlocks(file: string): readonly CodeBlock[] {
  return [...textOf(file).matchAll(/^```(\w*)[^\n]*\n(.*?)^```$/gms)].map(
    ({ 1: language = '', 2: text = '', index }) => ({
      at: `${file}:${textOf(file).slice(0, index).split('\n').length + 1}`,
      language,
      text,
    }),
  );
}

/** The text below a heading, up to the next heading of the same or a higher level. */
export function section(file: string, heading: string): string {
  const text = textOf(file);
  const level = /^#+/.exec(heading)?.[0].length ?? 1;
  const [, rest] = text.split(new RegExp(`^${heading}$`, 'm'));
  if (rest === undefined) throw new Error(`${file} has no heading "${heading}"`);
  return rest.split(new RegExp(`^#{1,${level}} `, 'm'))[0] ?? '';
}

/** The cells of the first table in a text, row by row, without the head. */
export function tableRows(text: string): readonly (readonly string[])[] {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const rest = lines.slice(first + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end < 0 ? undefined : end).map((line) =>
    line
      .replaceAll('\\|', '\u0000')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('\u0000', '|').trim()),
  );
}
