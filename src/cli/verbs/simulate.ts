import { resolve } from 'node:path';
import { type UserError, userError } from '../../files/problems/problem.js';
import { simulate } from '../../simulator/index.js';
import { exitCodes, type Io } from '../terminal/io.js';
import { optionNames, numberOf, type Options } from '../options/options.js';
import { writtenJson } from '../../json/json.js';

/** Prints one JSON line with the address and the models, then serves until SIGTERM or SIGINT. */
export async function run(_args: readonly string[], options: Options, io: Io): Promise<number> {
  const port = numberOf(options, 'port') ?? 0;
  const seed = numberOf(options, 'seed') ?? 1;
  const profiles = optionNames(options, 'profiles')?.map((path) => resolve(io.cwd, path));
  const simulator = await simulate({ port, seed, log: 0, ...(profiles !== undefined && { profiles }) }).catch(
    (error: unknown) => {
      throw isTaken(error) ? takenPort(port) : error;
    },
  );
  io.out(`${writtenJson({ base_url: simulator.baseUrl, models: simulator.models })}\n`);
  await new Promise<void>((resolve) => {
    const stop = io.onInterrupt(() => {
      stop();
      resolve();
    });
  });
  await simulator.close();
  return exitCodes.ok;
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function takenPort(port: number): UserError {
  return userError(`port ${port} is already in use`, '--port 0 picks a free one');
}
