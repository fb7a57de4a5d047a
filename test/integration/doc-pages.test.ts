import { expect, test } from 'vitest';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { markdownFiles, projectFolder, textOf } from '../support/documents.js';
import { execFileSync } from 'node:child_process';
import { shellWords } from '../support/shell-words.js';
import { chatspec, writeFiles, type CliResult } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';
import { isStoryDay, startStory, storyAddress } from '../support/pages/story-service.js';

type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'console'; readonly command: string; readonly exit: number; readonly shown: string };

interface Played {
  readonly wrongExits: readonly string[];
  /** The page with what its commands printed. */
  readonly text: string;
}

/**
 * Does what a page says in an empty folder: writes its files, runs its commands. The service that the page names is
 * played by the embedded one. Resolves to the commands whose exit code is another than the page says, and to the page
 * with the output of those commands below which it shows one.
 */
async function played(file: string): Promise<Played> {
  const folder = await tempFolder();
  await mkdir(join(folder, 'node_modules'));
  await symlink(projectFolder, join(folder, 'node_modules', 'chatspec'));
  const service = await startStory();
  const wrongExits: string[] = [];
  let text = textOf(file);
  try {
    for (const step of pageSteps(text)) {
      if (step.kind === 'file') {
        await writeFiles(folder, { [step.path]: step.text.replaceAll(storyAddress, service.baseUrl) });
      } else if (step.kind === 'day') {
        if (!isStoryDay(step.day)) throw new Error(`${file}: the story has no "${step.day}"`);
        await service.become(step.day);
      } else {
        const { code, stdout, stderr } = await ran(step.command, folder);
        if (code !== step.exit) wrongExits.push(`${step.command}: exit ${String(code)}\n${stdout}${stderr}`);
        if (step.shown !== '') text = text.replace(step.shown, () => excerptLike(step.shown, printed(stdout)));
      }
    }
  } finally {
    await service.close();
  }
  return { wrongExits, text };
}

/** What differs from machine to machine stands as the documents have it. */
function printed(stdout: string): string {
  return stdout
    .replaceAll(/ +\d+ ms\b/g, '    12 ms')
    .replaceAll(/\d{1,2} [A-Z][a-z]{2}, \d\d:\d\d UTC/g, '20 Nov, 03:00 UTC')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, '2026-11-20T03-00-00-000Z');
}

/** The lines from the first that the page shows to the last; all of them where it shows another first or last line. */
function excerptLike(shown: string, output: string): string {
  const lines = output.trimEnd().split('\n');
  const [first, last] = [shown.split('\n')[0], shown.trimEnd().split('\n').at(-1)];
  const [from, to] = [lines.findIndex((line) => line === first), lines.findLastIndex((line) => line === last)];
  return `${(from < 0 || to < from ? lines : lines.slice(from, to + 1)).join('\n')}\n`;
}

/**
 * A block whose first line is a comment with a file name is that file. A `console` block is one command and, if need
 * be, lines of its output, one after the other; `exit=N` behind the language is its exit code. A comment
 * `<!-- service: DAY -->` changes the service.
 */
function pageSteps(text: string): readonly PageStep[] {
  const blocks = /^```(\w*)([^\n]*)\n(.*?)^```$|^<!-- service: (.+?) -->$/gms;
  return [...text.matchAll(blocks)].flatMap(([, language = '', info = '', body = '', day]): readonly PageStep[] => {
    if (day !== undefined) return [{ kind: 'day', day }];
    if (language === 'console') {
      const [first = ''] = body.split('\n');
      if (!first.startsWith('$ ')) throw new Error(`a console block begins with "$ ": ${first}`);
      const exit = Number(/\bexit=(\d+)/.exec(info)?.[1] ?? 0);
      return [{ kind: 'console', command: first.slice(2), exit, shown: body.slice(first.length + 1) }];
    }
    const name = /^(?:#|\/\/) ((?:[\w-]+\/)*[\w.-]+\.\w+)\n/.exec(body)?.[1];
    return name === undefined ? [] : [{ kind: 'file', path: name, text: body }];
  });
}

/** Commands of chatspec run in this process. Others are plain Unix, and see the files that chatspec wrote. */
async function ran(command: string, folder: string): Promise<CliResult> {
  const [name, ...args] = shellWords(command.replace(/^npx --no chatspec/, 'chatspec'));
  if (name !== 'chatspec') {
    return { code: 0, stdout: execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }), stderr: '' };
  }
  const env = { CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' };
  return chatspec(args, { cwd: folder, env });
}

/** Pages that tell a story: files to write and commands to run, one after the other in an empty folder. */
const pages = markdownFiles().filter((file) => textOf(file).includes('\n```console'));

test('there are such pages', () => expect(pages.length).toBeGreaterThan(2));

test.each(pages)('%s: every command ends and prints as the page says', async (file) => {
  const { wrongExits, text } = await played(file);
  expect(wrongExits).toEqual([]);
  await expect(text).toMatchFileSnapshot(join(projectFolder, file));
});
