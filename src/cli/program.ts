import { Command } from 'commander';
import { errorExit } from './errors/error-exit.js';
import { exitCodes } from './errors/exit-codes.js';
import { printBug } from './errors/print-bug.js';
import type { ExtraWord } from './errors/extra-word.js';
import { helpFooter } from './help-texts.js';
import { userError } from '../files/problems/problem.js';
import { visible } from '../report/safe/escape.js';
import { type Io, withoutCommands } from './terminal/io.js';
import { keysInUse, withoutKeys } from './terminal/without-keys.js';
import { printProblems } from './terminal/print-problems.js';
import type { Options, Verb } from './verb.js';
import { verbs } from './verbs.js';
import { toolVersion } from '../assemble/tool-version.js';

/** The word by which the completion scripts ask; no verb, since nobody types it. */
const askingWord = '__complete';

/** Runs one command line (without node and script) and resolves to its exit code; never throws. */
export async function runCli(argv: readonly string[], terminal: Io): Promise<number> {
  const keys = await keysInUse(argv, terminal);
  const io = withoutKeys(withoutCommands(terminal), keys);
  let exitCode: number = exitCodes.ok;
  const misuses: Misuse[] = [];
  const misused = (misuse: Misuse): void => void misuses.push(misuse);
  const program = baseCommand(new Command('chatspec'), io, misused)
    .description(
      'Conformance tests for Chat Completions services: what can you rely on each model to do today, and what has changed since yesterday?',
    )
    .version(toolVersion(), '-v, --version')
    .showSuggestionAfterError();
  for (const verb of verbs) {
    const run: Run = async (args, options) => {
      const module = await verb.load();
      exitCode = await module.run(args, options, io);
    };
    addVerb(verb, run, baseCommand(program.command(verb.usage), io, misused));
  }
  try {
    if (argv[0] === askingWord) {
      const { complete } = await import('./completion/complete.js');
      await complete(argv.slice(1), io);
      return exitCodes.ok;
    }
    if (argv.some((argument) => keys.holds(argument))) {
      throw userError(
        'an argument holds a configured key',
        'leave it out; arguments stand in the journal, and in the history of the shell',
      );
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    for (const misuse of misuses) await printMisuse(misuse, io);
    return await exitCodeOf(error, io);
  }
}

type Run = (args: readonly string[], options: Options) => Promise<void>;

/** A command line that Commander refuses, and what it says of it. */
interface Misuse {
  readonly said: string;
  readonly command: Command;
}

/** To guess what was meant takes a package that most command lines do without. */
async function printMisuse({ said, command }: Misuse, io: Io): Promise<void> {
  const { usageProblem } = await import('./errors/usage-error.js');
  const typed = { verb: command.name(), words: command.args };
  printProblems([usageProblem(said, commandOf(command), extraWordOf(command), typed)], io);
}

function baseCommand(command: Command, io: Io, misused: (misuse: Misuse) => void): Command {
  // By default, Commander wraps no summary that has fewer than 40 columns.
  return command
    .exitOverride()
    .configureHelp({ minWidthToWrap: 30 })
    .configureOutput({
      writeOut: io.out,
      // It repeats what was typed.
      writeErr: (text) => io.err(visible(text)),
      outputError: (said) => misused({ said, command }),
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
    });
}

function addVerb(verb: Verb, run: Run, command: Command): void {
  command.description(verb.summary);
  for (const [flags, description, times] of verb.options) {
    if (times === 'many') command.option(flags, `${description} (a list with commas, or given several times)`, collect);
    else command.option(flags, description);
  }
  command.addHelpText('after', helpFooter(command.name()));
  command.action(async (...all: unknown[]) => {
    const own = all.at(-1) as Command;
    await run(own.args, own.opts());
  });
}

function extraWordOf(command: Command): ExtraWord | undefined {
  const word = command.args[command.registeredArguments.length];
  const options = command.options.flatMap(({ long }) => long ?? []);
  const names = verbs.map(({ usage }) => usage.split(' ')[0] ?? '');
  return word === undefined ? undefined : { word, command: commandOf(command), options, verbs: names };
}

/** As it is typed: `chatspec run`. */
function commandOf(command: Command): string {
  return command.parent === null ? command.name() : `${commandOf(command.parent)} ${command.name()}`;
}

/** `--only A --only B` is both. */
function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** Prints what went wrong, and returns the exit code. */
async function exitCodeOf(error: unknown, io: Io): Promise<number> {
  const exit = errorExit(error);
  if (exit === null) return printBug(error, io);
  printProblems(exit.problems, io);
  return exit.exitCode;
}
