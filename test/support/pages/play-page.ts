import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../../../src/cli/program.js';
import { clientFixture, clientFixtures } from '../client-fixture.js';
import { projectFolder } from '../documents.js';
import { anIo } from '../io.js';
import { shellWords } from '../shell-words.js';
import { writeFiles } from '../write-files.js';
import { isStoryDay, startStory, storyAddress, type StoryService } from './story-service.js';

type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'day'; readonly day: string }
  | { readonly kind: 'client'; readonly client: string }
  | ConsoleStep;

interface ConsoleStep {
  readonly kind: 'console';
  readonly command: string;
  readonly exit: number;
  /** What the page shows of the output; empty: nothing. */
  readonly shown: string;
}

/** What became of a page. */
export interface PlayedPage {
  /** The commands whose exit code is another than the page says, with their output. */
  readonly wrongExits: readonly string[];
  /** The page with what its commands printed. */
  readonly text: string;
}

/**
 * Does what a page says in an empty folder: writes its files, runs its commands. The service that the page names is
 * played by the embedded one.
 */
export async function playPage(text: string): Promise<PlayedPage> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-page-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(projectFolder, join(folder, 'node_modules', 'chatspec'));
  const service = await startStory();
  const wrongExits: string[] = [];
  let played = text;
  try {
    for (const step of pageSteps(text)) {
      if (step.kind !== 'console') {
        await prepare(step, folder, service);
        continue;
      }
      const { code, stdout, stderr } = await ran(step.command, folder);
      if (code !== step.exit) wrongExits.push(`${step.command}: exit ${String(code)}\n${stdout}${stderr}`);
      if (step.shown !== '') played = played.replace(step.shown, () => excerptLike(step.shown, printed(stdout)));
    }
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { wrongExits, text: played };
}

/**
 * A block whose first line is a comment with a file name is that file. A `console` block is one command and, if need
 * be, lines of its output, one after the other; `exit=N` behind the language is its exit code. Comments change the
 * service (`<!-- service: DAY -->`) or put a client library and its program into the folder (`<!-- client: NAME -->`).
 */
function pageSteps(text: string): readonly PageStep[] {
  const blocks = /^```(\w*)([^\n]*)\n(.*?)^```$|^<!-- (service|client): (.+?) -->$/gms;
  return [...text.matchAll(blocks)].flatMap(
    ([, language = '', info = '', body = '', change, name = '']): readonly PageStep[] => {
      if (change === 'service') return [{ kind: 'day', day: name }];
      if (change === 'client') return [{ kind: 'client', client: name }];
      if (language === 'console') return [consoleStep(info, body)];
      const path = /^(?:#|\/\/) ((?:[\w-]+\/)*[\w.-]+\.\w+)\n/.exec(body)?.[1];
      return path === undefined ? [] : [{ kind: 'file', path, text: body }];
    },
  );
}

function consoleStep(info: string, body: string): ConsoleStep {
  const end = body.indexOf('\n') + 1;
  const first = body.slice(0, end).trimEnd();
  if (!first.startsWith('$ ')) throw new Error(`a console block begins with "$ ": ${first}`);
  return {
    kind: 'console',
    command: first.slice(2),
    exit: Number(/\bexit=(\d+)/.exec(info)?.[1] ?? 0),
    shown: body.slice(end),
  };
}

async function prepare(
  step: Exclude<PageStep, ConsoleStep>,
  folder: string,
  service: Pick<StoryService, 'baseUrl' | 'become'>,
): Promise<void> {
  if (step.kind === 'file') {
    await writeFiles(folder, { [step.path]: step.text.replaceAll(storyAddress, service.baseUrl) });
  } else if (step.kind === 'day') {
    if (!isStoryDay(step.day)) throw new Error(`the story has no "${step.day}"`);
    await service.become(step.day);
  } else {
    const name = clientFixtures.find((one) => one === step.client);
    if (name === undefined) throw new Error(`there is no client "${step.client}"`);
    const from = await clientFixture(name);
    for (const file of ['package.json', 'calls.mjs']) await cp(join(from, file), join(folder, file));
    await rm(join(folder, 'node_modules'), { recursive: true, force: true });
    await symlink(join(from, 'node_modules'), join(folder, 'node_modules'));
  }
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands of chatspec run in this process. Others are plain Unix, and see the files that chatspec wrote. */
async function ran(command: string, folder: string): Promise<Ran> {
  const [name, ...args] = shellWords(command.replace(/^npx --no chatspec/, 'chatspec'));
  if (name !== 'chatspec') {
    return { code: 0, stdout: execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }), stderr: '' };
  }
  const output = { stdout: '', stderr: '' };
  const io = anIo({
    out: (text) => void (output.stdout += text),
    err: (text) => void (output.stderr += text),
    env: { PATH: process.env['PATH'] ?? '', CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' },
    cwd: folder,
  });
  return { code: await runCli(args, io), ...output };
}

/** The lines from the first that the page shows to the last; all of them where it shows another first or last line. */
function excerptLike(shown: string, output: string): string {
  const lines = output.trimEnd().split('\n');
  const [first, last] = [shown.split('\n')[0], shown.trimEnd().split('\n').at(-1)];
  const [from, to] = [lines.findIndex((line) => line === first), lines.findLastIndex((line) => line === last)];
  return `${(from < 0 || to < from ? lines : lines.slice(from, to + 1)).join('\n')}\n`;
}

/** What differs from machine to machine stands as the documents have it. */
const printed = (stdout: string): string =>
  stdout
    .replaceAll(/ +\d+ ms\b/g, '    12 ms')
    .replaceAll(/\d{1,2} [A-Z][a-z]{2}, \d\d:\d\d UTC/g, '20 Nov, 03:00 UTC')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d-]+Z/g, '2026-11-20T03-00-00-000Z');
