import { Argument, Command, Option } from 'commander';
import { errorExit, exitCodes, printBug } from './errors/errors.js';
import { userError } from '../files/problems/problem.js';
import { visible } from '../report/safe/escape.js';
import { type Io, withoutCommands } from './terminal/io.js';
import { keysInUse, withoutKeys } from './terminal/without-keys.js';
import { printProblems } from './terminal/print-problems.js';
import { actions, type Verb, type VerbOption } from './verb.js';
import { verbGroups } from './verbs.js';
import { toolVersion } from '../assemble/tool-version.js';

/** Runs one command line (without node and script) and resolves to its exit code; never throws. */
export async function runCli(argv: readonly string[], terminal: Io): Promise<number> {
  const keys = await keysInUse(argv, terminal);
  const io = withoutKeys(withoutCommands(terminal), keys);
  let exitCode: number = exitCodes.ok;
  const misuses: { readonly said: string; readonly command: Command }[] = [];
  const prepared = (command: Command): Command =>
    // By default, Commander wraps no summary that has fewer than 40 columns.
    command
      .exitOverride()
      .configureHelp({ minWidthToWrap: 30, subcommandTerm: (verb) => verb.name() })
      .configureOutput({
        writeOut: io.out,
        // It repeats what was typed.
        writeErr: (text) => io.err(visible(text)),
        outputError: (said) => void misuses.push({ said, command }),
        getOutHelpWidth: () => io.columns,
        getErrHelpWidth: () => io.columns,
      });
  const program = prepared(new Command('chatspec'))
    .description(
      'Conformance tests for Chat Completions services: what can you rely on each model to do today, and what has changed since yesterday?',
    )
    .usage('VERB [options]')
    .version(toolVersion(), '-v, --version')
    .showSuggestionAfterError();
  for (const [group, verbs] of Object.entries(verbGroups)) {
    program.commandsGroup(group);
    for (const verb of verbs) {
      const command = declare(verb, prepared(program.command(verb.usage.split(' ')[0] ?? '')));
      command.action(async () => {
        const { run } = await verb.load();
        exitCode = await run(command.args, command.opts(), io, command);
      });
    }
  }
  program.helpCommand(true);
  try {
    if (argv.some((argument) => keys.holds(argument))) {
      throw userError(
        'an argument holds a configured key',
        'leave it out; arguments stand in the journal, and in the history of the shell',
      );
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    for (const { said, command } of misuses) await printMisuse(said, command, io);
    const exit = errorExit(error);
    if (exit === null) return printBug(error, io);
    printProblems(exit.problems, io);
    return exit.exitCode;
  }
}

function declare({ usage, summary, options, examples, exits }: Verb, command: Command): Command {
  const [name = '', ...takes] = usage.split(' ');
  const [, action] = Object.entries(actions).find(([verb]) => verb === name) ?? [];
  for (const [index, text] of takes.entries()) {
    const argument = new Argument(text);
    if (index === 0 && action !== undefined) argument.argChoices = [...action];
    command.addArgument(argument);
  }
  for (const option of options) command.addOption(optionOf(option));
  const lines = exits.map(([code, meaning]) => `  ${String(code).padEnd(4)} ${meaning}`);
  return command
    .description(summary)
    .usage(['[options]', ...takes].join(' '))
    .addHelpText(
      'after',
      ['', 'Examples:', ...examples.map((line) => `  ${line}`), '', 'Exit codes:', ...lines, ''].join('\n'),
    );
}

/** The words are told and completed here; the verb refuses others, with the one that is near. */
function optionOf([flags, description, takes]: VerbOption): Option {
  if (takes === 'many') {
    const many = new Option(flags, `${description} (a list with commas, or given several times)`);
    return many.argParser<readonly string[] | undefined>((value, before) => [...(before ?? []), value]);
  }
  const option = new Option(flags, description);
  if (takes !== undefined) option.argChoices = [...takes];
  return option;
}

/** To guess what was meant takes a package that most command lines do without. */
async function printMisuse(said: string, command: Command, io: Io): Promise<void> {
  const { usageProblem } = await import('./errors/usage-error.js');
  const misuse = {
    said,
    verb: command.name(),
    words: command.args,
    extra: command.args[command.registeredArguments.length],
  };
  printProblems([usageProblem({ ...misuse, options: command.options.flatMap(({ long }) => long ?? []) })], io);
}
