import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { userError } from '../../files/problems/problem.js';
import { writeWhole } from '../../files/write-whole.js';
import { readReport } from '../../report/run-folder.js';
import { oneLine, visible } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { count } from '../../report/words/phrases.js';
import { startCapture } from '../../shapes/capture.js';
import { changeText } from '../../shapes/change-text.js';
import { compareShapes } from '../../shapes/compare-shapes.js';
import { lockText, readLock } from '../../shapes/lock-file.js';
import { judgedCells, type SaidByRun, saidByRun } from '../../shapes/said-by-run.js';
import type { RequestShape } from '../../shapes/shape.js';
import { distinctShapes } from '../../shapes/shape-of.js';
import { suiteOf } from '../../shapes/suite-of.js';
import { exitCodes } from '../errors/exit-codes.js';
import { displayPath } from '../folders/folders.js';
import { unwritable } from '../folders/writable.js';
import { shapesFailOn } from '../options/closed-lists.js';
import { actionOf, oneOf, textOf } from '../options/options.js';
import { codeOfSignal, endText } from '../terminal/child-end.js';
import type { Io } from '../terminal/io.js';
import { keyMask } from '../terminal/without-keys.js';
import type { Options } from '../verb.js';

/** `shapes record`, `shapes check` and `shapes to-suite`. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [asked = '', ...command] = args;
  const file = resolve(io.cwd, textOf(options, 'lock') ?? 'shapes.lock.yaml');
  switch (actionOf('shapes', asked)) {
    case 'record':
      return record(file, command, options, io);
    case 'check':
      return check(file, command, options, io);
    case 'to-suite':
      return toSuite(file, io);
  }
}

/** What `record` and `check` need an earlier lock file for. */
const compared = 'compare with';

async function record(file: string, command: readonly string[], options: Options, io: Io): Promise<number> {
  const { shapes, code } = await shapesSentBy(command, io);
  if (shapes === null) return code;
  const before = existsSync(file) ? await readLock(file, compared, await keyMask(io)) : [];
  await writeWhole(file, lockText(shapes)).catch((error: unknown) => {
    throw unwritable(error, file);
  });
  const changes = compareShapes(before, shapes);
  if (options['json'] === true) io.out(`${jsonText({ file, shapes, changes })}\n`);
  else io.out(`${displayPath(file, io)}: ${count(shapes.length, 'request shape')}\n${list(shapes)}`);
  return exitCodes.ok;
}

async function check(file: string, command: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = oneOf(options, 'fail-on', shapesFailOn, 'any');
  const against = textOf(options, 'against');
  if (failOn === 'unsupported' && against === undefined) {
    throw userError(
      '--fail-on unsupported needs a verified run',
      'add --against RUN, such as --against reports/latest',
    );
  }
  const locked = await readLock(file, compared, await keyMask(io));
  const report = against === undefined ? null : await readReport(resolve(io.cwd, against));
  const { shapes, code } = await shapesSentBy(command, io);
  if (shapes === null) return code;
  const changes = compareShapes(locked, shapes).map((change) => ({
    change,
    said: report === null ? null : saidByRun(change, report),
  }));
  const told = changes.flatMap(({ said }) => said ?? []);
  const judged = report === null ? null : judgedCells(report);
  const nothingKnown = judged === 0 && told.some(asksSomething);
  if (options['json'] === true) {
    const listed = changes.map(({ change, said }) => ({ ...change, unsupported: [], ...said }));
    io.out(`${jsonText({ file, ...(judged !== null && { judged }), changes: listed })}\n`);
  } else if (changes.length === 0) {
    io.out(`unchanged: ${count(shapes.length, 'request shape')} as in ${displayPath(file, io)}\n`);
  } else {
    io.out(`${changes.map(({ change, said }) => visible(changeText(change, said))).join('\n')}\n`);
    if (nothingKnown) io.out('The run judged no cell, so nobody knows whether a model can do what is sent now.\n');
    io.err('chatspec: to accept what is sent now, run chatspec shapes record with the same command\n');
  }
  if (failOn === 'any') return changes.length > 0 ? exitCodes.deviation : exitCodes.ok;
  if (told.some(({ unsupported }) => unsupported.length > 0)) return exitCodes.deviation;
  return nothingKnown ? exitCodes.unmeasured : exitCodes.ok;
}

const asksSomething = ({ supported, unsupported, unknown }: SaidByRun): boolean =>
  supported.length + unsupported.length + unknown.length > 0;

async function toSuite(file: string, io: Io): Promise<number> {
  const shapes = await readLock(file, 'make a suite of', await keyMask(io));
  if (shapes.length === 0) {
    throw userError(
      `${displayPath(file, io)} holds no request shape to make a suite of`,
      'record the requests of a command first: chatspec shapes record -- CMD',
    );
  }
  io.out(suiteOf(shapes, 'application'));
  return exitCodes.ok;
}

const list = (shapes: readonly RequestShape[]): string =>
  shapes.map(({ request, call }) => `  ${oneLine(request)}: ${oneLine(call)}\n`).join('');

/** Runs the command against the capturing endpoint; `shapes` is null where it failed, and `code` is its exit code. */
async function shapesSentBy(
  command: readonly string[],
  io: Io,
): Promise<{ readonly shapes: readonly RequestShape[] | null; readonly code: number }> {
  const [program, ...args] = command;
  if (program === undefined) {
    throw userError('the command that makes the requests is missing', 'write it behind --, such as: -- node app.js');
  }
  const capture = await startCapture();
  try {
    const { code, endedBy } = await endOf(program, args, capture.baseUrl, io);
    if (code !== 0) {
      io.err(`chatspec: ${oneLine(program)} ${endText(code, endedBy)}; nothing is compared or written\n`);
      return { shapes: null, code };
    }
    const requests = capture.requests();
    if (requests.length === 0) {
      throw userError(
        `${program} sent no request to chatspec`,
        'let it take its address from OPENAI_BASE_URL or CHATSPEC_BASE_URL, and its key from OPENAI_API_KEY',
      );
    }
    return { shapes: distinctShapes(requests, await keyMask(io)), code };
  } finally {
    await capture.close();
  }
}

/** Standard output is for what chatspec says, so the command writes to standard error. */
function endOf(
  program: string,
  args: readonly string[],
  baseUrl: string,
  io: Io,
): Promise<{ readonly code: number; readonly endedBy: NodeJS.Signals | null }> {
  const env = { ...io.env, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'chatspec-shapes', CHATSPEC_BASE_URL: baseUrl };
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: io.cwd, env, stdio: ['inherit', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => io.err(text));
    let interrupted = false;
    const stop = io.onInterrupt((signal) => {
      interrupted = true;
      child.kill(signal as NodeJS.Signals);
    });
    child.once('error', (error) => {
      stop();
      reject(userError(`${program} cannot be started: ${error.message}`, 'check the name of the command behind --'));
    });
    child.once('close', (code, endedBy) => {
      stop();
      resolve({ code: code ?? (interrupted ? exitCodes.interrupted : codeOfSignal(endedBy)), endedBy });
    });
  });
}
