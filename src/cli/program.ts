import { Argument, Command, CommanderError, Option } from 'commander';
import { exitCodes, printProblems, withoutCommands, keysInUse, maskedIo, type Io } from './terminal/io.js';
import { type Problem, userError } from '../files/problems/problem.js';
import { visible } from '../report/safe/escape.js';
import { checkVerbOptions, checkWords, type Verb, type VerbOption } from './options/options.js';
import { verbGroups } from './verbs.js';
import { toolVersion } from '../assemble/tool-version.js';

/** Runs one command line (without node and script) and resolves to its exit code; never throws. */
export async function runCli(argv: readonly string[], terminal: Io): Promise<number> {
  const keys = await keysInUse(argv, terminal);
  const io = maskedIo(withoutCommands(terminal), keys);
  let exitCode: number = exitCodes.ok;
  const misuses: Problem[] = [];
  const prepared = (command: Command, example?: string): Command =>
    // By default, Commander wraps no summary that has fewer than 40 columns.
    command
      .exitOverride()
      .configureHelp({ minWidthToWrap: 30, subcommandTerm: (verb) => verb.name() })
      .configureOutput({
        writeOut: io.out,
        // Commander repeats what was typed.
        writeErr: (text) => io.err(visible(text)),
        outputError: (said) => void misuses.push(usageProblem(said, command, example)),
        getOutHelpWidth: () => io.columns,
        getErrHelpWidth: () => io.columns,
      });
  const program = prepared(new Command('chatspec'))
    .description(
      'Conformance tests for Chat Completions services: what can you rely on each model to do today, ' +
        'and what has changed since yesterday?',
    )
    .usage('VERB [options]')
    .version(toolVersion(), '-v, --version')
    .showSuggestionAfterError();
  for (const [group, verbs] of Object.entries(verbGroups)) {
    program.commandsGroup(group);
    for (const verb of verbs) {
      const command = declare(verb, prepared(program.command(verb.usage.split(' ')[0] ?? ''), verb.examples[0]));
      command.action(async () => {
        const [word = ''] = command.args;
        const taken = command.registeredArguments[0]?.argChoices;
        if (taken !== undefined) await checkWords(command.registeredArguments[0]?.name() ?? '', [word], taken);
        await checkVerbOptions(verb.options, command.opts());
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
    // The help or the version was printed.
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
    // Loaded only now: its sentences need packages.
    const { errorExit, printBug } = await import('./terminal/errors.js');
    const exit = errorExit(error);
    if (exit === null) return printBug(error, io);
    printProblems([...misuses, ...exit.problems], io);
    return exit.exitCode;
  }
}

/** Of every verb, as far as they apply to it. */
const exits = `Exit codes:
  0    done, or as expected
  1    a deviation, a loss, or what --fail-on names
  2    a mistake in usage or files, or a missing key
  3    could not measure
  130  interrupted
`;

function declare({ usage, summary, actions, options, examples }: Verb, command: Command): Command {
  const [, ...takes] = usage.split(' ');
  for (const [index, text] of takes.entries()) {
    const argument = new Argument(text);
    if (index === 0 && actions !== undefined) argument.argChoices = [...actions];
    command.addArgument(argument);
  }
  for (const option of options) command.addOption(optionOf(option));
  return command
    .description(summary)
    .usage(['[options]', ...takes].join(' '))
    .addHelpText('after', ['', 'Examples:', ...examples.map((line) => `  ${line}`), '', exits].join('\n'));
}

/** The words are listed and completed here; another is refused with the one that is near. */
function optionOf([flags, description, takes]: VerbOption): Option {
  if (takes === 'many') {
    const many = new Option(flags, `${description} (a list with commas, or given several times)`);
    // `--no-env NAME` is an option of its own, and not the opposite of `--env`.
    many.negate = false;
    return many.argParser<readonly string[] | undefined>((value, before) => [...(before ?? []), value]);
  }
  const option = new Option(flags, description);
  if (takes !== undefined && !('least' in takes)) option.argChoices = [...takes];
  return option;
}

/** Commander's refusal of a command line, in the form of every other error. */
function usageProblem(said: string, command: Command, example?: string): Problem {
  const [first = '', ...rest] = said.trim().split('\n');
  const meant = /^\(Did you mean (?:one of )?(.+)\?\)$/.exec(rest.join(' ').trim())?.[1];
  const name = command.parent === null ? command.name() : `${command.parent.name()} ${command.name()}`;
  const extra = command.args[command.registeredArguments.length];
  const tooMany = extra !== undefined && first.includes('too many arguments');
  const hint = first.includes('missing required argument')
    ? `such as ${example ?? ''}`
    : `${name} --help lists what there is`;
  return {
    severity: 'error',
    place: null,
    message: tooMany
      ? `${name} has no place for "${extra}"`
      : first.replace(/^error: /, '').replace(/'([^']*)'/g, '"$1"'),
    hint: meant === undefined ? hint : `did you mean ${meant.replace(/[^, ]+/g, '"$&"').replaceAll(', ', ' or ')}?`,
  };
}
