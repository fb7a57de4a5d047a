import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { askedAgain } from '../../clients/asked-again.js';
import type { ClientTable } from '../../clients/client-table.js';
import { outputFault, stableLines, type CallsHeld, type StableLines } from '../../clients/compare-output.js';
import { worstOf, type ClientTrial, type Tried, type TriedWay } from '../../report/checks/render-client-trial.js';
import type { Simulator } from '../../simulator/index.js';
import { endText } from '../terminal/child.js';
import { answeringService, type AnsweringService, type SeenAnswerOf } from './answering-service.js';
import { choosing, triggersWanted, wantedFrom, type Wanted } from './choose-ways.js';
import { runAgainst, type ClientProgram, type ProgramRun } from './program-run.js';

/** The program did not work with the reference, so nothing can be said of anything else. */
interface UnusableProgram {
  readonly unusable: ProgramRun;
}

export const reference = 'sim-reference';

export interface TrialOptions {
  /** Runs at the same time, each with a service of its own; null: as many as suit the machine. */
  readonly jobs: number | null;
  /** Milliseconds for one run; null: by the time of the right one. */
  readonly timeLimit: number | null;
  readonly onProgress: (progress: TrialProgress) => void;
}

export interface TrialProgress {
  readonly done: number;
  readonly runs: number;
  /** Milliseconds of the run with right answers, and at most of each other. */
  readonly took: number;
  readonly limit: number;
  readonly jobs: number;
}

/** A run waits for the network most of the time, and all the same starts a program. */
const usualJobs = Math.min(8, 2 * availableParallelism());
/** Milliseconds for the run with right answers. */
export const longestFirstRun = 300_000;
/** How often the time of the right run, and how many milliseconds at least. */
const [patience, leastLimit] = [5, 20_000];

/** The time for each run, from that of the one with right answers. */
export const limitFrom = (took: number): number => Math.max(leastLimit, patience * took);

/** Runs the program against the reference, and then against a model for each way of each quirk and outcome class. */
export async function tryClient(
  program: ClientProgram,
  table: Pick<ClientTable, 'quirks' | 'classes'>,
  start: (options: object) => Promise<Simulator>,
  options: TrialOptions,
): Promise<ClientTrial | UnusableProgram> {
  const first = await answeringService(start);
  const services = [first];
  try {
    const right = await runAgainst(reference, program, options.timeLimit ?? longestFirstRun, first);
    if (right.late || right.code !== 0 || right.answers.length === 0) return { unusable: right };
    while (services.length < (options.jobs ?? usualJobs)) services.push(await answeringService(start));
    return await tried({ program, right, services, options }, wantedFrom(table));
  } finally {
    await Promise.all(services.map(({ simulator }) => simulator.close()));
  }
}

interface Trial {
  readonly program: ClientProgram;
  readonly right: ProgramRun;
  readonly services: readonly AnsweringService[];
  readonly options: TrialOptions;
}

async function tried(trial: Trial, wanted: readonly Wanted[]): Promise<ClientTrial> {
  const { program, right, services, options } = trial;
  const [first] = services as readonly [AnsweringService];
  const limit = options.timeLimit ?? limitFrom(right.took);
  const waysOf = choosing(right, first, program.signal);
  const models = new Map<Wanted, readonly string[]>();
  for (const one of wanted) models.set(one, await waysOf(one));
  const runs = await runAll([...new Set([...models.values()].flat())], trial, limit);
  // At the end, so that what changes with time differs from the first run.
  const again = await runAgainst(reference, program, limit, first);
  const stable = stableLines(right.stdout, again.stdout);
  const reading: Reading = { right, stable, mask: program.mask };
  return {
    requests: right.answers.length,
    compared: stable !== null,
    tried: wanted.map((one) => {
      const made = (models.get(one) ?? []).map((model) => runs.get(model)).filter((run) => run !== undefined);
      const ways = made
        .filter((run) => triggersWanted(run.answers, one, right))
        .map((run) => wayTried(run, one, reading));
      return triedOf(one, ways);
    }),
  };
}

async function runAll(
  models: readonly string[],
  { program, right, services, options }: Trial,
  limit: number,
): Promise<ReadonlyMap<string, ProgramRun>> {
  const free = [...services];
  const runs = new Map<string, ProgramRun>();
  const tell = (): void => {
    options.onProgress({ done: runs.size, runs: models.length, took: right.took, limit, jobs: services.length });
  };
  const runOnce = async (model: string): Promise<void> => {
    const service = free.pop();
    if (program.signal.aborted || service === undefined) return;
    runs.set(model, await runAgainst(model, program, limit, service));
    free.push(service);
    tell();
  };
  tell();
  const turn = pLimit(services.length);
  await Promise.all(models.map((model) => turn(runOnce, model)));
  return runs;
}

function triedOf({ kind, name }: Wanted, ways: readonly TriedWay[]): Tried {
  const worst = worstOf(kind, ways);
  if (worst === undefined) {
    return { kind, name, effect: 'not_met', model: null, exit_code: null, said: null, noticed: 0, ways };
  }
  const noticed = ways.filter(({ effect }) => effect === 'throws' || effect === 'recovers').length;
  return { kind, name, ...worst, noticed, ways };
}

/** The right run, and the means to compare others with it. */
interface Reading {
  readonly right: ProgramRun;
  readonly stable: StableLines | null;
  readonly mask: (text: string) => string;
}

function wayTried(run: ProgramRun, wanted: Wanted, { right, stable, mask }: Reading): TriedWay {
  const { model, code, endedBy, error } = run;
  if (run.late) {
    // A program that named an error has failed, and only has not ended yet.
    const hasFailed = error !== null && error !== right.error;
    return { effect: hasFailed ? 'throws' : 'hangs', model, exit_code: null, said: hasFailed ? error : null };
  }
  if (code !== 0) {
    const said = [endedBy === null ? '' : endText(code, endedBy), error ?? run.lastLine];
    return { effect: 'throws', model, exit_code: code, said: said.filter((text) => text !== '').join(': ') };
  }
  if (stable === null) return { effect: 'not_compared', model, exit_code: code, said: null };
  const asked = wanted.kind === 'class' ? askedAgain(run.answers, right.answers) : null;
  if (asked === 'in_other_words') return { effect: 'recovers', model, exit_code: code, said: null };
  const fault = outputFault(run.stdout, stable, callsIn(run.answers, right.answers));
  if (fault !== null) return { effect: 'wrong_value', model, exit_code: code, said: mask(fault).slice(0, 300) };
  return { effect: asked === null ? 'works' : 'recovers', model, exit_code: code, said: null };
}

function callsIn(held: readonly SeenAnswerOf[], right: readonly SeenAnswerOf[]): CallsHeld {
  const of = (answers: readonly SeenAnswerOf[]) => answers.flatMap(({ calls }) => calls);
  return { held: of(held), right: of(right) };
}
