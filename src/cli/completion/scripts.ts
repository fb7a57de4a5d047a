/** Shells with a script. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/**
 * The scripts hand the typed line to chatspec and offer what it prints: `words` or `files` on the first line, then a word
 * and, behind a tab, what it is. They run nothing of the line and expand nothing of the answer.
 */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# bash completion for chatspec: source <(chatspec completion bash)
_chatspec() {
  local -a answer
  mapfile -t answer < <(chatspec __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
  COMPREPLY=("\${answer[@]:1}")
  if [[ \${answer[0]} != files ]]; then compopt +o default 2>/dev/null; fi
}
complete -o default -F _chatspec chatspec
`,
  zsh: `#compdef chatspec
# zsh completion for chatspec: source <(chatspec completion zsh), or save it as _chatspec in a folder of $fpath
_chatspec() {
  local -a answer found
  answer=("\${(@f)$(chatspec __complete zsh "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if (( \${#answer} > 1 )); then
    found=("\${(@)answer[2,-1]}")
    compadd -- "\${(@)found%%$'\\t'*}"
  elif [[ \${answer[1]} == files ]]; then
    _files
  fi
}
compdef _chatspec chatspec
`,
  fish: `# fish completion for chatspec: chatspec completion fish > ~/.config/fish/completions/chatspec.fish
function __chatspec_complete
  set -l answer (chatspec __complete fish (commandline -opc) (commandline -ct) 2>/dev/null)
  if test (count $answer) -gt 1
    printf '%s\\n' $answer[2..-1]
  else if test "$answer[1]" = files
    __fish_complete_path (commandline -ct)
  end
end
complete -c chatspec -f -a '(__chatspec_complete)'
`,
};
