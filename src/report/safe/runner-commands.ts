/**
 * What machines that read the output of a build act on, and the character of each that is written as an escape. Each
 * pattern looks at a bounded number of characters from any place, so that no text can make it slow.
 */
const commands: readonly (readonly [pattern: RegExp, escape: (found: string) => string])[] = [
  // GitHub: "::set-output name=x::y" at the beginning of a line, where wrapping may put any word. "[::1]" is an address.
  [/(?<!:):{2,}(?=\p{L})(?![\da-f:.%]{1,60}\])/giu, (colons) => `${'\\u003a'.repeat(colons.length - 1)}:`],
  // GitHub: "##[set-env name=x]y"; Azure: "##vso[task.setvariable]"; TeamCity: "##teamcity[...]": anywhere in a line.
  [/(?<=#)#(?=\w{0,40}\[)/g, () => '\\u0023'],
  // GitLab and Travis: sections that fold a log.
  [/(?<=section)_(?=(?:start|end):)|(?<=travis)_(?=(?:fold|time):)/gi, () => '\\u005f'],
];

/**
 * The text without commands to a build machine: the character that makes one is written as an escape, as control
 * characters are. Inside a JSON string, such an escape stands for the same character.
 */
export function inert(text: string): string {
  if (!/::|##|(?:section|travis)_/i.test(text)) return text;
  return commands.reduce((rest, [pattern, escape]) => rest.replace(pattern, escape), text);
}
