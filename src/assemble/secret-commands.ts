import { execFile } from 'node:child_process';
import { writtenJson } from '../json/json.js';
import type { SecretCommand, TargetConfig } from '../config/config.js';
import { credentialDefect } from '../config/credentials.js';
import type { Environment } from '../config/key-variables.js';
import { withoutKeyLike } from '../config/secrets.js';
import { type Problem, UserError } from '../files/problems/problem.js';
import { createMasker, type Masker } from '../masking/masker.js';

/** Milliseconds after which a program that gives a secret is ended. */
const longestWait = 60_000;

/** The secrets that the programs of a config print, for all targets that name them. */
export interface SecretCommands {
  /** Asks each program for the first time. Rejects with a {@link UserError} that names each that gives no secret. */
  open(targets: readonly TargetConfig[]): Promise<void>;
  /** The newest secret that the program gave. */
  valueOf(command: SecretCommand): string | undefined;
  /** Asks again what is older than its `refresh_s`. What cannot be had anew stays as it is. */
  refresh(commands: readonly SecretCommand[]): Promise<void>;
  /** Asks again, unless the program was asked since the value `refused` was given. */
  renew(command: SecretCommand, refused: string | undefined): Promise<void>;
  /** Finds everything that any of the programs has printed so far. */
  readonly keys: Masker;
}

/** The programs that a target names, and what each is used as. */
export function commandsOf({
  name,
  apiKeyCommand,
  headers,
}: TargetConfig): readonly (readonly [SecretCommand, string])[] {
  const used = Object.entries(headers).flatMap(([header, value]) =>
    typeof value === 'object' && 'command' in value
      ? [[value, `the header ${header} of target "${name}"`] as const]
      : [],
  );
  return apiKeyCommand ? [[apiKeyCommand, `the key of target "${name}"`], ...used] : used;
}

/** @param now milliseconds since the epoch */
export function openSecretCommands(env: Environment, now: () => number = Date.now): SecretCommands {
  const given = new Map<string, { value: string; at: number }>();
  const asking = new Map<string, Promise<string | null>>();
  const printed = new Set<string>();
  let masker = createMasker([]);
  const idOf = ({ command }: SecretCommand): string => writtenJson(command);

  /** null, or why there is no secret. */
  const ask = (command: SecretCommand): Promise<string | null> => {
    const id = idOf(command);
    const asked = asking.get(id);
    if (asked !== undefined) return asked;
    const answer = firstLineOf(command, env).then((read) => {
      asking.delete(id);
      if (!read.ok) return read.why;
      printed.add(read.value);
      masker = createMasker([...printed]);
      given.set(id, { value: read.value, at: now() });
      return null;
    });
    asking.set(id, answer);
    return answer;
  };

  return {
    async open(targets) {
      const problems: Problem[] = [];
      for (const target of targets) {
        for (const [command, use] of commandsOf(target)) {
          const why = given.has(idOf(command)) ? null : await ask(command);
          if (why !== null) problems.push(commandProblem(target, command, use, masker.mask(why)));
        }
      }
      if (problems.length > 0) throw new UserError(problems);
    },
    valueOf: (command) => given.get(idOf(command))?.value,
    async refresh(commands) {
      for (const command of commands) {
        const { at = now() } = given.get(idOf(command)) ?? {};
        if (now() - at >= 1000 * (command.refreshSeconds ?? Infinity)) await ask(command);
      }
    },
    async renew(command, refused) {
      if (given.get(idOf(command))?.value === refused) await ask(command);
    },
    keys: {
      get active() {
        return masker.active;
      },
      mask: (text, cut) => masker.mask(text, cut),
      holds: (text) => masker.holds(text),
    },
  };
}

function commandProblem(target: TargetConfig, { command }: SecretCommand, use: string, why: string): Problem {
  const [program = ''] = command;
  return {
    severity: 'error',
    place: target.place,
    message: `the program ${program} gives no secret: ${why}; it is used as ${use}`,
    hint: 'run the command in a shell: its first line of output must be the secret alone',
  };
}

type Read = { readonly ok: true; readonly value: string } | { readonly ok: false; readonly why: string };

function firstLineOf({ command: [program = '', ...args] }: SecretCommand, env: Environment): Promise<Read> {
  const options = { env: env as NodeJS.ProcessEnv, timeout: longestWait, windowsHide: true, maxBuffer: 1 << 20 };
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const [value = ''] = stdout.split(/\r?\n/, 1).map((line) => line.trim());
      if (error === null) {
        resolve(readSecret(value));
        return;
      }
      // A program may print the secret before it fails, to either output.
      const hidden = createMasker(stdout.split(/\s+/));
      const [said = ''] = stderr.split(/\r?\n/).filter((line) => line.trim() !== '');
      const why = said === '' ? endOf(error) : `${endOf(error)}: ${said.slice(0, 200)}`;
      resolve({ ok: false, why: withoutKeyLike(hidden.mask(why)) });
    });
    child.stdin?.end();
  });
}

function endOf(error: Error & { readonly code?: unknown; readonly killed?: boolean }): string {
  if (error.killed === true) return `it did not end within ${longestWait / 1000} s`;
  return typeof error.code === 'number'
    ? `it ended with exit code ${error.code}`
    : `it cannot be run (${String(error.code)})`;
}

function readSecret(value: string): Read {
  if (value === '') return { ok: false, why: 'its first line of output is empty' };
  const defect = credentialDefect(value);
  return defect === null ? { ok: true, value } : { ok: false, why: `its first line of output ${defect}` };
}
