import { execFileSync } from 'node:child_process';
import { runCli } from '../../../src/cli/program.js';
import { anIo } from '../io.js';
import { shellWords } from '../shell-words.js';
import { textOf } from '../documents.js';
import { writeFiles } from '../cli.js';
import { tempFolder } from '../temp-folder.js';
import { isStoryDay, startStory, storyAddress } from './story-service.js';

type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'console'; readonly command: string; readonly exit: number };

/**
 * Does what a page says in an empty folder: writes its files, runs its commands. The service that the page names is played
 * by the embedded one. Resolves to the commands whose exit code is another than the page says.
 */
export async function wrongExitsOf(file: string): Promise<readonly string[]> {
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
 * A block whose first line is a comment with a file name is that file. A `console` block is one command and, if need be,
 * some of its output; `exit=N` behind the language is its exit code. A comment `<!-- service: DAY -->` changes the service.
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
async function ran(command: string, folder: string): Promise<{ readonly code: number; readonly output: string }> {
  const [name, ...args] = shellWords(command.replace(/^npx --no chatspec/, 'chatspec'));
  if (name !== 'chatspec')
    return { code: 0, output: execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }) };
  let output = '';
  const io = anIo({
    out: (piece) => void (output += piece),
    err: (piece) => void (output += piece),
    env: { CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' },
    cwd: folder,
    exitNow: (code) => {
      throw new Error(`exit ${code}`);
    },
  });
  return { code: await runCli(args, io), output };
}
