import { plannedTargets } from '../../assemble/connect.js';
import type { Project } from '../../assemble/project.js';
import type { Budget, Config } from '../../config/config.js';
import { accountsOf } from '../../config/accounts.js';
import type { TrialRange } from '../../decide/course.js';
import type { CellEstimate } from '../../estimate/cell-estimate.js';
import { estimate, shortBudgets, type ShortBudget } from '../../estimate/estimate.js';
import { entryDigest } from '../../plan/digests.js';
import type { Plan } from '../../plan/plan.js';
import { versioned } from '../../suite/read/find-suite-files.js';
import { answerPaces } from '../../report/history/read-history.js';
import { absentSettingsNotes } from '../../report/words/absent-settings.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { safeJsonText, oneLine, visible } from '../../report/safe/escape.js';
import { amountText, exitCodes, type Io, numberText, printProblems } from '../terminal/io.js';
import { type Options, shardOf } from '../options/options.js';
import { credentialWarnings, loadInputsAsBefore, planInputs } from '../runs/load-inputs.js';
import { lastFailedIn, nothingToAsk } from '../runs/planned-run.js';

/** Prints the planned cells and what they will take. Sends nothing. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const inputs = await loadInputsAsBefore(options, io);
  const { project } = inputs;
  const repeated = await lastFailedIn(options, project, io);
  const { plan, warnings } = planInputs(inputs, { ...repeated?.options, ...options }, repeated?.open);
  printProblems(warnings, io);
  const paces = await answerPaces(project.config);
  return show(plan, { project, budget: project.config.budget, options, paces }, io);
}

interface Shown {
  readonly project: Project;
  readonly budget: Budget;
  readonly options: Options;
  /** Seconds that an answer of a model takes. */
  readonly paces: ReadonlyMap<string, number>;
}

/**
 * Prints a plan with what the whole run will take, and a warning for each key that it would lack.
 * @param budget of the whole run, with what the command line says of it
 */
export function show(plan: Plan, { project, budget, options, paces }: Shown, io: Io): number {
  const { config, env } = project;
  const nothing = nothingToAsk(plan);
  if (nothing !== null) io.err(`chatspec: ${nothing}\n`);
  printProblems(credentialWarnings(plannedTargets(config, plan), env), io);
  const part = shardOf(options);
  const shards = part?.of ?? 1;
  const whole = estimate(plan, config, { accounts: accountsOf(config.targets, env), shards, paces });
  const short = shortBudgets(whole, budget, 1 / shards);
  const reserve = [...new Set(plan.reserve.map(({ planned }) => planned.cell.key))];
  if (options['json'] === true) {
    const { digest, digests, profile, seed } = plan;
    const data = {
      suites: config.suites.map(({ pattern }) => versioned(pattern)),
      plan: digest,
      digests,
      models: listedModels(plan, config),
      profile,
      seed,
      ...(part && { shard: part }),
      ...whole,
      short_budgets: short,
      reserve,
      not_asked: plan.absent,
    };
    io.out(`${safeJsonText(data)}\n`);
    return exitCodes.ok;
  }
  const blocked = new Map(plan.cells.map(({ cell }) => [cell.key, cell.unmeetable]));
  for (const cell of whole.cells) {
    const why = blocked.get(cell.key) ?? null;
    io.out(`${oneLine(cell.key)}  ${why === null ? requestCountText(cell) : oneLine(`skipped: ${why}`)}\n`);
  }
  const ofPart = part === undefined ? '' : `, shard ${part.index} of ${part.of}`;
  const builtins = config.suites.map(({ pattern }) => versioned(pattern)).filter((name) => name.startsWith('builtin:'));
  const models = new Set(whole.cells.map(({ model }) => model)).size;
  const lines = [
    '',
    `${amountText(whole.cells.length, 'check')}, ${amountText(models, 'model')}, profile ${plan.profile}${ofPart}`,
    ...builtins.map((name) => `suites        ${name}`),
    ...(reserve.length === 0
      ? []
      : [`in reserve    ${amountText(reserve.length, 'check')} that run only if a result is in doubt`]),
    `requests      ${range(whole.requests)} (${whole.controls} of them to check that each model answers)`,
    `tokens        ${range(whole.tokens)}`,
    ...(whole.cost === null ? [] : [`cost          ${range(whole.cost, 2)}`]),
    ...short.map(shortText),
    `minimum time  ${range(whole.seconds, 0, ' s')} (${paceText(whole.unseen.length, models)})`,
    ...absentSettingsNotes(plan.absent).flatMap((note) => ['', visible(note)]),
  ];
  io.out(`${lines.join('\n')}\n`);
  return exitCodes.ok;
}

/** By what the time was reckoned. */
function paceText(unseen: number, models: number): string {
  return say(texts.listing.pace, { unseen, seen: models - unseen });
}

/** The models of which a cell is listed, with the digests that tell whether requests to them have changed. */
function listedModels({ cells }: Plan, { targets }: Config): readonly { model: string; digest: string }[] {
  const asked = new Set(cells.map(({ cell }) => cell.model.key));
  return targets.flatMap((target) =>
    target.models
      .filter(({ key }) => asked.has(key))
      .map((model) => ({ model: model.key, digest: entryDigest(target, model) })),
  );
}

function shortText({ unit, limit, below }: ShortBudget): string {
  const of = unit === 'cost' ? `cost ${numberText(limit, 4)}` : amountText(limit, unit.slice(0, -1));
  const command = unit === 'cost' ? '' : ` or --budget-${unit} N`;
  const advice = `raise budget.${unit} in the config${command}`;
  return below === 'expected'
    ? `budget        ${of}: less than expected, so the run stops before everything is asked; ${advice}`
    : `budget        ${of}: the run stops there, which may be before the most that it could ask`;
}

function requestCountText({ requests: { expected, largest } }: CellEstimate): string {
  return `${amountText(expected, 'request')}${expected === largest ? '' : `, ${numberText(largest)} at most`}`;
}

function range({ expected, largest }: TrialRange, digits = 0, unit = ''): string {
  const text = (value: number): string => `${numberText(value, digits)}${unit}`;
  return expected === largest ? text(expected) : `${text(expected)} expected, ${text(largest)} at most`;
}
