import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { type UserError, userError } from '../../files/problems/problem.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { visible } from '../../report/safe/escape.js';
import { optionNames, type Options } from '../options/options.js';
import { exitCodes, type Io } from './io.js';

/** A program of the user and its arguments. */
export type ClientCommand = readonly [program: string, ...args: string[]];

/** The words behind `--`. Throws a UserError where there are none. */
export function clientCommand([program, ...args]: readonly string[]): ClientCommand {
  if (program !== undefined) return [program, ...args];
  throw userError('the command that makes the requests is missing', 'write it behind --, such as: -- node app.js');
}

/** The variables that a program of the user gets. */
interface ServiceVariables {
  /** Where the program finds the service, and the key that it sends. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

/** Variables by name; undefined: one that is taken out of the environment. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that libraries read, and chatspec's own. */
function serviceVariables({ baseUrl, key, model }: ServiceVariables): Variables {
  return {
    OPENAI_BASE_URL: baseUrl,
    OPENAI_API_BASE: baseUrl,
    OPENAI_API_KEY: key,
    CHATSPEC_BASE_URL: baseUrl,
    CHATSPEC_MODEL: model,
  };
}

/**
 * The same with those of `--env NAME=VALUE` and without those of `--no-env NAME`. In a value, `{base_url}`, `{key}` and
 * `{model}` stand for what the program is to use. Throws a UserError.
 */
export function chosenVariables(service: ServiceVariables, options: Options): Variables {
  const given = [options['env'] ?? []].flat().flatMap((text) => String(text).split(/,(?=[A-Za-z_]\w*=)/));
  const values: Readonly<Record<string, string>> = {
    base_url: service.baseUrl,
    key: service.key,
    model: service.model,
  };
  const set = given.map((text) => {
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(text) ?? [];
    if (name === '') throw userError(say(texts.program.env, { text: visible(text) }));
    return [name, value.replace(/\{(base_url|key|model)\}/g, (_, what: string) => values[what] ?? '')] as const;
  });
  const removed = (optionNames(options, 'no-env') ?? []).map((name) => [name, undefined] as const);
  return { ...serviceVariables(service), ...Object.fromEntries(set), ...Object.fromEntries(removed) };
}

/** The error for a program that sent no request. */
export function noRequest(message: string, variables: Variables): UserError {
  const set = Object.entries(variables).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const names = set.join(', ');
  return userError(message, say(texts.program.noRequest, { names, address: 'NAME={base_url}' }));
}

export interface ProgramEnd {
  readonly code: number;
  /** The signal that ended it. */
  readonly endedBy: NodeJS.Signals | null;
}

interface Running {
  readonly variables: Variables;
  readonly io: Pick<Io, 'cwd' | 'env' | 'onInterrupt'>;
  readonly onText: (text: string, stream: 'stdout' | 'stderr') => void;
  /** Ends the program and all that it has started; without it, only an interruption of chatspec ends it. */
  readonly signal?: AbortSignal;
}

/** Runs a program of the user to its end. Rejects with a UserError where it cannot be started. */
export function runProgram(
  [program, ...args]: ClientCommand,
  { variables, io, onText, signal }: Running,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: io.cwd,
      env: { ...io.env, ...variables },
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
        // The program has ended by itself.
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
