import pLimit from 'p-limit';
import type { ClientTable } from '../../clients/client-table.js';
import { requestParts } from '../../clients/request-kind.js';
import { requestNeeded } from '../../clients/request-needed.js';
import type { Simulator } from '../../simulator/index.js';
import {
  type AnsweringService,
  answeringService,
  type ClientProgram,
  type ProgramRun,
  runProgram,
} from './client-program.js';
import { choosing, shows, type Wanted } from './choose-models.js';
import { endText } from '../terminal/child-end.js';
import { reportedBy, stableLines } from './stable-lines.js';

/** `not_compared`: it ends with exit code 0, and nothing that it prints can be compared. */
export type Effect = 'works' | 'not_compared' | 'throws' | 'wrong_value' | 'hangs' | 'not_met';

/** What the program makes of one quirk, or of one outcome class. */
export interface Tried {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
  readonly effect: Effect;
  /** The model of the embedded service that showed it; null where none did. */
  readonly model: string | null;
  /** null where it was not met, or the program did not end. */
  readonly exit_code: number | null;
  /** What the program said last, where it failed, or the first line that differs. */
  readonly said: string | null;
  /** Which request would meet it, where it was not met and none of the program's is such a one; else null. */
  readonly needs: string | null;
}

export interface ClientTrial {
  readonly requests: number;
  /** false: it prints nothing, or nothing that two runs against the reference have in common, so that wrong values cannot be seen. */
  readonly compared: boolean;
  readonly tried: readonly Tried[];
}

/** The program did not work with the reference, so nothing can be said of anything else. */
export interface UnusableProgram {
  readonly unusable: ProgramRun;
}

export const reference = 'sim-reference';

/** Runs at the same time; each has a service of its own. */
const side = 3;

/** Runs the program against the reference, and then against a model for each quirk and each outcome class. */
export async function tryClient(
  program: ClientProgram,
  table: Pick<ClientTable, 'quirks' | 'classes'>,
  start: (options: object) => Promise<Simulator>,
): Promise<ClientTrial | UnusableProgram> {
  const services: AnsweringService[] = [];
  try {
    for (let index = 0; index < side; index += 1) services.push(await answeringService(start));
    return await tried(program, table, services);
  } finally {
    await Promise.all(services.map(({ simulator }) => simulator.close()));
  }
}

async function tried(
  program: ClientProgram,
  { quirks, classes }: Pick<ClientTable, 'quirks' | 'classes'>,
  services: readonly AnsweringService[],
): Promise<ClientTrial | UnusableProgram> {
  const [first] = services;
  if (first === undefined) throw new Error('there is no service to ask');
  const right = await runProgram(program, reference, first);
  if (right.code !== 0 || right.answers.length === 0) return { unusable: right };
  const free = [...services];
  const limit = pLimit(services.length);
  const runs = new Map<string, Promise<ProgramRun>>();
  const runOf = (model: string): Promise<ProgramRun> => {
    const before = runs.get(model);
    if (before !== undefined) return before;
    const made = limit(async () => {
      const service = free.pop() ?? first;
      try {
        return await runProgram(program, model, service);
      } finally {
        free.push(service);
      }
    });
    runs.set(model, made);
    return made;
  };
  const wanted: readonly Wanted[] = [
    ...Object.entries(quirks).map(([name, met]) => ({ kind: 'quirk' as const, name, ...met })),
    ...Object.entries(classes).map(([name, met]) => ({ kind: 'class' as const, name, ...met })),
  ];
  const modelFor = choosing(right, first, program.signal);
  const chosen: { readonly one: Wanted; readonly model: string | null }[] = [];
  for (const one of wanted) chosen.push({ one, model: await modelFor(one) });
  const found = await Promise.all(
    chosen.map(async ({ one, model }) => {
      const run = model === null || program.signal.aborted ? null : await runOf(model);
      return { one, run: run !== null && shows(run.answers, one, right) ? run : null };
    }),
  );
  // At the end, so that what changes with time differs from the first run.
  const again = await runProgram(program, reference, first);
  const sent = right.answers.map(({ request }) => requestParts(request));
  const stable = stableLines(right.stdout, again.stdout);
  return {
    requests: right.answers.length,
    compared: stable !== null,
    tried: found.map(({ one: { kind, name, requests }, run }) => ({
      ...{ kind, name, ...effectOf(run, stable, program.mask) },
      needs: run === null ? requestNeeded(requests, sent) : null,
    })),
  };
}

function endOf({ code, endedBy, lastLine }: ProgramRun): string {
  if (endedBy === null) return lastLine;
  return [endText(code ?? 1, endedBy), lastLine].filter((text) => text !== '').join(': ');
}

function effectOf(
  run: ProgramRun | null,
  stable: readonly (string | null)[] | null,
  mask: (text: string) => string,
): Omit<Tried, 'kind' | 'name' | 'needs'> {
  if (run === null) return { effect: 'not_met', model: null, exit_code: null, said: null };
  const { model, code } = run;
  if (code === null) return { effect: 'hangs', model, exit_code: null, said: null };
  if (code !== 0) return { effect: 'throws', model, exit_code: code, said: endOf(run) };
  if (stable === null) return { effect: 'not_compared', model, exit_code: code, said: null };
  const differs = reportedBy(run.stdout, stable);
  return {
    effect: differs === null ? 'works' : 'wrong_value',
    model,
    exit_code: code,
    said: differs === null ? null : mask(differs),
  };
}
