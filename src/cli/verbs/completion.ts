import type { Command } from 'commander';
import { exitCodes, type Io } from '../terminal/io.js';
import type { Options } from '../options/options.js';
import { shellWord } from '../../report/safe/shell.js';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** Prints the script that teaches a shell the verbs, the options and their words; names of a project are not in it. */
export function run([shell]: readonly string[], _: Options, io: Io, { parent }: Command): Promise<number> {
  const script = scripts[shell as keyof typeof scripts];
  io.out(script((parent?.commands ?? []).map(verbOf)));
  return Promise.resolve(exitCodes.ok);
}

type CompletedVerb = ReturnType<typeof verbOf>;

function verbOf(command: Command) {
  return {
    name: command.name(),
    about: command.description(),
    /** Words that may follow the verb itself. */
    words: command.registeredArguments[0]?.argChoices ?? [],
    options: command.options.map(({ long, description, required, optional, argChoices = [] }) => ({
      flag: long ?? '',
      about: description,
      takesValue: required || optional,
      words: argChoices,
    })),
  };
}

/** A shell completes names of files where no word fits. */
function bashScript(verbs: readonly CompletedVerb[]): string {
  const after = verbs.flatMap(({ name, words, options }) => [
    { key: `${name} ${name}`, words },
    ...options.map((option) => ({ key: `${name} ${option.flag}`, words: option.words })),
  ]);
  return `# bash completion for chatspec: source <(chatspec completion bash)
_chatspec() {
  local verb=\${COMP_WORDS[1]} before=\${COMP_WORDS[COMP_CWORD-1]} word=\${COMP_WORDS[COMP_CWORD]} words=
  if ((COMP_CWORD == 1)); then
    words="${verbs.map(({ name }) => name).join(' ')}"
  elif [[ $word == -* ]]; then
    case "$verb" in
${verbs.map(({ name, options }) => `      ${name}) words="${options.map(({ flag }) => flag).join(' ')} --help" ;;`).join('\n')}
    esac
  else
    case "$verb $before" in
${after.flatMap(({ key, words }) => (words.length === 0 ? [] : [`      "${key}") words="${words.join(' ')}" ;;`])).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _chatspec chatspec
`;
}

function zshScript(verbs: readonly CompletedVerb[]): string {
  return `# zsh completion for chatspec: source <(chatspec completion zsh)
autoload -U +X compinit && compinit
autoload -U +X bashcompinit && bashcompinit
${bashScript(verbs)}`;
}

/** Words are quoted as those of other shells, as long as they hold no backslash. */
function fishScript(verbs: readonly CompletedVerb[]): string {
  const line = (when: string, ...rest: readonly string[]): string =>
    ['complete -c chatspec -n', shellWord(when), ...rest].join(' ');
  return [
    '# fish completion for chatspec: chatspec completion fish > ~/.config/fish/completions/chatspec.fish',
    ...verbs.flatMap(({ name, about, words, options }) => [
      line('__fish_use_subcommand', '-f -a', name, '-d', shellWord(about)),
      ...(words.length === 0 ? [] : [line(`__fish_seen_subcommand_from ${name}`, '-f -a', shellWord(words.join(' ')))]),
      ...options.map((option) => {
        const value = option.words.length > 0 ? ['-x -a', shellWord(option.words.join(' '))] : ['-r'];
        const flag = ['-l', option.flag.replace('--', ''), '-d', shellWord(option.about)];
        return line(`__fish_seen_subcommand_from ${name}`, ...flag, ...(option.takesValue ? value : []));
      }),
    ]),
    '',
  ].join('\n');
}
