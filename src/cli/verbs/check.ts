import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { connect } from '../../assemble/connect.js';
import { executePlan } from '../../assemble/execute-plan.js';
import { makeReport, renderContext } from '../../assemble/make-report.js';
import { userError } from '../../files/problems/problem.js';
import { createJournal, hasJournal } from '../../journal/journal.js';
import { makePlan } from '../../plan/make-plan.js';
import type { Plan, Ticket } from '../../plan/ticket.js';
import { openGathering } from '../../report/gather/gather.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { reportFormats } from '../../report/report-formats.js';
import { writeRunFolder } from '../../report/run-folder.js';
import { redactor } from '../../report/safe/redact.js';
import { answerOf } from '../check/answer.js';
import { askedModel, type AskedModel } from '../check/asked-model.js';
import { checkProgress } from '../check/check-progress.js';
import { checkTest, confirming, isAgain, isFirst, nextCells, usualCaps } from '../check/next-cells.js';
import { checkSuite } from '../check/check-suite.js';
import { largest, openMeasuring } from '../check/measured.js';
import { printAnswer } from '../check/print-answer.js';
import { readQuestion } from '../check/question.js';
import { folderError } from '../errors/error-exit.js';
import { exitCodes } from '../errors/exit-codes.js';
import { stampOf } from '../../assemble/run-place.js';
import { displayPath } from '../folders/folders.js';
import { checkOut } from '../folders/writable.js';
import { listOf, textOf, wholeNumber } from '../options/options.js';
import { configGiven } from '../options/recorded-options.js';
import { checkCredentials } from '../runs/check-credentials.js';
import type { Io } from '../terminal/io.js';
import { printProblems } from '../terminal/print-problems.js';
import { untilInterrupted } from '../terminal/until-interrupted.js';
import type { Options } from '../verb.js';

/** Requests that a check may send unless the user allows another number. */
const usualBudget = 200;
/** The file with the body of the recommended request. */
const requestFile = 'request.json';

/** One model, one schema, one prompt: which forms can be relied on right now, with which cap, and how to ask. */
export function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  return untilInterrupted(io, (signal) => checkUntil(signal, options, io));
}

async function checkUntil(signal: AbortSignal, options: Options, io: Io): Promise<number> {
  const trials = wholeNumber(options, 'trials', { least: 1, most: 1000 }) ?? null;
  const requests = wholeNumber(options, 'budget-requests', { least: 1 }) ?? usualBudget;
  const given = capsOf(options);
  await checkOut(options, io);
  const asked = await askedModel(options, io);
  const { question, warnings } = await readQuestion(options, io);
  printProblems([...asked.warnings, ...warnings], io);
  const { project, target, model } = asked;
  checkCredentials([target], project.env, io);

  const fixed = 'max_tokens' in model.request || 'max_completion_tokens' in model.request;
  const suite = checkSuite(question, model, given ?? (fixed ? [] : usualCaps));
  const config = { ...project.config, targets: [{ ...target, models: [model] }] };
  const { plan: whole } = makePlan({ config, suites: [suite], baseline: null });
  const tickets = whole.tickets.map((ticket) => ticketFor(ticket, trials));
  const measuring = openMeasuring();
  const asking = {
    fixedCaps: given !== null || fixed,
    longest: (cell: string) => largest(measuring.of(cell).tokens),
  };
  const plan = planFor(whole, tickets, (ticket) => isFirst(ticket, asking));

  const folder = folderOf(asked, options, io);
  refuseOwnRequest(folder);
  const redact = redactor(config.redact, project.keys);
  const connections = await connect([target], project.env, { seed: plan.seed });
  const gathering = openGathering(diskSpool(() => folder));
  let listed: readonly string[] | null = null;
  try {
    const journal = await createJournal(folder).catch((error: unknown) => {
      throw folderError(error);
    });
    await executePlan(plan, {
      ...{ targets: connections.targets, journal, signal, budget: { requests, tokens: null, cost: null } },
      further: (_model, findings) => nextCells(tickets, findings, asking),
      reporters: [gathering, measuring, checkProgress(redact, io)],
      run: { shard: null, options: textOf(options, 'base-url') === undefined ? configGiven(options) : {} },
    });
    const { outcome } = gathering.gathered().models.get(model.key) ?? { outcome: null };
    if (outcome?.reason === 'model_not_found') listed = await connections.modelsOf(target.name);
  } finally {
    await connections.close();
  }

  const report = await makeReport({ plan, project: { config, suites: [suite] }, gathering, previous: null });
  const context = renderContext({ redact: config.redact, keys: project.keys, journalFolder: folder });
  await writeRunFolder(folder, report, context, [reportFormats.json]);
  gathering.failures.close();
  const answer = answerOf(report, tickets, measuring);
  const file = join(folder, requestFile);
  if (answer.recommended !== null) await writeFile(file, `${JSON.stringify(answer.recommended.request, null, 2)}\n`);
  printAnswer(
    {
      ...{ answer, report, target, model, question, redact, trials, budget: requests },
      interrupted: signal.aborted,
      listed,
    },
    { folder: displayPath(folder, io), request: displayPath(file, io), schema: displayPath(question.schemaFile, io) },
    options,
    io,
  );
  if (signal.aborted) return exitCodes.interrupted;
  return { reliable: exitCodes.ok, unreliable: exitCodes.deviation, unmeasured: exitCodes.unmeasured }[answer.verdict];
}

/** `--max-tokens`: the only caps to try; null if it was not given. */
function capsOf(options: Options): readonly number[] | null {
  const list = listOf(options, 'max-tokens');
  if (list === undefined) return null;
  const wrong = list.find((text) => !/^[1-9]\d{0,8}$/.test(text));
  if (wrong !== undefined || list.length === 0) {
    throw userError(`--max-tokens takes whole numbers with commas, such as 512,2048, not "${wrong ?? ''}"`);
  }
  return [...new Set(list.map(Number))].sort((a, b) => a - b);
}

/** Decided by its own trials alone, since there is no baseline to compare it with. */
function ticketFor(ticket: Ticket, trials: number | null): Ticket {
  const alone = { ...ticket, confirm: false };
  return trials === null && !isAgain(ticket)
    ? { ...alone, course: 'sequential', trials: { kind: 'decided', ...checkTest } }
    : { ...alone, course: 'fixed', trials: { kind: 'count', count: trials ?? confirming } };
}

function planFor(whole: Plan, tickets: readonly Ticket[], isFirst: (ticket: Ticket) => boolean): Plan {
  const first = tickets.filter(isFirst);
  const reserve = tickets
    .filter((ticket) => !isFirst(ticket))
    .map((ticket) => ({ ticket, settles: { kind: 'condition', most: tickets.length } }) as const);
  return { ...whole, tickets: first, reserve, absent: [], plannedCells: first.length };
}

/** Where no check was made yet, a request.json is somebody's own. Throws a UserError. */
function refuseOwnRequest(folder: string): void {
  const file = join(folder, requestFile);
  if (hasJournal(folder) || !existsSync(file)) return;
  throw userError(`${file} exists already, and the check would replace it`, 'name another folder with --out');
}

/** Beside the runs and not among them: a check is no part of their history. */
function folderOf({ project }: AskedModel, options: Options, io: Io): string {
  const stamp = stampOf(new Date());
  const asked = textOf(options, 'out');
  if (asked !== undefined) return resolve(io.cwd, asked.replaceAll('{stamp}', stamp));
  return join(dirname(project.config.file), 'reports', 'checks', stamp);
}
