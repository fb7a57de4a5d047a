import { resolve } from 'node:path';
import type { CapabilityMap } from '../../capabilities/load-capabilities.js';
import { capabilityMapOf } from '../../report/capabilities/capability-map-of.js';
import {
  type AnnouncedEnd,
  compareDeclared,
  litellmFlags,
  modelsDevFields,
  type WrongDeclaration,
} from '../../report/capabilities/supports-flags.js';
import { readReport } from '../../report/run-folder.js';
import { isJudged } from '../../cell/verdict.js';
import { safeJsonText, oneLine } from '../../report/safe/escape.js';
import { shellWord } from '../../report/safe/shell.js';
import { readJson } from '../../files/yaml/read-yaml.js';
import { type Problem, UserError, userError } from '../../files/problems/problem.js';
import { joinedNames } from '../../report/sections/names.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { numberOf, optionChoice, type Options, optionChoices } from '../options/options.js';
import { exitCodes, type Io, printData, printProblems } from '../terminal/io.js';

const { ends } = texts;

const mapFormBuilders: Readonly<Record<(typeof optionChoices.mapForm)[number], (map: CapabilityMap) => unknown>> = {
  map: (map) => map,
  litellm: litellmFlags,
  'models.dev': modelsDevFields,
};

/**
 * `capabilities export RUN`: prints the capability map of a run. `compare RUN FILE`: where others declare it wrongly.
 */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const [action, folder = '', file] = args;
  const form = optionChoice(options, 'format', optionChoices.mapForm, 'map');
  const days = numberOf(options, 'days');
  const report = await readReport(resolve(io.cwd, folder));
  if (report.run.last_failed !== undefined) {
    io.err('chatspec: warning: a partial run says little of what a model can do; export a whole one\n');
  }
  const map = capabilityMapOf(report, days);
  if (action === 'compare') {
    return compareDeclarations(map, resolve(io.cwd, file ?? missingFile()), options['json'] === true, io);
  }
  io.out(`${safeJsonText(mapFormBuilders[form](map))}\n`);
  if (report.cells.some(isJudged)) return exitCodes.ok;
  const hint = `chatspec report ${shellWord(folder)} says why; run it again, and then export it`;
  const message = 'the run judged no cell, so nothing is known of any model';
  printProblems([{ severity: 'error', place: null, message, hint }], io);
  return exitCodes.unmeasured;
}

function missingFile(): never {
  const hint = 'chatspec capabilities compare RUN FILE';
  throw userError('compare needs a file with what others declare', hint);
}

function compareDeclarations(map: CapabilityMap, file: string, isJson: boolean, io: Io): number {
  const { data, problems } = readJson(file);
  if (data === null) throw new UserError(problems);
  const compared = compareDeclared(map, data, new Date().toISOString().slice(0, 10));
  if (compared === null) {
    const hint = `the run has ${joinedNames(map.models.map(({ model }) => model))}`;
    throw userError(`${file} says nothing of any model of the run`, hint);
  }
  const { wrong, ending } = compared;
  printProblems(ending.map(endingProblem), io);
  const lines = wrong.map((one) => `${oneLine(declarationText(one))}\n`);
  printData(io, { json: isJson }, { wrong, ending }, () => lines.join('') || 'What is declared was measured.\n');
  return wrong.some(({ declared }) => declared) ? exitCodes.deviation : exitCodes.ok;
}

function endingProblem({ model, date, days }: AnnouncedEnd): Problem {
  const message = say(ends.announced, { model, date, days, is: days < 0 ? 'over' : 'ahead' });
  return { severity: 'warning', place: null, message, hint: say(ends.hint, { date }) };
}

function declarationText({ model, flag, declared, measured }: WrongDeclaration): string {
  const counts = measured.map(
    ({ capability, trials: { passed, total } }) => `${capability} passed ${passed} of ${total} trials`,
  );
  return `${model}  ${flag} is ${declared ? 'declared' : 'not declared'}: ${counts.join(', ')}`;
}
