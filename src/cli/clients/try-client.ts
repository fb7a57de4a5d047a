import pLimit from 'p-limit';
import type { ClientTable, Met } from '../../clients/client-table.js';
import { saysTheSame, seenInAnswer, type SeenInAnswer } from '../../clients/seen-in-answer.js';
import type { ClientTrial, Tried } from '../../report/checks/render-client-trial.js';
import type { Simulator } from '../../simulator/index.js';
import { endText, runProgram, type ClientCommand, type ProgramEnd, type Variables } from '../terminal/child.js';
import type { Io } from '../terminal/io.js';

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
      const run = made !== undefined && triggersWanted(made.answers, one, right) ? made : null;
      return { kind: one.kind, name: one.name, ...triedEffect(run, stable, program.mask) };
    }),
  };
}

function triedEffect(
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
    effect: differs === null ? 'works' : 'wrong_value',
    model,
    exit_code: code,
    said: differs === null ? null : mask(differs),
  };
}

/** Lines of a text, without what ends them. */
const outputLines = (text: string): readonly string[] => text.trimEnd().split(/\r?\n/);

/**
 * The lines that two runs print alike; null for one that holds a time or a random number. null where nothing is alike.
 */
function stableLines(one: string, other: string): readonly (string | null)[] | null {
  const [lines, others] = [outputLines(one), outputLines(other)];
  if (lines.length !== others.length) return null;
  const stable = lines.map((line, index) => (line === others[index] ? line : null));
  return stable.some((line) => line !== null && line.trim() !== '') ? stable : null;
}

/** The first line of a text that is not as it should be, or what is missing; null where the text is right. */
function firstDifference(text: string, stable: readonly (string | null)[]): string | null {
  const lines = outputLines(text);
  const wrong = lines.find((line, index) => stable[index] !== null && line !== stable[index]);
  if (wrong !== undefined) return wrong;
  const missing = `prints ${lines.length} of ${stable.length} ${stable.length === 1 ? 'line' : 'lines'}`;
  return lines.length < stable.length ? missing : null;
}

/** One run of the user's program against one model of the embedded service. */
interface ProgramRun extends ProgramEnd {
  readonly model: string;
  /** It did not end in time. */
  readonly late: boolean;
  readonly stdout: string;
  /** The line that names the error, else the last one that it wrote to standard error, else to standard output. */
  readonly lastLine: string;
  /** What the answers that it got were like, by request. */
  readonly answers: readonly SeenAnswerOf[];
}

interface SeenAnswerOf extends SeenInAnswer {
  readonly request: string;
}

interface ClientProgram {
  readonly command: ClientCommand;
  /** What its environment says, with the address of a service. */
  readonly variables: (baseUrl: string) => Variables;
  /** Milliseconds for one run. */
  readonly timeLimit: number;
  readonly io: Io;
  /** Takes the keys out of what the program says. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** The embedded service, and the answers that it gave. */
interface AnsweringService {
  readonly simulator: Simulator;
  /** The answers since the last call. */
  readonly takeAnswers: () => readonly SeenAnswerOf[];
}

/** A service whose clock stands still, so that the same requests get the same answers to the letter. */
async function answeringService(start: (options: object) => Promise<Simulator>): Promise<AnsweringService> {
  const answers: SeenAnswerOf[] = [];
  const simulator = await start({
    log: 0,
    now: () => Date.UTC(2026, 0, 1),
    onAnswer: (answer: Parameters<typeof seenInAnswer>[0]) => {
      answers.push({ request: answer.request, ...seenInAnswer(answer) });
    },
  });
  return { simulator, takeAnswers: () => answers.splice(0) };
}

function answerAs(model: string, { simulator, takeAnswers }: AnsweringService): void {
  simulator.reset();
  simulator.answerAs(model);
  takeAnswers();
}

/** What a program may print and still be compared, and how much of a line is told. */
const [mostText, longestLine] = [10_000_000, 200];

/** Runs the program once against a model. Rejects with a UserError where it cannot be started. */
async function runAgainst(
  model: string,
  { command, variables, timeLimit, io, mask, signal }: ClientProgram,
  service: AnsweringService,
): Promise<ProgramRun> {
  answerAs(model, service);
  const texts = { stdout: '', stderr: '' };
  const late = AbortSignal.timeout(timeLimit);
  const end = await runProgram(command, {
    variables: variables(service.simulator.baseUrl),
    io,
    signal: AbortSignal.any([late, signal]),
    onText: (text, stream) => {
      texts[stream] = (texts[stream] + text).slice(0, mostText);
    },
  });
  const lines = (texts.stderr.trim() || texts.stdout.trim()).split(/\r?\n/);
  // What Node.js and Python print after the error is a trace, a version or a closing brace.
  const naming = lines.findLast((line) => /^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b[^{]*/.test(line));
  return {
    ...end,
    model,
    late: late.aborted && end.endedBy === 'SIGKILL',
    stdout: texts.stdout,
    lastLine: mask((naming ?? lines.at(-1) ?? '').trim()).slice(0, longestLine),
    answers: service.takeAnswers(),
  };
}

/** A quirk or an outcome class, and the models that show it in some request. */
interface Wanted extends Pick<Met, 'models'> {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
}

/** Whether the answers show what is wanted; of a quirk only where they otherwise say what the reference says. */
function triggersWanted(answers: readonly SeenAnswerOf[], { kind, name }: Wanted, right: ProgramRun): boolean {
  if (kind === 'class') return answers.some((one) => one.class === name);
  if (answers.some((one) => one.class !== null) || !answers.some(({ quirks }) => quirks.includes(name))) return false;
  const said = new Map(right.answers.map((one) => [one.request, one.value]));
  // A request that the program does not make to the reference follows from what it made of an earlier answer.
  return answers.every(
    ({ request, value }) => !said.has(request) || saysTheSame(name, value, said.get(request) ?? null),
  );
}

/** For each: the first model that shows it in answers to the requests that the program made to the reference. */
function choosing(
  right: ProgramRun,
  service: AnsweringService,
  signal: AbortSignal,
): (wanted: Wanted) => Promise<string | null> {
  const requests = [...new Set(right.answers.map(({ request }) => request))];
  const answers = new Map<string, readonly SeenAnswerOf[]>();
  return async (wanted) => {
    for (const model of wanted.models) {
      if (signal.aborted) return null;
      const seen = answers.get(model) ?? (await answersOf(model, requests, service));
      answers.set(model, seen);
      if (triggersWanted(seen, wanted, right)) return model;
    }
    return null;
  };
}

/** Milliseconds; some models never end their answer, and what they sent is known all the same. */
const longestAnswerWait = 500;

async function answersOf(
  model: string,
  requests: readonly string[],
  service: AnsweringService,
): Promise<readonly SeenAnswerOf[]> {
  answerAs(model, service);
  for (const body of requests) {
    await fetch(`${service.simulator.baseUrl}/chat/completions`, {
      method: 'POST',
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(longestAnswerWait),
      headers: { 'content-type': 'application/json', authorization: 'Bearer chatspec-clients' },
    })
      .then((response) => response.arrayBuffer())
      .catch(() => null);
  }
  return service.takeAnswers();
}
