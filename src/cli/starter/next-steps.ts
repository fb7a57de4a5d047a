import { posix } from 'node:path';
import { shellWord } from '../../report/words/shell-word.js';
import type { ConfigPlace } from './config-place.js';

/** Columns. With a long name of a config, what a command does stands in a line of its own. */
const widest = 100;

/** What to type next, each command with what it does. */
export function nextSteps({ folder, option }: ConfigPlace): string {
  const latest = shellWord(posix.join(folder, 'reports/latest'));
  const commands: readonly (readonly [string, string])[] = [
    ['run --tags smoke', 'the matrix of the embedded service'],
    ['run --tags nightly', 'what the workflow asks every night'],
    [`baseline accept ${latest}`, "expect today's results from now on"],
  ];
  const typed = commands.map(([command, meaning]) => [`npx --no chatspec ${command}${option}`, meaning] as const);
  const width = Math.max(...typed.map(([command]) => command.length)) + 3;
  const fits = typed.every(([, meaning]) => indent.length + width + meaning.length <= widest);
  const [smoke = '', ...others] = typed.map(([command, meaning]) =>
    fits ? `${command.padEnd(width)}${meaning}` : `${command}\n${indent}  ${meaning}`,
  );
  const doctor = `set base_url, api_key_env and models in the config, then npx --no chatspec doctor${option}`;
  return `\n${[`Next: ${smoke}`, ...[doctor, ...others].map((line) => `${indent}${line}`)].join('\n')}\n`;
}

const indent = '      ';
