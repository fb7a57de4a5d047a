import { resolve } from 'node:path';
import { type ClientTable, clientTable, type Met } from '../../clients/client-table.js';
import { didYouMean } from '../../files/problems/nearest.js';
import { hasErrors, UserError, userError } from '../../files/problems/problem.js';
import { checkAgainst } from '../../files/shipped-schema.js';
import { readYaml } from '../../files/yaml/read-yaml.js';
import { oneLine } from '../../report/safe/escape.js';
import { simulate } from '../../simulator/index.js';
import type { ProgramRun } from '../clients/program-run.js';
import { longestFirstRun, reference, tryClient, type TrialProgress } from '../clients/try-client.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import {
  changesText,
  type ClientTrial,
  type Effect,
  type Tried,
  trialText,
} from '../../report/checks/render-client-trial.js';
import { exitCodes, printData, untilInterrupted, keyMask, type Io } from '../terminal/io.js';
import { optionNames, numberOf, optionChoice, type Options, optionText, optionChoices } from '../options/options.js';
import { chosenVariables, clientCommand, endText, noRequest, type Variables } from '../terminal/child.js';

/** `clients try -- CMD`: what the user's own client makes of every quirk and outcome class. */
export async function run(args: readonly string[], options: Options, io: Io): Promise<number> {
  const command = clientCommand(args.slice(1));
  const limit = numberOf(options, 'time-limit');
  const timeLimit = limit === undefined ? null : limit * 1000;
  const jobs = numberOf(options, 'jobs') ?? null;
  const failOn = optionChoice(options, 'fail-on', optionChoices.clientsFailOn, 'never');
  const baseline = optionText(options, 'baseline');
  const known = baseline === undefined ? null : await knownEffects(resolve(io.cwd, baseline));
  const table = chosen(clientTable(), optionNames(options, 'quirks'));
  const mask = await keyMask(io);
  const variables = (baseUrl: string): Variables =>
    chosenVariables({ baseUrl, key: 'chatspec-clients', model: reference }, options);
  return untilInterrupted(io, async (signal) => {
    const progress = openTrialProgress(io);
    const trial = await tryClient({ command, variables, io, mask, signal }, table, simulate, {
      jobs,
      timeLimit,
      onProgress: progress.show,
    }).finally(progress.end);
    if (signal.aborted) return exitCodes.interrupted;
    if ('unusable' in trial) {
      throw unusableProgramError(mask(command[0]), trial.unusable, timeLimit ?? longestFirstRun, variables(''));
    }
    const changed = trial.tried.filter((one) => known?.get(one.name) !== one.effect);
    printData(io, options, { command: command.map(mask), ...trial }, () => trialText(trial));
    if (known !== null) io.err(`chatspec: since ${baseline ?? ''}: ${changesText(changed, known)}\n`);
    return changed.some((one) => isFailure(one, failOn)) ? exitCodes.deviation : exitCodes.ok;
  });
}

/** By quirk and class: what came of it in an earlier `clients try --json`. Throws a UserError. */
async function knownEffects(file: string): Promise<ReadonlyMap<string, Effect>> {
  const source = readYaml(file);
  const problems = hasErrors(source.problems) ? source.problems : await checkAgainst('clients-try', source);
  if (problems.length > 0) throw new UserError(problems);
  return new Map((source.data as unknown as ClientTrial).tried.map(({ name, effect }) => [name, effect]));
}

/** Of an outcome class, the answer is wrong, so that failing is right. */
function isFailure({ kind, effect }: Tried, failOn: (typeof optionChoices.clientsFailOn)[number]): boolean {
  if (failOn === 'never') return false;
  if (effect === 'wrong_value') return true;
  return failOn === 'throws' && kind === 'quirk' && (effect === 'throws' || effect === 'hangs');
}

/** The quirks and classes of these names; all without names. Throws a UserError for a name that the table lacks. */
function chosen(
  { quirks, classes, unmeasured }: ClientTable,
  names: readonly string[] | undefined,
): Pick<ClientTable, 'quirks' | 'classes'> {
  if (names === undefined) return { quirks, classes };
  const known = [...Object.keys(quirks), ...Object.keys(classes)];
  const reasons = new Map(Object.values(unmeasured).flatMap((why) => Object.entries(why)));
  for (const name of names) {
    if (known.includes(name)) continue;
    const hint = reasons.get(name) ?? didYouMean(name, known) ?? 'docs/clients.md lists them';
    throw userError(`no model shows "${name}" to a client`, hint);
  }
  const only = (table: Readonly<Record<string, Met>>): Readonly<Record<string, Met>> =>
    Object.fromEntries(Object.entries(table).filter(([name]) => names.includes(name)));
  return { quirks: only(quirks), classes: only(classes) };
}

function unusableProgramError(program: string, run: ProgramRun, limit: number, set: Variables): UserError {
  const what = oneLine(program);
  if (run.late) {
    return userError(
      `${what} did not end within ${limit / 1000} s with the reference`,
      'give it more with --time-limit',
    );
  }
  if (run.code === 0) return noRequest(`${what} sent no request to chatspec (${reference})`, set);
  const words = run.error ?? run.lastLine;
  const last = words === '' ? '' : `: ${oneLine(words)}`;
  return userError(
    `${what} ${endText(run.code, run.endedBy)} with the reference${last}`,
    'it must work with right answers before anything can be said about others',
  );
}

const { trials } = texts;

/** Milliseconds between two lines of a log. */
const logEvery = 15_000;

/** Says how far a trial is: one line that rewrites itself on a terminal, a line now and then elsewhere. */
function openTrialProgress(io: Pick<Io, 'err' | 'interactive'>): {
  readonly show: (progress: TrialProgress) => void;
  readonly end: () => void;
} {
  let [latest, isStarted] = [Date.now(), false];
  const clear = io.interactive ? '\r\u001b[K' : '';
  io.err(`chatspec: ${say(trials.waiting)}\n`);
  return {
    show: ({ done, runs, took, limit, jobs }) => {
      if (!isStarted) {
        isStarted = true;
        const seconds = { took: Number((took / 1000).toFixed(1)), limit: Math.ceil(limit / 1000) };
        io.err(`chatspec: ${say(trials.started, { runs, jobs, ...seconds })}\n`);
        return;
      }
      if (!io.interactive && (Date.now() - latest < logEvery || done === runs)) return;
      latest = Date.now();
      io.err(`${clear}chatspec: ${say(trials.progress, { done, runs })}${io.interactive ? '' : '\n'}`);
    },
    end: () => {
      if (isStarted) io.err(clear);
    },
  };
}
