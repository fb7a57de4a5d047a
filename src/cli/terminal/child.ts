import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type UserError, userError } from '../../files/problems/problem.js';
import { exitCodes, type Io } from './io.js';

/** A program of the user and its arguments. */
export type ClientCommand = readonly [program: string, ...args: string[]];

/** The words behind `--`. Throws a UserError where there are none. */
export function clientCommand([program, ...args]: readonly string[]): ClientCommand {
  if (program !== undefined) return [program, ...args];
  throw userError('the command that makes the requests is missing', 'write it behind --, such as: -- node app.js');
}

export function noRequest(message: string): UserError {
  return userError(
    message,
    'let it take its address from OPENAI_BASE_URL or CHATSPEC_BASE_URL, and its key from OPENAI_API_KEY',
  );
}

export interface ProgramEnd {
  readonly code: number;
  /** The signal that ended it. */
  readonly endedBy: NodeJS.Signals | null;
}

interface Running {
  /** Where the program finds the service, and the key that it sends. */
  readonly baseUrl: string;
  readonly key: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly io: Pick<Io, 'cwd' | 'env' | 'onInterrupt'>;
  readonly onText: (text: string, stream: 'stdout' | 'stderr') => void;
  /** Ends the program and all that it has started; without it, only an interruption of chatspec ends it. */
  readonly signal?: AbortSignal;
}

/** Runs a program of the user to its end. Rejects with a UserError where it cannot be started. */
export function runProgram(
  [program, ...args]: ClientCommand,
  { baseUrl, key, env = {}, io, onText, signal }: Running,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: io.cwd,
      env: { ...io.env, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: key, CHATSPEC_BASE_URL: baseUrl, ...env },
      stdio: [signal === undefined ? 'inherit' : 'ignore', 'pipe', 'pipe'],
      // A group of its own, so that what the program starts ends with it.
      detached: signal !== undefined,
    });
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        onText(text, stream);
      });
    }
    let interrupted = false;
    const stop = io.onInterrupt((name) => {
      interrupted = true;
      if (signal === undefined) child.kill(name as NodeJS.Signals);
    });
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has ended by itself.
      }
    };
    signal?.addEventListener('abort', kill, { once: true });
    const done = (): void => {
      stop();
      signal?.removeEventListener('abort', kill);
    };
    child.once('error', (error) => {
      done();
      reject(userError(`${program} cannot be started: ${error.message}`, 'check the name of the command behind --'));
    });
    child.once('close', (exit, endedBy) => {
      done();
      const ofSignal = endedBy === null ? 1 : 128 + constants.signals[endedBy];
      resolve({ code: exit ?? (interrupted ? exitCodes.interrupted : ofSignal), endedBy });
    });
  });
}

/** `ended with exit code 3`, `was ended by SIGKILL` */
export const endText = (code: number, signal: NodeJS.Signals | null): string =>
  signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
