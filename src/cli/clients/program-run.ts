import { lastWords, saidError } from '../../clients/said-error.js';
import { runProgram, type ClientCommand, type ProgramEnd, type Variables } from '../terminal/child.js';
import type { Io } from '../terminal/io.js';
import { answerAs, type AnsweringService, type SeenAnswerOf } from './answering-service.js';

export interface ClientProgram {
  readonly command: ClientCommand;
  /** The variables of its environment, with the address of a service. */
  readonly variables: (baseUrl: string) => Variables;
  readonly io: Io;
  /** Takes the keys out of what the program says. */
  readonly mask: (text: string) => string;
  readonly signal: AbortSignal;
}

/** One run of the user's program against one model of the embedded service. */
export interface ProgramRun extends ProgramEnd {
  readonly model: string;
  /** The program did not end in time. */
  readonly late: boolean;
  /** Milliseconds. */
  readonly took: number;
  readonly stdout: string;
  /** The error that it named; null where it named none. */
  readonly error: string | null;
  /** The last line of its output. */
  readonly lastLine: string;
  /** The answers that the program got, each with its request. */
  readonly answers: readonly SeenAnswerOf[];
}

/** Characters: more output is not compared, and more of a line is not shown. */
const [mostText, longestLine] = [10_000_000, 300];

/** Timers of Node take whole milliseconds, and fire at once beyond 31 bits. */
export const timerDelay = (milliseconds: number): number => Math.min(Math.ceil(milliseconds), 2 ** 31 - 1);

/**
 * Runs the program once against a model, for at most so many milliseconds. Rejects with a UserError where it cannot be
 * started.
 */
export async function runAgainst(
  model: string,
  { command, variables, io, mask, signal }: ClientProgram,
  timeLimit: number,
  service: AnsweringService,
): Promise<ProgramRun> {
  answerAs(model, service);
  const texts = { stdout: '', stderr: '' };
  const late = AbortSignal.timeout(timerDelay(timeLimit));
  const began = performance.now();
  const end = await runProgram(command, {
    variables: variables(service.simulator.baseUrl),
    io,
    signal: AbortSignal.any([late, signal]),
    onText: (text, stream) => {
      texts[stream] = (texts[stream] + text).slice(0, mostText);
    },
  });
  const shown = (text: string): string => mask(text).slice(0, longestLine);
  const error = saidError(texts.stderr) ?? saidError(texts.stdout);
  return {
    ...end,
    model,
    late: late.aborted && end.endedBy === 'SIGKILL',
    took: performance.now() - began,
    stdout: texts.stdout,
    error: error === null ? null : shown(error),
    lastLine: shown(lastWords(texts.stderr) || lastWords(texts.stdout)),
    answers: service.takeAnswers(),
  };
}
