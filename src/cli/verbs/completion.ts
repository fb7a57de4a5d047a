import { didYouMean } from '../../files/problems/nearest.js';
import { userError } from '../../files/problems/problem.js';
import { scripts, shells } from '../completion/scripts.js';
import { exitCodes } from '../errors/exit-codes.js';
import type { Io } from '../terminal/io.js';
import type { Options } from '../verb.js';

/** Prints the script that teaches a shell to complete command lines of chatspec. */
export function run([asked = '']: readonly string[], _options: Options, io: Io): Promise<number> {
  const shell = shells.find((name) => name === asked);
  if (shell === undefined)
    throw userError(`there is no completion for the shell "${asked}"`, didYouMean(asked, shells));
  io.out(scripts[shell]);
  return Promise.resolve(exitCodes.ok);
}
