import { spawn } from 'node:child_process';
import { type SeenInAnswer, seenInAnswer } from '../../clients/seen-in-answer.js';
import { userError } from '../../files/problems/problem.js';
import type { Simulator } from '../../simulator/index.js';
import { codeOfSignal } from '../terminal/child-end.js';
import type { Io } from '../terminal/io.js';

/** One run of the user's program against one model of the embedded service. */
export interface ProgramRun {
  readonly model: string;
  /** null: it did not end in time. */
  readonly code: number | null;
  /** The signal that ended it, unless it was late. */
  readonly endedBy: NodeJS.Signals | null;
  readonly stdout: string;
  /** The last line that it wrote to standard error, else to standard output. */
  readonly lastLine: string;
  /** What the answers that it got were like, by request. */
  readonly answers: readonly SeenAnswerOf[];
}

export interface SeenAnswerOf extends SeenInAnswer {
  readonly request: string;
}

export interface ClientProgram {
  readonly command: readonly [string, ...string[]];
  /** Milliseconds for one run. */
  readonly timeLimit: number;
  readonly io: Pick<Io, 'cwd' | 'env'>;
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
  let answers: SeenAnswerOf[] = [];
  const simulator = await start({
    log: 0,
    now: () => Date.UTC(2026, 0, 1),
    onAnswer: (answer: Parameters<typeof seenInAnswer>[0]) => {
      answers.push({ request: answer.request, ...seenInAnswer(answer) });
    },
  });
  return {
    simulator,
    takeAnswers: () => {
      const taken = answers;
      answers = [];
      return taken;
    },
  };
}

/** What a program may print and still be compared; more is cut. */
const mostText = 10_000_000;

/** Runs the program once; it finds the service in its environment. Rejects with a UserError where it cannot be started. */
export async function runProgram(
  { command: [program, ...args], timeLimit, io, mask, signal }: ClientProgram,
  model: string,
  { simulator, takeAnswers }: AnsweringService,
): Promise<ProgramRun> {
  simulator.reset();
  simulator.answerAs(model);
  takeAnswers();
  const env = {
    ...io.env,
    OPENAI_BASE_URL: simulator.baseUrl,
    OPENAI_API_KEY: 'chatspec-clients',
    CHATSPEC_BASE_URL: simulator.baseUrl,
    CHATSPEC_MODEL: 'sim-reference',
  };
  const texts = { stdout: '', stderr: '' };
  const end = await new Promise<Pick<ProgramRun, 'code' | 'endedBy'>>((resolve, reject) => {
    // A group of its own, so that what the program starts ends with it.
    const child = spawn(program, args, { cwd: io.cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const stop = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      stop();
    }, timeLimit);
    signal.addEventListener('abort', stop, { once: true });
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => {
        texts[name] = (texts[name] + text).slice(0, mostText);
      });
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      done();
      reject(userError(`${program} cannot be started: ${error.message}`, 'check the name of the command behind --'));
    });
    child.once('close', (exit, endedBy) => {
      done();
      resolve(late ? { code: null, endedBy: null } : { code: exit ?? codeOfSignal(endedBy), endedBy });
    });
  });
  const lines = (texts.stderr.trim() || texts.stdout.trim()).split(/\r?\n/);
  return {
    model,
    ...end,
    stdout: texts.stdout,
    lastLine: mask(tellingLine(lines)).slice(0, longestLine),
    answers: takeAnswers(),
  };
}

const longestLine = 200;

/** The line that names the error: what Node.js and Python print after it is a trace, a version or a closing brace. */
function tellingLine(lines: readonly string[]): string {
  const naming = lines.findLast((line) => /^(?:Uncaught )?[\w.$]*(?:Error|Exception)\b[^{]*/.test(line));
  return (naming ?? lines.at(-1) ?? '').trim();
}
