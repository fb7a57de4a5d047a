import pLimit from 'p-limit';
import type { ClientTable } from '../../clients/client-table.js';
import type { Simulator } from '../../simulator/index.js';
import { endText } from '../terminal/child.js';
import {
  type AnsweringService,
  answeringService,
  choosing,
  type ClientProgram,
  type ProgramRun,
  runAgainst,
  shows,
  type Wanted,
} from './client-runs.js';

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
}

export interface ClientTrial {
  readonly requests: number;
  /** false: two runs against the reference print nothing in common, so that wrong values cannot be seen. */
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
  const first = await answeringService(start);
  const services = [first];
  try {
    while (services.length < side) services.push(await answeringService(start));
    return await tried(program, table, first, [...services]);
  } finally {
    await Promise.all(services.map(({ simulator }) => simulator.close()));
  }
}

async function tried(
  program: ClientProgram,
  { quirks, classes }: Pick<ClientTable, 'quirks' | 'classes'>,
  first: AnsweringService,
  free: AnsweringService[],
): Promise<ClientTrial | UnusableProgram> {
  const right = await runAgainst(reference, program, first);
  if (right.late || right.code !== 0 || right.answers.length === 0) return { unusable: right };
  const wanted: readonly Wanted[] = [
    ...Object.entries(quirks).map(([name, met]) => ({ kind: 'quirk' as const, name, ...met })),
    ...Object.entries(classes).map(([name, met]) => ({ kind: 'class' as const, name, ...met })),
  ];
  const modelFor = choosing(right, first, program.signal);
  const models = new Map<Wanted, string>();
  for (const one of wanted) {
    const model = await modelFor(one);
    if (model !== null) models.set(one, model);
  }
  const limit = pLimit(free.length);
  const runs = new Map<string, ProgramRun>();
  const runOnce = async (model: string): Promise<void> => {
    if (program.signal.aborted) return;
    const service = free.pop() ?? first;
    runs.set(model, await runAgainst(model, program, service));
    free.push(service);
  };
  await Promise.all([...new Set(models.values())].map((model) => limit(runOnce, model)));
  // At the end, so that what changes with time differs from the first run.
  const again = await runAgainst(reference, program, first);
  const stable = stableLines(right.stdout, again.stdout);
  return {
    requests: right.answers.length,
    compared: stable !== null,
    tried: wanted.map((one) => {
      const made = runs.get(models.get(one) ?? '');
      const run = made !== undefined && shows(made.answers, one, right) ? made : null;
      return { kind: one.kind, name: one.name, ...effectOf(run, stable, program.mask) };
    }),
  };
}

function effectOf(
  run: ProgramRun | null,
  stable: readonly (string | null)[] | null,
  mask: (text: string) => string,
): Omit<Tried, 'kind' | 'name'> {
  if (run === null) return { effect: 'not_met', model: null, exit_code: null, said: null };
  const { model, code, endedBy, lastLine } = run;
  if (run.late) return { effect: 'hangs', model, exit_code: null, said: null };
  const ended = endedBy === null ? [lastLine] : [endText(code, endedBy), lastLine].filter((text) => text !== '');
  if (code !== 0) return { effect: 'throws', model, exit_code: code, said: ended.join(': ') };
  if (stable === null) return { effect: 'not_compared', model, exit_code: code, said: null };
  const differs = firstDifference(run.stdout, stable);
  return {
    ...{ effect: differs === null ? 'works' : 'wrong_value', model, exit_code: code },
    said: differs === null ? null : mask(differs),
  };
}

/** Lines of a text, without what ends them. */
const linesOf = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

/** The lines that two runs print alike; null for one that holds a time or a random number. null where nothing is alike. */
function stableLines(one: string, other: string): readonly (string | null)[] | null {
  const [lines, others] = [linesOf(one), linesOf(other)];
  if (lines.length !== others.length) return null;
  const stable = lines.map((line, index) => (line === others[index] ? line : null));
  return stable.some((line) => line !== null && line.trim() !== '') ? stable : null;
}

/** The first line of a text that is not as it should be, or what is missing; null where the text is right. */
function firstDifference(text: string, stable: readonly (string | null)[]): string | null {
  const lines = linesOf(text);
  const wrong = lines.find((line, index) => stable[index] !== null && line !== stable[index]);
  if (wrong !== undefined) return wrong;
  const missing = `prints ${lines.length} of ${stable.length} ${stable.length === 1 ? 'line' : 'lines'}`;
  return lines.length < stable.length ? missing : null;
}
