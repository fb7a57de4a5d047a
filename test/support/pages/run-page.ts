import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../../../src/cli/program.js';
import { anIo } from '../io.js';
import { shellWords } from '../shell-words.js';
import { projectFolder } from '../documents.js';
import { writeFiles } from '../cli.js';
import { tempFolder } from '../temp-folder.js';
import { pageSteps, shownPart } from './page-steps.js';
import { isStoryDay, startStory, storyAddress } from './story-service.js';

/**
 * Does what a page says in an empty folder: writes its files, runs its commands. The service that the page names is
 * played by the embedded one. Resolves to the page as it would be with the output that the commands really have, and with
 * the commands whose exit code is another than the page says.
 */
export async function runPage(
  file: string,
): Promise<{ readonly text: string; readonly wrongExits: readonly string[] }> {
  const text = await readFile(join(projectFolder, file), 'utf8');
  const folder = await tempFolder();
  const service = await startStory();
  const wrongExits: string[] = [];
  let result = '';
  let done = 0;
  try {
    for (const step of pageSteps(text)) {
      if (step.kind === 'file') {
        await writeFiles(folder, { [step.path]: step.text.replaceAll(storyAddress, service.baseUrl) });
      } else if (step.kind === 'day') {
        if (!isStoryDay(step.day)) throw new Error(`${file}: the story has no "${step.day}"`);
        await service.become(step.day);
      } else {
        const { code, output } = await ran(step.command, folder);
        if (code !== step.view.exit) wrongExits.push(`${step.command}: exit ${String(code)}\n${output}`);
        const real = shownPart(readable(told(output, service.baseUrl), folder), step.view);
        const begin = step.at + step.command.length + '$ \n'.length;
        result += text.slice(done, begin) + real;
        done = begin + step.shown.length;
      }
    }
  } finally {
    await service.close();
  }
  return { text: result + text.slice(done), wrongExits };
}

/** Commands of chatspec run in this process. Others are plain Unix, and see the files that chatspec wrote. */
async function ran(command: string, folder: string): Promise<{ readonly code: number; readonly output: string }> {
  const [name, ...args] = shellWords(command.replace(/^npx --no chatspec/, 'chatspec'));
  if (name !== 'chatspec')
    return { code: 0, output: execFileSync('bash', ['-c', command], { cwd: folder, encoding: 'utf8' }) };
  const output = { stdout: '', stderr: '' };
  const io = anIo({
    out: (piece) => void (output.stdout += piece),
    err: (piece) => void (output.stderr += piece),
    env: { CHATSPEC_API_KEY: 'sk-7Qm2Vx9Kc4Rt8Zp1' },
    cwd: folder,
    exitNow: (code) => {
      throw new Error(`exit ${code}`);
    },
  });
  const code = await runCli(args, io);
  // Progress differs from run to run; what is wrong with the input stands only there.
  return { code, output: code === 2 ? output.stdout + output.stderr : output.stdout };
}

/** The address of the service as the page names it, also where only its origin is told. */
function told(output: string, address: string): string {
  return output.replaceAll(address, storyAddress).replaceAll(new URL(address).origin, new URL(storyAddress).origin);
}

/** What differs from run to run is as it was in one of them. */
function readable(output: string, folder: string): string {
  return output
    .replaceAll(folder, '/home/you/project')
    .replace(/\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z/g, '2026-11-20T03-17-00-000Z')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, '2026-11-20T03:17:00.000Z')
    .replaceAll(new Date().toISOString().slice(0, 10), '2026-11-20')
    .replace(/ +\d+ ms$/gm, (latency) => '12 ms'.padStart(latency.length))
    .replace(/\be\d{6}\b/g, 'e000042')
    .replace(/\bchatcmpl-[\w-]+/g, 'chatcmpl-1f0c')
    .replace(/\b00-[0-9a-f]{32}-[0-9a-f]{16}-\d\d\b/g, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01')
    .replace(/(?<![\w-])[0-9a-f]{16}(?![\w-])/g, '5d41402abc4b2a76');
}
