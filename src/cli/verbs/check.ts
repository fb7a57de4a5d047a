import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { connect } from '../../assemble/connect.js';
import { executePlan } from '../../assemble/execute-plan.js';
import { stampOf } from '../../report/history/latest-run.js';
import { userError } from '../../files/problems/problem.js';
import { createJournal, hasJournal } from '../../journal/journal.js';
import type { JsonObject } from '../../json/json.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import { makePlan } from '../../plan/make-plan.js';
import { bodyOf, variablesOf } from '../../plan/request/request-body.js';
import type { Ticket } from '../../plan/ticket.js';
import { idsLike } from '../../report/checks/checkup.js';
import {
  type CheckAnswer,
  checkData,
  type CheckedForm,
  checkScreen,
  isRefuted,
} from '../../report/checks/render-check.js';
import { diskSpool } from '../../report/gather/failure-spool.js';
import { openGathering } from '../../report/gather/gather.js';
import { type Measured, measuring } from '../../report/gather/answer-times.js';
import { reportFormats } from '../../report/report-formats.js';
import { redactor } from '../../report/safe/redact.js';
import { loadSuites } from '../../suite/read/load-suites.js';
import { askedModel } from '../check/asked-model.js';
import {
  capOf,
  checkSuite,
  choiceAxis,
  confirming,
  inOrder,
  isAgain,
  isFirst,
  isNeeded,
  nextCells,
  settingsIn,
  strictAxis,
  ticketFor,
  usualCaps,
} from '../check/course.js';
import { readQuestion } from '../check/question.js';
import { folderError } from '../errors/errors.js';
import { exitCodes, type Io, printData, printProblems, untilInterrupted } from '../terminal/io.js';
import { checkOut, displayPath } from '../folders/folders.js';
import { namesIn, numberOf, type Options, textOf } from '../options/options.js';
import { configGiven } from '../options/recorded-options.js';
import { checkCredentials } from '../runs/load-inputs.js';
import { writeReport } from '../runs/write-report.js';
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
  const suite = JSON.stringify(checkSuite(question, model, given ?? (fixed ? [] : usualCaps)), null, 2);
  if (project.keys.holds(suite))
    throw userError(
      'the schema or the prompt holds a configured key',
      'take it out; a body that holds one is not sent',
    );
  const folder = folderOf(config.file, options, io);
  const redact = redactor(config.redact, project.keys);
  const journal = await createJournal(folder).catch((error: unknown) => {
    throw folderError(error);
  });

  await writeFile(join(folder, suiteFile), `${suite}\n`);
  const place = { file: config.file, line: 1, column: 1 };
  const { suites } = await loadSuites([{ pattern: suiteFile, place }], folder);
  const { plan: all } = makePlan({ config, suites, baseline: null });
  const tickets = all.tickets.filter(isNeeded).map((ticket) => ticketFor(ticket, trials));
  const { measured, ...measurer } = measuring();
  const longest = (cell: string): number | null =>
    measured.get(cell)?.reduce((most, { tokens }) => Math.max(most, tokens), 0) || null;
  const course = { fixedCaps: given !== null || fixed, longest };
  const first = tickets.filter((ticket) => isFirst(ticket, course));
  const reserve = tickets
    .filter((ticket) => !first.includes(ticket))
    .map((ticket) => ({ ticket, settles: { kind: 'condition', most: tickets.length } }) as const);
  const plan = { ...all, tickets: first, reserve, absent: [], plannedCells: first.length };

  const connections = await connect([target], project.env, { seed: plan.seed });
  const gathering = openGathering(diskSpool(() => folder));
  const budget = { requests, tokens: null, cost: null };
  let listed: readonly string[] | null = null;
  try {
    const progress = openProgress({ plan, budget, share: 1, redact, verbosity: 'usual' }, io);
    await executePlan(plan, {
      ...{ targets: connections.targets, journal, signal, budget },
      further: (_model, findings) => nextCells(tickets, findings, course),
      reporters: [gathering, measurer, progress],
      run: { shard: null, options: textOf(options, 'base-url') === undefined ? configGiven(options) : {} },
    });
    const { outcome } = gathering.gathered().models.get(model.key) ?? { outcome: null };
    if (outcome?.reason === 'model_not_found') listed = await connections.modelsOf(target.name);
  } finally {
    await connections.close();
  }

  const exit = {
    failOn: 'never',
    interrupted: signal.aborted,
    maxUnmeasured: config.maxUnmeasured,
    shard: false,
  } as const;
  const whole = { ...project, config, suites, baseline: null };
  const formats = [reportFormats.json];
  const { report } = await writeReport({ plan, project: whole, gathering, folder, formats, previous: null, exit }, io);
  const answer = answerOf(report, tickets, measured);
  const request = join(folder, requestFile);
  if (answer.recommended !== null) await writeFile(request, `${JSON.stringify(answer.recommended.request, null, 2)}\n`);
  const checked = {
    ...{ answer, report, service: target, model, schemaName: question.name, redact, trials, budget: requests },
    ...{ confirming, otherIds: listed === null ? null : idsLike(model.id, listed) },
    interrupted: signal.aborted,
    paths: {
      ...{ folder: displayPath(folder, io), request: displayPath(request, io) },
      schema: displayPath(question.schemaFile, io),
    },
  };
  printData(io, options, options['json'] === true && checkData(checked), () => checkScreen(checked, io));
  if (signal.aborted) return exitCodes.interrupted;
  return { reliable: exitCodes.ok, unreliable: exitCodes.deviation, unmeasured: exitCodes.unmeasured }[answer.verdict];
}

/** `--max-tokens`: the only caps to try; null if it was not given. */
function capsOf(options: Options): readonly number[] | null {
  const list = namesIn(options, 'max-tokens');
  if (list === undefined) return null;
  const wrong = list.find((text) => !/^[1-9]\d{0,8}$/.test(text));
  if (wrong === undefined && list.length > 0) return list.map(Number).sort((a, b) => a - b);
  throw userError(`--max-tokens takes whole numbers with commas, such as 512,2048, not "${wrong ?? ''}"`);
}

/** Beside the runs and not among them: a check is no part of their history. Throws a UserError. */
function folderOf(config: string, options: Options, io: Io): string {
  const stamp = stampOf(new Date());
  const asked = textOf(options, 'out');
  const usual = join(dirname(config), 'reports', 'checks', stamp);
  const folder = asked === undefined ? usual : resolve(io.cwd, asked.replaceAll('{stamp}', stamp));
  // Where no check was made yet, such a file is somebody's own.
  const own = [requestFile, suiteFile].map((name) => join(folder, name)).find((file) => existsSync(file));
  if (own === undefined || hasJournal(folder)) return folder;
  throw userError(`${own} exists already, and the check would replace it`, 'name another folder with --out');
}

/** What the cells of a check say: a form is relied on if it passed again in every fresh trial. */
function answerOf(report: Report, tickets: readonly Ticket[], measured: Measured): CheckAnswer {
  const cells = new Map(report.cells.map((cell) => [cell.key, cell]));
  const seen = inOrder(tickets).flatMap((ticket) => {
    const cell = cells.get(ticket.cell.key);
    return cell === undefined ? [] : [{ ticket, form: formOf(ticket, cell, measured) }];
  });
  const best = seen.find(({ ticket, form }) => isAgain(ticket) && form.holds);
  const isOpen = report.run.stops.length > 0 || seen.some(({ form }) => !form.holds && !isRefuted(form));
  const forms = seen.map(({ form }) => form);
  if (best === undefined) return { verdict: isOpen ? 'unmeasured' : 'unreliable', forms, recommended: null };
  const ask = { kind: 'trial', patch: {}, sample: 0 } as const;
  const request = bodyOf(best.ticket, ask, 'request', variablesOf(best.ticket, ask)) as JsonObject;
  return { verdict: 'reliable', forms, recommended: { form: best.form, request } };
}

function formOf(ticket: Ticket, cell: ReportCell, measured: Measured): CheckedForm {
  const { verdict, trials, class: failure, reason, status, detail, key } = cell;
  const { [strictAxis]: strict, [choiceAxis]: choice } = ticket.cell.point;
  const answers = measured.get(key) ?? [];
  const tokens = answers.map((one) => one.tokens).filter((count) => count > 0);
  const median = (values: readonly number[]): number | null =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
  return {
    form: strict !== undefined ? 'json_schema' : choice !== undefined ? 'tools' : 'json_object',
    settings: {
      ...(strict !== undefined && { strict }),
      ...(choice !== undefined && { tool_choice: choice }),
      ...Object.fromEntries(settingsIn(ticket)),
    },
    max_tokens: capOf(ticket) === 0 ? null : capOf(ticket),
    ...{ holds: verdict === 'pass' && trials.needed === 0, confirms: isAgain(ticket), verdict, trials },
    ...{ class: failure, reason, status, detail },
    tokens: tokens.length === 0 ? null : { median: median(tokens) ?? 0, largest: Math.max(...tokens) },
    ...{ latency_ms: median(answers.map(({ ms }) => ms)), cell: key },
  };
}
