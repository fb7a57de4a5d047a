import { connect } from '../../assemble/connect.js';
import type { Project } from '../../assemble/project.js';
import { judgeControl } from '../../assemble/run-parts.js';
import { modelsNamedBy } from '../../baseline/expected.js';
import { compileGlob } from '../../cell/cell-pattern.js';
import { isSuccess, type Exchange } from '../../chat/exchange.js';
import { readAnswer } from '../../chat/read-answer.js';
import type { ModelConfig, TargetConfig } from '../../config/config.js';
import { nearHint, nearNames } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import type { Outcome } from '../../judge/outcome.js';
import { outcomeProse } from '../../judge/outcome-classes.js';
import { reasonProse } from '../../judge/reasons.js';
import { type Redact, redactor } from '../../report/safe/redact.js';
import { redactAll, redactForeign } from '../../report/safe/redact-values.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { unreachedAdvice } from '../../report/words/unreached-advice.js';
import { systemClock } from '../../run/clock.js';
import { modelNames } from '../check/asked-model.js';
import { exitCodes } from '../errors/exit-codes.js';
import { readPreviousRun } from '../../assemble/read-previous-run.js';
import { namesIn } from '../options/options.js';
import { askEachModel } from '../runs/ask-each-model.js';
import { checkCredentials } from '../runs/check-credentials.js';
import { loadInputs } from '../runs/load-inputs.js';
import { type Addresses, type Checkup, checkupsText, type Service } from '../terminal/checkup.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import type { Options } from '../verb.js';

/** Characters of a body that is no reply. */
const mostOfProblem = 500;

/** The first check of a service: one plain, non-streaming request to each model. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const { project, warnings } = await loadInputs(options, io, { comparesNothing: true });
  const chosen = chosenModels(project, options);
  const targets = project.config.targets.filter(({ name }) => chosen.some(({ target }) => target === name));
  checkCredentials(targets, project.env, io);
  printProblems(warnings, io);
  const redact = redactor(project.config.redact, project.keys);
  const connections = await connect(targets, project.env, { seed: 1 });
  let checkups: readonly Checkup[];
  try {
    const exchanges = await askEachModel(chosen, connections, systemClock, (target, seconds) => {
      io.err(`chatspec: ${target}: waiting ${seconds.toFixed(1)} s because of the per-minute limit\n`);
    });
    const found = exchanges.map((exchange, index): Found => {
      const model = chosen[index];
      if (model === undefined) throw new TypeError('an exchange without a model');
      return { model, exchange, outcome: judgeControl(exchange) };
    });
    const lists = await listsOf(found.filter(isUnknown), connections.modelsOf);
    const wasKnown = await knownBefore(project);
    checkups = found.map((one) =>
      redactedCheckup(checkupOf(one, { wasKnown, listed: lists.get(one.model.target) ?? null }), redact),
    );
  } finally {
    await connections.close();
  }
  io.out(options['json'] === true ? `${jsonText(checkups)}\n` : checkupsText(checkups, servicesOf(targets)));
  return checkups.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.unmeasured;
}

function servicesOf(targets: readonly TargetConfig[]): ReadonlyMap<string, Service> {
  return new Map(
    targets.map(({ name, baseUrl, apiKeyEnv }) => [
      name,
      { simulated: baseUrl === 'simulator', needsKey: apiKeyEnv !== null },
    ]),
  );
}

interface Found {
  readonly model: ModelConfig;
  readonly exchange: Exchange;
  readonly outcome: Outcome;
}

const isUnknown = ({ outcome }: Found): boolean => outcome.reason === 'model_not_found';

/** By target, of those that do not know a model: the ids that its `/models` lists. */
async function listsOf(
  unknown: readonly Found[],
  modelsOf: (target: string) => Promise<readonly string[] | null>,
): Promise<ReadonlyMap<string, readonly string[] | null>> {
  const targets = [...new Set(unknown.map(({ model }) => model.target))];
  return new Map(await Promise.all(targets.map(async (target) => [target, await modelsOf(target)] as const)));
}

/** Whether the baseline or the newest run knows a model; one that nobody knew is not gone. */
async function knownBefore({ config, baseline }: Project): Promise<(model: string) => boolean> {
  const previous = await readPreviousRun(config, '');
  const isNamed = modelsNamedBy(baseline);
  return (model) => isNamed(model) || (previous?.models.has(model) ?? false);
}

/** All models, or those of `--target` and `--model`. Throws a UserError for a name that the config does not have. */
function chosenModels({ config }: Project, options: Options): readonly ModelConfig[] {
  const targets = chosenTargets(config.targets, namesIn(options, 'target'));
  const all = targets.flatMap(({ models }) => models);
  const asked = namesIn(options, 'model');
  if (asked === undefined) return all;
  const wanted = asked.map((text) => {
    const matches = compileGlob(text);
    const found = all.filter((model) => modelNames(model).some(matches));
    if (found.length > 0) return found;
    const names = all.map(({ key }) => key);
    const known = { title: 'its models', names, command: 'chatspec list' };
    throw userError(`the config has no model "${text}"`, nearHint(nearNames(text, all.flatMap(modelNames)), known));
  });
  return all.filter((model) => wanted.some((found) => found.includes(model)));
}

function chosenTargets(
  targets: readonly TargetConfig[],
  asked: readonly string[] | undefined,
): readonly TargetConfig[] {
  const names = targets.map(({ name }) => name);
  for (const text of asked ?? []) {
    if (names.includes(text)) continue;
    throw userError(
      `the config has no target "${text}"`,
      nearHint(nearNames(text, names), { title: 'its targets', names }),
    );
  }
  return targets.filter(({ name }) => asked === undefined || asked.includes(name));
}

interface Knowledge {
  readonly wasKnown: (model: string) => boolean;
  readonly listed: readonly string[] | null;
}

function checkupOf(found: Found, { wasKnown, listed }: Knowledge): Checkup {
  const { model, exchange, outcome } = found;
  const { answer, request } = exchange;
  const reading = readAnswer(answer);
  const reply = reading.kind === 'reply' ? reading.reply : null;
  const { status, failure, headers } = answer;
  const address = request.url.replace(/\/chat\/completions$/, '');
  const ok = isSuccess(status) && failure === null && reply !== null;
  const missing = ok || !isUnknown(found) ? null : wasKnown(model.key) ? 'gone' : 'unknown';
  const near = missing === null ? [] : nearNames(model.id, listed ?? []);
  return {
    target: model.target,
    model: model.id,
    ...{ ok, missing, near },
    status,
    content: reply?.content ?? null,
    finish_reason: reply?.finish_reason ?? null,
    id: reply?.id ?? reply?.request_id ?? null,
    usage: reply?.usage ?? null,
    traceresponse: headers['traceresponse'] ?? null,
    problem: failure?.message ?? (reply === null ? answer.body.join('') : null),
    advice: ok ? null : missing === null ? adviceFor(outcome, address) : adviceForMissing(model, missing, near, listed),
    addresses: addressesFor(address),
  };
}

/** Of what the service wrote. Redacted before it is cut: half an address is still an address. */
function redactedCheckup(checkup: Checkup, redact: Redact): Checkup {
  const { content, finish_reason, id, traceresponse, problem, advice } = checkup;
  const written = redactAll({ content, finish_reason, id, traceresponse, problem, advice }, redact);
  return {
    ...checkup,
    ...written,
    near: checkup.near.map(redact),
    usage: redactForeign(checkup.usage, redact),
    problem: written.problem === null ? null : written.problem.slice(0, mostOfProblem),
  };
}

function adviceFor({ class: outcome, reason, status, detail }: Outcome, baseUrl: string): string | null {
  const address = outcome === null ? '' : unreachedAdvice({ class: outcome, reason, status, detail }, baseUrl);
  if (address !== '') return address;
  if (reason !== null && reason !== 'unknown') return reasonProse[reason].advice;
  return outcome === null ? null : outcomeProse[outcome].advice;
}

function adviceForMissing(
  { id }: ModelConfig,
  missing: 'unknown' | 'gone',
  near: readonly string[],
  listed: readonly string[] | null,
): string {
  const what =
    missing === 'gone'
      ? 'an earlier run knew this model, and the service does not know it any more'
      : 'the service does not know this id, and no earlier run did';
  return `${what}; ${whatToDo(id, near, listed)}`;
}

/** A service may list a model that the key may not use. */
function whatToDo(id: string, near: readonly string[], listed: readonly string[] | null): string {
  if (listed === null) return "check it against the service's documentation, since it has no list under /models";
  if (listed.includes(id)) return 'its /models lists it, so ask whether the key may use it';
  const few = listed.slice(0, 3).join(', ');
  const more = listed.length > 3 ? ` and ${listed.length - 3} more` : '';
  return nearHint(near, { title: '', names: [] }) ?? `none of the ids in its /models is near: ${few}${more}`;
}

/** @param baseUrl without a trailing slash */
function addressesFor(baseUrl: string): Addresses {
  return {
    base_url: baseUrl,
    endpoint: `${baseUrl}/chat/completions`,
    messages_style: /\/v1$/.test(baseUrl) ? baseUrl.replace(/\/v1$/, '') : null,
  };
}
