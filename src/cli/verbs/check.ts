import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve, basename, extname } from 'node:path';
import { connect } from '../../assemble/connect.js';
import { runProject } from '../../assemble/run-project.js';
import { makeFolder } from '../../files/make-folder.js';
import type { Environment } from '../../assemble/project.js';
import { namesInConfig, type TargetConfig } from '../../config/config.js';
import type { Report } from '../../matrix/report-format.js';
import { problemAt, userError, UserError, warningsOrThrow } from '../../files/problems/problem.js';
import { readJson, readYaml } from '../../files/yaml/read-yaml.js';
import { readText } from '../../files/read-text.js';
import { journalError } from '../../journal/journal-error.js';
import { hasJournal } from '../../journal/journal.js';
import { isObject, type JsonObject, writtenJson } from '../../json/json.js';
import { makePlan } from '../../plan/make-plan.js';
import { idsLike } from '../../report/checks/checkup.js';
import { checkData, checkScreen } from '../../report/checks/render-check.js';
import { stampOf } from '../../report/history/read-history.js';
import { reportFormats } from '../../report/report-formats.js';
import { redactor } from '../../report/safe/redact.js';
import { checkedSchema, schemaAdvice } from '../../suite/checks/check-schemas.js';
import { loadSuites } from '../../suite/read/load-suites.js';
import { checkCourse, checkSuite, confirming, type CheckQuestion, usualCaps } from '../runs/check-course.js';
import { folderError } from '../terminal/errors.js';
import { checkOut, refuseOtherRun } from '../folders/folders.js';
import { optionNames, numberOf, optionText, type Options } from '../options/options.js';
import { configGiven } from '../options/recorded-options.js';
import { askedModel, checkCredentials } from '../runs/load-inputs.js';
import { exitCodes, printData, printProblems, untilInterrupted, type Io, displayPath } from '../terminal/io.js';
import { openProgress } from '../terminal/progress.js';

/** Requests that a check may send unless the user allows another number. */
const usualBudget = 200;
/** In the run folder: the body of the recommended request, and the suite that was asked. */
const [requestFile, suiteFile] = ['request.json', 'suite.yaml'];

/** One model, one schema, one prompt: which forms can be relied on right now, with which cap, and how to ask. */
export function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  return untilInterrupted(io, (signal) => checkUntil(signal, options, io));
}

async function checkUntil(signal: AbortSignal, options: Options, io: Io): Promise<number> {
  const trials = numberOf(options, 'trials') ?? null;
  const requests = numberOf(options, 'budget-requests') ?? usualBudget;
  const given = capsOf(options);
  await checkOut(options, io);
  const { project, target, model, warnings } = await askedModel(options, io);
  const question = await readQuestion(options, io);
  printProblems([...warnings, ...question.warnings], io);
  checkCredentials([target], project.env, io);
  const config = { ...project.config, targets: [{ ...target, models: [model] }] };
  const fixed = 'max_tokens' in model.request || 'max_completion_tokens' in model.request;
  const suite = writtenJson(checkSuite(question, model, given ?? (fixed ? [] : usualCaps)), 2);
  if (project.keys.holds(suite)) {
    throw userError(
      'the schema or the prompt holds a configured key',
      'take it out; a body that holds one is not sent',
    );
  }
  const folder = folderOf(config.file, options, io);
  await refuseOtherRun(folder, null);
  const redact = redactor(config.redact, project.keys, namesInConfig(config));
  await makeFolder(folder).catch((error: unknown) => {
    throw folderError(journalError(error, folder));
  });
  await writeFile(join(folder, suiteFile), `${suite}\n`);
  const place = { file: config.file, line: 1, column: 1 };
  const { suites } = await loadSuites([{ pattern: suiteFile, place }], folder);
  const { plan: all } = makePlan({ config, suites, baseline: null });
  const course = checkCourse(all, trials, given !== null || fixed);
  const { plan } = course;
  const budget = { requests, tokens: null, cost: null };
  const progress = openProgress({ plan, budget, share: 1, redact, verbosity: 'usual' }, io);
  const { report } = await runProject(
    { ...project, config, suites, baseline: null },
    {
      plan,
      folder,
      standalone: true,
      formats: [reportFormats.json],
      budget,
      signal,
      further: (_model, findings) => course.next(findings),
      reporters: [course.reporter, progress],
      given: optionText(options, 'base-url') === undefined ? configGiven(options) : {},
      failOn: 'never',
    },
  );
  const answer = course.answer(report);
  const request = join(folder, requestFile);
  if (answer.recommended !== null) await writeFile(request, `${writtenJson(answer.recommended.request, 2)}\n`);
  const checked = {
    answer,
    report,
    service: target,
    model,
    schemaName: question.name,
    redact,
    trials,
    budget: requests,
    confirming,
    otherIds: await otherIds(report, target, project.env),
    interrupted: signal.aborted,
    paths: {
      folder: displayPath(folder, io),
      request: displayPath(request, io),
      schema: displayPath(question.schemaFile, io),
    },
  };
  printData(io, options, options['json'] === true && checkData(checked), () => checkScreen(checked, io));
  if (signal.aborted) return exitCodes.interrupted;
  return { reliable: exitCodes.ok, unreliable: exitCodes.deviation, unmeasured: exitCodes.unmeasured }[answer.verdict];
}

/** Listed ids like the model's, where the service does not know it; null: it does, or lists nothing. */
async function otherIds({ models }: Report, target: TargetConfig, env: Environment): Promise<string | null> {
  const [model] = models;
  if (model?.unreachable?.reason !== 'model_not_found') return null;
  const connections = await connect([target], env, { seed: 0 });
  try {
    const { ids } = await connections.modelsOf(target.name);
    return ids === null ? null : idsLike(model.model, ids);
  } finally {
    await connections.close();
  }
}

/** `--max-tokens`: the only caps to try; null if it was not given. */
function capsOf(options: Options): readonly number[] | null {
  const list = optionNames(options, 'max-tokens');
  if (list === undefined) return null;
  const wrong = list.find((text) => !/^[1-9]\d{0,8}$/.test(text));
  if (wrong === undefined && list.length > 0) return list.map(Number).sort((a, b) => a - b);
  throw userError(`--max-tokens takes whole numbers with commas, such as 512,2048, not "${wrong ?? ''}"`);
}

/** Beside the runs and not among them: a check is no part of their history. Throws a UserError. */
function folderOf(config: string, options: Options, io: Io): string {
  const stamp = stampOf(new Date());
  const asked = optionText(options, 'out');
  const usual = join(dirname(config), 'reports', 'checks', stamp);
  const folder = asked === undefined ? usual : resolve(io.cwd, asked.replaceAll('{stamp}', stamp));
  // Where no check was made yet, such a file is somebody's own.
  const own = [requestFile, suiteFile].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (own === undefined || hasJournal(folder)) return folder;
  throw userError(`${own} exists already, and the check would replace it`, 'name another folder with --out');
}

const example = `chatspec check --model MODEL --schema invoice.json --prompt 'Extract the invoice: ...'`;

/** Reads `--schema` and `--prompt`. Throws a UserError for what cannot be asked. */
async function readQuestion(options: Options, io: Io): Promise<CheckQuestion> {
  const written = optionText(options, 'schema');
  if (written === undefined) throw userError('check needs a JSON Schema: --schema FILE', example);
  const prompt = await promptOf(options, io);
  const schemaFile = resolve(io.cwd, written);
  const source = /\.ya?ml$/i.test(schemaFile) ? readYaml(schemaFile) : readJson(schemaFile);
  const { data: schema, problems } = source;
  if (problems.length > 0) throw new UserError(problems);
  if (!isObject(schema)) {
    const hint = '{ "type": "object", ... }';
    throw new UserError([problemAt(source, [], 'a JSON Schema for a request is an object', hint)]);
  }
  const checked = checkedSchema(schema);
  if (!checked.ok) {
    // A suite may spread a schema over files; here it is one.
    const one = 'the schema is one file: put the part into it, under $defs';
    const hint = checked.isReference === true ? one : checked.hint;
    throw new UserError([problemAt(source, checked.below, checked.message, hint)]);
  }
  const advice = [...schemaAdvice(schema)].map(({ below, message, hint, mistake = false }) =>
    problemAt(source, below, message, hint, { severity: mistake ? 'error' : 'warning', part: 'key' }),
  );
  return { schema, schemaFile, name: schemaNameFrom(schema, schemaFile), prompt, warnings: warningsOrThrow(advice) };
}

/** The text itself, `@FILE`, or `-` for standard input. */
async function promptOf(options: Options, io: Io): Promise<string> {
  const written = optionText(options, 'prompt');
  if (written === undefined) {
    throw userError('check needs a prompt: --prompt TEXT, --prompt @FILE, or --prompt - for standard input', example);
  }
  let prompt = written === '-' ? await io.input() : written;
  if (written.startsWith('@')) {
    const read = readText(resolve(io.cwd, written.slice(1)));
    if (!read.ok) throw new UserError([{ ...read.problem, hint: 'after @ stands the path of a text file' }]);
    prompt = read.text;
  }
  if (prompt.trim() !== '') return prompt.replace(/\r?\n$/, '');
  const source = written === '-' ? 'standard input' : written.startsWith('@') ? 'the file' : 'it';
  throw userError(
    `there is no prompt: ${source} is empty`,
    'write what the model is to do, with the text it is to read',
  );
}

/** From the title, else from the file; services allow letters, digits, `_` and `-`, up to 64 of them. */
function schemaNameFrom({ title }: JsonObject, file: string): string {
  const words = typeof title === 'string' && /[a-z]/i.test(title) ? title : basename(file, extname(file));
  const name = words
    .toLowerCase()
    .replace(/\.schema$/, '')
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return name.slice(0, 64) || 'answer';
}
