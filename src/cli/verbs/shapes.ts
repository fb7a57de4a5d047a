import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { clientLibraries } from '../../clients/project/client-libraries.js';
import { librariesIn } from '../../clients/project/project-libraries.js';
import { userError } from '../../files/problems/problem.js';
import { writeWhole, writingTo } from '../../files/write-whole.js';
import { readReport } from '../../report/run-folder.js';
import { safeJsonText, oneLine, visible } from '../../report/safe/escape.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { countedNoun } from '../../report/words/facts.js';
import { answeringModel, startCapture } from '../../shapes/capture.js';
import { shapeChangeLines, compareShapes, isNoShape } from '../../shapes/compare-shapes.js';
import { lockText, readLock, distinctShapes, unaskableReason, type RequestShape } from '../../shapes/shape-of.js';
import { judgedCells, saidByRun, saidLines } from '../../shapes/said-by-run.js';
import { suiteOf } from '../../shapes/suite-of.js';
import { exitCodes, printData, keyMask, type Io, displayPath } from '../terminal/io.js';
import { optionChoice, type Options, optionNames, optionText, optionChoices } from '../options/options.js';
import { chosenVariables, clientCommand, endText, noRequest, runProgram } from '../terminal/child.js';

/** `shapes record`, `shapes check` and `shapes to-suite`. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action, ...command] = args;
  const file = resolve(io.cwd, optionText(options, 'lock') ?? 'shapes.lock.yaml');
  if (action === 'to-suite') return toSuite(file, io);
  return (action === 'record' ? record : checkShapes)(file, command, options, io);
}

async function record(file: string, command: readonly string[], options: Options, io: Io): Promise<number> {
  const { shapes, code } = await shapesSentBy(command, options, io);
  if (shapes === null) return code;
  const before = existsSync(file) ? await readLock(file, 'compare with', await keyMask(io)) : [];
  await writingTo(file, writeWhole(file, lockText(shapes)));
  const lines = shapes.map(({ request, call }) => `  ${oneLine(request)}: ${oneLine(call)}\n`).join('');
  const data = { file, shapes, changes: compareShapes(before, shapes) };
  printData(
    io,
    options,
    data,
    () => `${displayPath(file, io)}: ${countedNoun(shapes.length, 'request shape')}\n${lines}`,
  );
  return exitCodes.ok;
}

async function checkShapes(file: string, command: readonly string[], options: Options, io: Io): Promise<number> {
  const failOn = optionChoice(options, 'fail-on', optionChoices.shapesFailOn, 'shape');
  const against = optionText(options, 'against');
  if (failOn === 'unsupported' && against === undefined) {
    const hint = 'add --against RUN, such as --against reports/latest';
    throw userError('--fail-on unsupported needs a verified run', hint);
  }
  const locked = await readLock(file, 'compare with', await keyMask(io));
  const report = against === undefined ? null : await readReport(resolve(io.cwd, against));
  const { shapes, code } = await shapesSentBy(command, options, io);
  if (shapes === null) return code;
  const changes = compareShapes(locked, shapes).map((change) => ({
    change,
    said: report === null ? [] : saidByRun(change, report, locked),
  }));
  const saidOfChanges = changes.flatMap(({ said }) => said);
  const judged = report === null ? null : judgedCells(report);
  const nothingKnown = judged === 0 && saidOfChanges.length > 0;
  if (options['json'] === true) {
    const listed = changes.map(({ change, said }) => ({ ...change, said }));
    io.out(`${safeJsonText({ file, ...(judged !== null && { judged }), changes: listed })}\n`);
  } else if (changes.length === 0) {
    io.out(`unchanged: ${countedNoun(shapes.length, 'request shape')} as in ${displayPath(file, io)}\n`);
  } else {
    const lines = changes.flatMap(({ change, said }) => [...shapeChangeLines(change), ...saidLines(said)]);
    io.out(`${lines.map(visible).join('\n')}\n`);
    if (nothingKnown) io.out('The run judged no cell, so nobody knows whether a model can do what is sent now.\n');
    io.err('chatspec: to accept what is sent now, run chatspec shapes record with the same command\n');
  }
  const isFailure = {
    any: changes.length > 0,
    shape: changes.some(({ change }) => !isNoShape(change)),
    unsupported: saidOfChanges.some(({ verdict }) => verdict === 'unsupported'),
  }[failOn];
  if (isFailure) return exitCodes.deviation;
  return failOn === 'unsupported' && nothingKnown ? exitCodes.unmeasured : exitCodes.ok;
}

async function toSuite(file: string, io: Io): Promise<number> {
  const shapes = await readLock(file, 'make a suite of', await keyMask(io));
  tellNotAsked(shapes, io);
  if (shapes.every((shape) => unaskableReason(shape) !== null)) {
    const hint = 'record the requests of a command first: chatspec shapes record -- CMD';
    throw userError(`${displayPath(file, io)} holds no request shape to make a suite of`, hint);
  }
  io.out(suiteOf(shapes, 'application'));
  return exitCodes.ok;
}

/** Changes that no suite can ask about, so that no run decides them. */
function tellNotAsked(shapes: readonly RequestShape[], io: Io): void {
  const texts = shapes.map((shape) => ({ request: oneLine(shape.request), why: unaskableReason(shape) }));
  const lines = texts.flatMap(({ request, why }) =>
    why === null ? [] : [`chatspec: no suite asks ${request}: ${why}\n`],
  );
  for (const line of new Set(lines)) io.err(line);
}

/** The libraries of `--library NAME=VERSION`. Throws a UserError. */
function librariesGiven(options: Options): Readonly<Record<string, string>> {
  const given = (optionNames(options, 'library') ?? []).map((text) => {
    const [, name, version] = /^([^\s=]+)=(\S+)$/.exec(text) ?? [];
    if (name === undefined || version === undefined) {
      throw userError(say(texts.program.library, { text: visible(text) }));
    }
    return [name, version] as const;
  });
  return Object.fromEntries(given);
}

/** Runs the command against the capturing endpoint; `shapes` is null where it failed, and `code` is its exit code. */
async function shapesSentBy(
  words: readonly string[],
  options: Options,
  io: Io,
): Promise<{ readonly shapes: readonly RequestShape[] | null; readonly code: number }> {
  const command = clientCommand(words);
  // No request of a library that wraps another names the wrapper; what is given by hand counts most.
  const libraries = { ...clientLibraries(librariesIn(io.cwd)), ...librariesGiven(options) };
  const capture = await startCapture();
  try {
    const service = { baseUrl: capture.baseUrl, key: 'chatspec-shapes', model: answeringModel };
    const variables = chosenVariables(service, options);
    // Standard output is for what chatspec says, so the command writes to standard error.
    const { code, endedBy } = await runProgram(command, { variables, io, onText: io.err });
    const shapes = distinctShapes(capture.requests(), await keyMask(io)).map((shape) => ({
      ...shape,
      libraries: { ...shape.libraries, ...libraries },
    }));
    tellNotAsked(shapes, io);
    if (code !== 0) {
      io.err(`chatspec: ${oneLine(command[0])} ${endText(code, endedBy)}; nothing is compared or written\n`);
      return { shapes: null, code };
    }
    if (shapes.length === 0) throw noRequest(`${command[0]} sent no request to chatspec`, variables);
    return { shapes, code };
  } finally {
    await capture.close();
  }
}
