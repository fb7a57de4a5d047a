import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readProject } from '../../src/assemble/project.js';
import type { Problem } from '../../src/files/problems/problem.js';
import { tempFolder } from './temp-folder.js';

/** A config of one model on the embedded service with the suite `s.yaml`; `model` and `target` are further lines. */
export function configText({ model = '', target = '' } = {}): string {
  const base = 'targets:\n  demo:\n    base_url: simulator\n';
  return `${base}${target === '' ? '' : `    ${target}\n`}    models: [{ id: sim-reference${model === '' ? '' : `, ${model}`} }]\nsuites: [s.yaml]\n`;
}

/** Every problem of a project with this suite. */
export async function problemsOf(
  suite: string,
  config = configText(),
  files: Readonly<Record<string, string>> = {},
): Promise<readonly Problem[]> {
  const folder = await tempFolder();
  for (const [name, text] of Object.entries({
    ...files,
    's.yaml': suite,
    'chatspec.yaml': config,
    'package.json': '{}',
  })) {
    await writeFile(join(folder, name), text);
  }
  return (await readProject(join(folder, 'chatspec.yaml'))).problems;
}

/** `line:column severity message → hint` */
export function inWords({ severity, place, message, hint }: Problem): string {
  return `${place?.line}:${place?.column} ${severity} ${message} → ${hint}`;
}

/** Where `mark` begins in a text, as `line:column`; the mark must occur once. */
export function placeOf(text: string, mark: string): string {
  const parts = text.split(mark);
  if (parts.length !== 2) throw new Error(`${mark} occurs ${parts.length - 1} times in\n${text}`);
  const lines = (parts[0] ?? '').split('\n');
  return `${lines.length}:${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** A suite of fixtures/mistakes: its text, or members of the request of a plain probe. */
export interface SuiteText {
  readonly suite?: string;
  readonly sends?: string;
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export function suiteOf({ suite, sends = '' }: SuiteText): string {
  const hi = 'messages: [{ role: user, content: hi }]';
  return suite ?? `suite: s\nprobes:\n  p:\n    request: { ${[hi, sends].filter((part) => part !== '').join(', ')} }\n`;
}
