import { expect, test } from 'vitest';
import { markdownFiles, textOf } from '../support/documents.js';
import { execFileSync } from 'node:child_process';
import { shellWords } from '../support/shell-words.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';
import { isStoryDay, startStory, storyAddress } from '../support/pages/story-service.js';

type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'console'; readonly command: string; readonly exit: number };

/**
 * Does what a page says in an empty folder: writes its files, runs its commands. The service that the page names is
 * played by the embedded one. Resolves to the commands whose exit code is another than the page says.
 */
async function wrongExitsOf(file: string): Promise<readonly string[]> {
  const folder = await tempFolder();
  const service = await startStory();
  const wrongExits: string[] = [];
  try {
    for (const step of pageSteps(textOf(file))) {
      if (step.kind === 'file') {
        await writeFiles(folder, { [step.path]: step.text.replaceAll(storyAddress, service.baseUrl) });
      } else if (step.kind === 'day') {
        if (!isStoryDay(step.day)) throw new Error(`${file}: the story has no "${step.day}"`);
        await service.become(step.day);
      } else {
        const { code, output } = await ran(step.command, folder);
        if (code !== step.exit) wrongExits.push(`${step.command}: exit ${String(code)}\n${output}`);
      }
    }
  } finally {
    await service.close();
  }
  return wrongExits;
}

/**
 * A block whose first line is a comment with a file name is that file. A `console` block is one command and, if need
 * be, some of its output; `exit=N` behind the language is its exit code. A comment `<!-- service: DAY -->` changes the
 * service.
 */
function pageSteps(text: string): readonly PageStep[] {
  const blocks = /^```(\w*)([^\n]*)\n(.*?)^```$|^<!-- service: (.+?) -->$/gms;
  return [...text.matchAll(blocks)].flatMap(([, language = '', info = '', body = '', day]): readonly PageStep[] => {
    if (day !== undefined) return [{ kind: 'day', day }];
    if (language === 'console') {
      const [first = ''] = body.split('\n');
      if (!first.startsWith('$ ')) throw new Error(`a console block begins with "$ ": ${first}`);
      return [{ kind: 'console', command: first.slice(2), exit: Number(/\bexit=(\d+)/.exec(info)?.[1] ?? 0) }];
    }
    const name = /^(?:#|\/\/) ((?:[\w-]+\/)*[\w.-]+\.\w+)\n/.exec(body)?.[1];
    return name === undefined ? [] : [{ kind: 'file', path: name, text: body }];
  });
}

/** Commands of chatspec run in this process. Others are plain Unix, and see the files that chatspec wrote. */
async function ran(
  command: string,
  folder: string,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const [name, ...args] = shellWords(command.replace(/^npx --no chatspec/, 'chatspec'));
  if (name !== 'chatspec')
    return { code: 0, output: execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }) };
  const env = { CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' };
  const { code, stdout, stderr } = await chatspec(args, { cwd: folder, env });
  return { code, output: stdout + stderr };
}

/** Pages that tell a story: files to write and commands to run, one after the other in an empty folder. */
const pages = markdownFiles().filter((file) => textOf(file).includes('\n```console'));

test('there are such pages', () => expect(pages.length).toBeGreaterThan(2));

test.each(pages)('%s: every command ends with the exit code that the page says', async (file) => {
  expect(await wrongExitsOf(file)).toEqual([]);
});
