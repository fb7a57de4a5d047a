import type { Met } from '../../clients/client-table.js';
import { saysTheSame, type SeenInAnswer, seenInAnswer } from '../../clients/seen-in-answer.js';
import type { Simulator } from '../../simulator/index.js';
import { type ClientCommand, type ProgramEnd, runProgram } from '../terminal/child.js';
import type { Io } from '../terminal/io.js';

/** One run of the user's program against one model of the embedded service. */
export interface ProgramRun extends ProgramEnd {
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

export interface ClientProgram {
  readonly command: ClientCommand;
  /** Milliseconds for one run. */
  readonly timeLimit: number;
  readonly io: Io;
  /** Takes the keys out of what the program says. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** The embedded service, and the answers that it gave. */
export interface AnsweringService {
  readonly simulator: Simulator;
  /** The answers since the last call. */
  readonly takeAnswers: () => readonly SeenAnswerOf[];
}

/** A service whose clock stands still, so that the same requests get the same answers to the letter. */
export async function answeringService(start: (options: object) => Promise<Simulator>): Promise<AnsweringService> {
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
export async function runAgainst(
  model: string,
  { command, timeLimit, io, mask, signal }: ClientProgram,
  service: AnsweringService,
): Promise<ProgramRun> {
  answerAs(model, service);
  const texts = { stdout: '', stderr: '' };
  const late = AbortSignal.timeout(timeLimit);
  const end = await runProgram(command, {
    ...{ baseUrl: service.simulator.baseUrl, key: 'chatspec-clients', env: { CHATSPEC_MODEL: 'sim-reference' } },
    ...{ io, signal: AbortSignal.any([late, signal]) },
    onText: (text, stream) => {
      texts[stream] = (texts[stream] + text).slice(0, mostText);
    },
  });
  const lines = (texts.stderr.trim() || texts.stdout.trim()).split(/\r?\n/);
  // What Node.js and Python print after the error is a trace, a version or a closing brace.
  const naming = lines.findLast((line) => /^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b[^{]*/.test(line));
  return {
    ...{ ...end, model, late: late.aborted && end.endedBy === 'SIGKILL', stdout: texts.stdout },
    lastLine: mask((naming ?? lines.at(-1) ?? '').trim()).slice(0, longestLine),
    answers: service.takeAnswers(),
  };
}

/** A quirk or an outcome class, and the models that show it in some request. */
export interface Wanted extends Pick<Met, 'models'> {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
}

/** Whether the answers show what is wanted; of a quirk only where they otherwise say what the reference says. */
export function shows(answers: readonly SeenAnswerOf[], { kind, name }: Wanted, right: ProgramRun): boolean {
  if (kind === 'class') return answers.some((one) => one.class === name);
  if (answers.some((one) => one.class !== null) || !answers.some(({ quirks }) => quirks.includes(name))) return false;
  const said = new Map(right.answers.map((one) => [one.request, one.value]));
  // A request that the program does not make to the reference follows from what it made of an earlier answer.
  return answers.every(
    ({ request, value }) => !said.has(request) || saysTheSame(name, value, said.get(request) ?? null),
  );
}

/** For each: the first model that shows it in answers to the requests that the program made to the reference. */
export function choosing(
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
      if (shows(seen, wanted, right)) return model;
    }
    return null;
  };
}

/** Milliseconds; some models never end their answer, and what they sent is known all the same. */
const patience = 500;

async function answersOf(
  model: string,
  requests: readonly string[],
  service: AnsweringService,
): Promise<readonly SeenAnswerOf[]> {
  answerAs(model, service);
  for (const body of requests) {
    await fetch(`${service.simulator.baseUrl}/chat/completions`, {
      ...{ method: 'POST', body, redirect: 'manual', signal: AbortSignal.timeout(patience) },
      headers: { 'content-type': 'application/json', authorization: 'Bearer chatspec-clients' },
    })
      .then((response) => response.arrayBuffer())
      .catch(() => null);
  }
  return service.takeAnswers();
}
