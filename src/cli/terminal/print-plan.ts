import { accountsOf } from '../../config/index.js';
import type { Project } from '../../assemble/project.js';
import type { Budget, Config } from '../../config/config.js';
import { type CellEstimate, estimate, type LikelyRange, type Range } from '../../estimate/estimate.js';
import { type ShortBudget, shortBudgets } from '../../estimate/short-budgets.js';
import { keywordsLeftOut } from '../../plan/cells/keywords-left-out.js';
import { absentSettingsNotes } from '../../plan/cells/settings-advice.js';
import { entryDigest } from '../../plan/digests.js';
import type { Plan } from '../../plan/ticket.js';
import { hints } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { listed } from '../../report/words/phrases.js';
import { oneLine, visible } from '../../report/safe/escape.js';
import { jsonText } from '../../report/safe/visible-json.js';
import { exitCodes } from '../errors/exit-codes.js';
import { shardOf } from '../options/options.js';
import type { Io } from './io.js';
import { numberText } from './number-text.js';
import type { Options } from '../verb.js';

/**
 * Prints the planned cells with their requests, and what the whole run will take.
 * @param budget of the whole run, with what the command line says of it
 */
export function printPlan(
  plan: Plan,
  { config, env, suites }: Pick<Project, 'config' | 'env' | 'suites'>,
  { budget, options }: { readonly budget: Budget; readonly options: Options },
  io: Io,
): number {
  const part = shardOf(options);
  const accounts = accountsOf(config.targets, env);
  const whole = estimate(plan, config, { accounts, shards: part?.of ?? 1 });
  const short = shortBudgets(whole, budget, 1 / (part?.of ?? 1));
  const leftOut = keywordsLeftOut(suites, plan);
  if (options['json'] === true) {
    const { digest, digests, profile, seed } = plan;
    const notAsked = plan.absent.map(({ model, settings, label, probes }) => ({ model, settings, label, probes }));
    const listed = {
      plan: digest,
      digests,
      models: listedModels(plan, config),
      profile,
      seed,
      ...(part && { shard: part }),
      ...whole,
      short_budgets: short,
      reserve: keysInReserve(plan),
      not_asked: notAsked,
      ...(leftOut !== null && { keywords_left_out: leftOut }),
    };
    io.out(`${jsonText(listed)}\n`);
    return exitCodes.ok;
  }
  const blocked = new Map(plan.tickets.map(({ cell }) => [cell.key, cell.unmeetable]));
  for (const cell of whole.cells) {
    const why = blocked.get(cell.key) ?? null;
    io.out(`${oneLine(cell.key)}  ${why === null ? requestsOf(cell) : oneLine(`blocked: ${why}`)}\n`);
  }
  const ofPart = part === undefined ? '' : `, shard ${part.index} of ${part.of}`;
  const models = new Set(whole.cells.map(({ model }) => model)).size;
  io.out(
    [
      '',
      `${amount(whole.cells.length, 'cell')}, ${amount(models, 'model')}, profile ${plan.profile}${ofPart}`,
      ...(plan.reserve.length === 0
        ? []
        : [`in reserve    ${amount(keysInReserve(plan).length, 'cell')} that run only if a result is in doubt`]),
      `requests      ${likely(whole.requests)} (${whole.controls} of them to check that each model answers)`,
      `tokens        ${likely(whole.tokens)}`,
      ...(whole.cost === null ? [] : [`cost          ${likely(whole.cost, 2)}`]),
      ...short.map(shortText),
      `minimum time  ${range(whole.seconds, 0, ' s')} (within the limits, one second per answer)`,
      ...(leftOut === null ? [] : ['', leftOutText(leftOut)]),
      ...absentSettingsNotes(plan.absent).flatMap((note) => ['', visible(note)]),
      '',
    ].join('\n'),
  );
  return exitCodes.ok;
}

/** The models of which a cell is listed, with the digests that tell whether requests to them have changed. */
function listedModels({ tickets }: Plan, { targets }: Config): readonly { model: string; digest: string }[] {
  const listed = new Set(tickets.map(({ cell }) => cell.model.key));
  return targets.flatMap((target) =>
    target.models
      .filter(({ key }) => listed.has(key))
      .map((model) => ({ model: model.key, digest: entryDigest(target, model) })),
  );
}

function shortText({ unit, limit, below }: ShortBudget): string {
  const of = unit === 'cost' ? `cost ${numberText(limit, 4)}` : amount(limit, unit.slice(0, -1));
  const [where, command] = [`budget.${unit} in the config`, unit === 'cost' ? '' : ` or --budget-${unit} N`];
  return below === 'expected'
    ? `budget        ${of}: less than expected, so the run stops before everything is asked; raise ${where}${command}`
    : `budget        ${of}: enough for what is expected, less than the most; the run stops there`;
}

function keysInReserve({ reserve }: Plan): readonly string[] {
  return [...new Set(reserve.map(({ ticket }) => ticket.cell.key))];
}

function requestsOf({ requests: { expected, largest } }: CellEstimate): string {
  return `${amount(expected, 'request')}${expected === largest ? '' : `, ${numberText(largest)} at most`}`;
}

function range({ expected, largest }: Range, digits = 0, unit = ''): string {
  const text = (value: number): string => `${numberText(value, digits)}${unit}`;
  return expected === largest ? text(expected) : `${text(expected)} expected, ${text(largest)} at most`;
}

/** With what it may be as well, where the run asks what nobody knows yet. */
function likely(amount: LikelyRange, digits = 0): string {
  const [from, to] = amount.likely.map((value) => numberText(value, digits));
  const isOpen = amount.expected !== amount.largest && from !== to;
  return isOpen
    ? range(amount, digits).replace(' expected', ` expected, ${from} to ${to} likely`)
    : range(amount, digits);
}

function amount(count: number, noun: string): string {
  return `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** "The schema keywords allOf and anyOf are not asked here; --tags weekly asks them." */
function leftOutText({ keywords, tag }: NonNullable<ReturnType<typeof keywordsLeftOut>>): string {
  return say(hints.keywords, { keywords: listed(keywords), number: keywords.length, tag: tag ?? 'none' });
}
