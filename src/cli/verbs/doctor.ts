import pLimit from 'p-limit';
import { compileGlob } from '../../cell/cell-pattern.js';
import { connect } from '../../assemble/connect.js';
import { readPreviousRun } from '../../report/history/read-history.js';
import { namesInConfig, type Config, type ModelConfig } from '../../config/config.js';
import { userError } from '../../files/problems/problem.js';
import { derive, explicit } from '../../judge/expectation.js';
import { judgeExchange } from '../../judge/judge.js';
import { controlBody } from '../../plan/request/request-body.js';
import { redactor } from '../../report/safe/redact.js';
import { traceparent } from '../../run/request-headers.js';
import { exitCodes, type Io, printData, printProblems } from '../terminal/io.js';
import { optionNames, type Options } from '../options/options.js';
import { checkCredentials, loadTargets, modelsNamed } from '../runs/load-inputs.js';
import { type Checkup, checkupOf, checkupsText } from '../../report/checks/checkup.js';
import { didYouMean } from '../../files/problems/nearest.js';

/** The first check of a service: one plain, non-streaming request to each model. It needs no suite and no baseline. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const { config, env, keys, warnings } = await loadTargets(options, io, true);
  const chosen = chosenModels(config, options);
  const targets = config.targets.filter(({ name }) => chosen.some(({ target }) => target === name));
  checkCredentials(targets, env, io);
  printProblems(warnings, io);
  const redact = redactor(config.redact, keys, namesInConfig(config));
  const previous = await readPreviousRun(config, '');
  const connections = await connect(targets, env, { seed: 1 });
  const limits = new Map(targets.map(({ name, limits: { concurrency } }) => [name, pLimit(concurrency)]));
  const lists = new Map<string, Promise<readonly string[] | null>>();
  const signal = new AbortController().signal;
  const check = async (model: ModelConfig): Promise<Checkup> => {
    const { target } = model;
    const headers = traceparent(new Date().toISOString(), model.key);
    const exchange = await connections.targets.get(target)?.send(controlBody(model), { headers }, signal);
    if (exchange === undefined) throw new TypeError(`no target ${target}`);
    const outcome = judgeExchange(exchange, plainText, { vars: {}, request: exchange.request.body, steps: {} });
    const isUnknown = outcome.reason === 'model_not_found';
    if (isUnknown && !lists.has(target)) {
      lists.set(
        target,
        connections.modelsOf(target).then(({ ids }) => ids),
      );
    }
    const missingAs = previous?.models.has(model.key) === true ? 'gone' : 'unknown';
    const missing = isUnknown ? missingAs : null;
    return checkupOf(model, exchange, { outcome, missing, listed: (await lists.get(target)) ?? null }, redact);
  };
  let checkups: readonly Checkup[];
  try {
    checkups = await Promise.all(chosen.map((model) => limits.get(model.target)?.(check, model) ?? check(model)));
  } finally {
    await connections.close();
  }
  printData(io, options, checkups, () => checkupsText(checkups, targets));
  return checkups.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.unmeasured;
}

/** Unlike a control, which passes with any readable choice: a text, whole and not empty. */
const plainText = explicit(derive({}), { tool_call: 'optional' });

/** All models, or those of `--target` and `--model`. Throws a UserError for a name that the config does not have. */
function chosenModels({ targets }: Config, options: Options): readonly ModelConfig[] {
  const names = targets.map(({ name }) => name);
  const asked = optionNames(options, 'target')?.flatMap((text) => {
    const found = names.filter(compileGlob(text));
    if (found.length > 0) return found;
    throw userError(`the config has no target "${text}"`, didYouMean(text, names, 'its targets'));
  });
  const all = targets.filter(({ name }) => asked?.includes(name) !== false).flatMap(({ models }) => models);
  const wanted = optionNames(options, 'model')?.flatMap((text) => modelsNamed(all, text));
  return wanted === undefined ? all : all.filter((model) => wanted.includes(model));
}
