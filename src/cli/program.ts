import { Command, CommanderError } from 'commander';
import { UserError } from '../files/problems/problem.js';
import { tellCrash } from './errors/crash.js';
import { exitCodes } from './errors/exit-codes.js';
import type { Io } from './terminal/io.js';
import { printProblems } from './terminal/print-problems.js';
import { troubleOf } from './errors/trouble.js';
import type { JournalTrouble } from '../journal/journal-error.js';
import type { Options, Verb } from './verb.js';
import { verbs } from './verbs.js';
import { toolVersion } from './version.js';

/** Runs one command line (without node and script) and resolves to its exit code; never throws. */
export async function runCli(argv: readonly string[], io: Io): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const program = baseCommand(new Command('chatspec'), io)
    .description(
      'Conformance tests for Chat Completions services: what can each model really be relied on to do, today?',
    )
    .version(toolVersion(), '-v, --version')
    .showSuggestionAfterError();
  for (const verb of verbs) {
    addVerb(program, verb, io, async (args, options) => {
      const module = await verb.load();
      exitCode = await module.run(args, options, io);
    });
  }
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    return await exitCodeOf(error, io);
  }
}

function baseCommand(command: Command, io: Io): Command {
  return command.exitOverride().configureOutput({
    writeOut: io.out,
    writeErr: io.err,
    getOutHelpWidth: () => io.columns,
    getErrHelpWidth: () => io.columns,
  });
}

function addVerb(
  program: Command,
  verb: Verb,
  io: Io,
  run: (args: readonly string[], options: Options) => Promise<void>,
): void {
  const command = baseCommand(program.command(verb.usage), io).description(verb.summary);
  for (const [flags, description, times] of verb.options) {
    if (times === 'many') command.option(flags, `${description} (may be given several times)`, collect);
    else command.option(flags, description);
  }
  command.action(async (...all: unknown[]) => {
    const own = all.at(-1) as Command;
    await run(own.args, own.opts());
  });
}

/** `--only A --only B` is both. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** A problem of the user's or of the machine is told with its place; anything else is a bug of ours and says so. */
async function exitCodeOf(error: unknown, io: Io): Promise<number> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  if (error instanceof UserError) {
    printProblems(error.problems, io);
    return exitCodes.usage;
  }
  const trouble = troubleOf(error);
  if (trouble !== null) {
    printProblems([{ severity: 'error', place: null, message: trouble.message }], io);
    return trouble.exitCode;
  }
  const known = knownTrouble(error);
  if (known !== null) {
    io.err(`chatspec: error: ${(error as Error).message}\n`);
    return known;
  }
  return tellCrash(error, io);
}

/** The exit code of an error that says what it is by its name; null for any other. */
function knownTrouble(error: unknown): number | null {
  if (!(error instanceof Error)) return null;
  if (error.name === 'SecretInBody') return exitCodes.usage;
  if (error.name !== 'JournalError') return null;
  const { trouble } = error as Error & { readonly trouble: JournalTrouble };
  return wrongFolder.has(trouble) ? exitCodes.usage : exitCodes.unmeasured;
}

/** The folder is not the one to use, as against one that cannot be written or read. */
const wrongFolder: ReadonlySet<JournalTrouble> = new Set<JournalTrouble>(['exists', 'in_use', 'other_plan', 'missing']);
