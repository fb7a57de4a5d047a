import { exitCodes } from './exit-codes.js';
import { inert } from '../../report/safe/runner-commands.js';
import { visible } from '../../report/safe/escape.js';
import type { Io } from '../terminal/io.js';
import { toolVersion } from '../../assemble/tool-version.js';

/** Environment variables whose values are masked in a bug report, whether a config names them or not. */
const secretVariable = /key|token|secret|passw|credential|auth/i;

/** Reports a bug in chatspec. The text may end up in a public issue, so it shows no key. Resolves to the exit code. */
export async function printBug(error: unknown, io: Io): Promise<number> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const printable = await withoutKeys(text, io).catch(
    () => '(the details are withheld, because they could not be searched for keys)',
  );
  io.err(
    `chatspec: this is a bug in chatspec ${toolVersion()}, not in your files. Please report it:\n${inert(visible(printable))}\n`,
  );
  return exitCodes.unmeasured;
}

async function withoutKeys(text: string, io: Io): Promise<string> {
  const { readEnvironment } = await import('../../config/index.js');
  const { createMasker } = await import('../../masking/masker.js');
  const { redactor } = await import('../../report/safe/redact.js');
  const { env } = await readEnvironment([io.cwd], io.env);
  const secrets = Object.entries(env).flatMap(([name, value = '']) => (secretVariable.test(name) ? [value] : []));
  return redactor([])(createMasker(secrets).mask(text));
}
