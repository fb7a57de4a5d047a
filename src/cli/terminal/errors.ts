import { CommanderError } from 'commander';
import type { ModelsNotListed } from '../../plan/listed-models.js';
import { ChatspecError } from '../../errors/chatspec-error.js';
import { type Problem, type UserError, userError } from '../../files/problems/problem.js';
import { JournalError, type JournalErrorReason } from '../../journal/journal-error.js';
import type { TemplateError } from '../../plan/request/template.js';
import type { InternalError } from '../../run/run-error.js';
import type { SecretInBody } from '../../transport/open-transport.js';
import { texts } from '../../report/words/catalogue.js';
import { say } from '../../report/words/message.js';
import { inert, visible } from '../../report/safe/escape.js';
import { toolVersion } from '../../assemble/tool-version.js';
import { exitCodes, type Io } from './io.js';

const { hints } = texts;

/** How an error ends the program. */
interface ErrorExit {
  readonly exitCode: number;
  /** Empty when all has been printed already. */
  readonly problems: readonly Problem[];
}

type KnownError = ModelsNotListed | UserError | JournalError | SecretInBody | TemplateError | InternalError;

/** Nothing was wrong with the command line: the disk did not take what was asked. */
const unwritten: ReadonlySet<JournalErrorReason> = new Set(['disk_full', 'read_only', 'other']);

/** The only place that turns errors into exit codes; null for a bug in chatspec. */
export function errorExit(error: unknown): ErrorExit | null {
  if (error instanceof CommanderError) {
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, problems: [] };
  }
  if (error instanceof ChatspecError) return knownErrorExit(error as KnownError);
  return isSystemError(error) ? { exitCode: exitCodes.unmeasured, problems: problemsOf(error) } : null;
}

function knownErrorExit(error: KnownError): ErrorExit | null {
  switch (error.kind) {
    case 'user':
      return { exitCode: exitCodes.usage, problems: error.problems };
    case 'journal':
      if (isWrongPath(error.cause)) {
        return { exitCode: exitCodes.usage, problems: problemsOf(error, error.hint ?? 'name a run folder') };
      }
      return {
        exitCode: unwritten.has(error.reason) ? exitCodes.unmeasured : exitCodes.usage,
        problems: problemsOf(error, error.hint ?? hintFor(error)),
      };
    case 'not_listed':
      return { exitCode: exitCodes.unmeasured, problems: problemsOf(error, error.hint) };
    case 'secret_in_body':
      return { exitCode: exitCodes.usage, problems: problemsOf(error, error.hint) };
    // Suites are checked before anything is sent, so a template that cannot be filled is our mistake.
    case 'template':
    case 'internal':
      return null;
  }
}

/** The next step on the command line, which programs that embed chatspec do not have. */
function hintFor({ reason, resumable }: JournalError): string | null {
  if (reason === 'missing') return say(hints.runFolder);
  if (reason === 'disk_full') return resumable ? 'resume it with run --resume' : null;
  if (reason === 'damaged') return say(hints.damagedJournal);
  if (reason === 'unreadable') return say(hints.unreadableJournal);
  if (unwritten.has(reason)) return null;
  return resumable ? '--resume resumes it; --out names another folder' : '--out names another folder';
}

/** A path that can never be a journal: the argument is wrong, and nothing was measured or lost. */
function isWrongPath(cause: unknown): boolean {
  const { code = '' } = (cause ?? {}) as { code?: string };
  return ['ENOTDIR', 'EISDIR', 'ELOOP', 'ENAMETOOLONG'].includes(code);
}

function problemsOf({ message }: Error, hint: string | null = null): readonly Problem[] {
  return userError(message, hint ?? undefined).problems;
}

/**
 * An error from opening a run folder, as the user should see it. Nothing has been sent yet, so a folder that cannot be
 * used is a wrong argument (exit code 2), not a run that could not measure (3).
 */
export function folderError(error: unknown): unknown {
  if (!(error instanceof JournalError) || error.reason === 'disk_full') return error;
  const hint = unwritten.has(error.reason) ? 'choose another folder with --out' : (error.hint ?? hintFor(error));
  return userError(error.message, hint ?? undefined);
}

/** The operating system refused: a full disk, a file where a folder should be, a port that is taken. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'code' in error;
}

/** Reports a bug in chatspec. The text may end up in a public issue, so it shows no key. Resolves to the exit code. */
export async function printBug(error: unknown, io: Io): Promise<number> {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const printable = await redactedBugText(text, io).catch(
    () => '(the details are withheld, because they could not be searched for keys)',
  );
  io.err(
    `chatspec: this is a bug in chatspec ${toolVersion()}, not in your files. Please report it:\n${inert(visible(printable))}\n`,
  );
  return exitCodes.unmeasured;
}

async function redactedBugText(text: string, io: Io): Promise<string> {
  const { readEnvironment } = await import('../../config/credentials.js');
  const { valuesNamedSecret } = await import('../../config/key-variables.js');
  const { createMasker } = await import('../../masking/masker.js');
  const { redactor } = await import('../../report/safe/redact.js');
  const { env } = await readEnvironment([io.cwd], io.env);
  return redactor([])(createMasker(valuesNamedSecret(env)).mask(text));
}
