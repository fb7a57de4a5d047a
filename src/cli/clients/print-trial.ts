import { oneLine } from '../../report/safe/escape.js';
import { count } from '../../report/view/phrases.js';
import type { ClientTrial, Effect, Tried } from './try-client.js';

const headings: readonly (readonly [Effect, string])[] = [
  ['wrong_value', 'prints something else'],
  ['throws', 'fails'],
  ['hangs', 'does not end in time'],
];

/** The screen of `clients try`. */
export function trialText({ requests, compared, tried }: ClientTrial): string {
  const parts = [
    `With the reference: exit code 0, ${count(requests, 'request')}.${compared ? '' : ' Nothing that it prints can be compared, so wrong values are not looked for.'}`,
    part('Quirks: the right answer in an odd form. Whatever does not work is broken by it.', tried, 'quirk', compared),
    part(
      'Outcome classes: answers that are wrong or incomplete. To fail is right; to print something else is not.',
      tried,
      'class',
      compared,
    ),
  ];
  return `${parts.join('\n\n')}\n`;
}

function part(title: string, all: readonly Tried[], kind: Tried['kind'], compared: boolean): string {
  const tried = all.filter((one) => one.kind === kind);
  const sections = headings.flatMap(([effect, heading]) => {
    const own = tried.filter((one) => one.effect === effect);
    if (own.length === 0) return [];
    return [`  ${heading} (${own.length})`, ...own.map(line)];
  });
  return [
    title,
    ...sections,
    ...names('works', workingHeading(kind, compared), tried),
    ...names('not_met', 'not met by its requests', tried),
  ].join('\n');
}

function workingHeading(kind: Tried['kind'], compared: boolean): string {
  if (!compared) return 'ends with exit code 0';
  return kind === 'quirk' ? 'works' : 'prints the same, as if nothing was wrong';
}

function line({ name, model, said }: Tried): string {
  const told = said === null ? '' : said.trim() === '' ? ': an empty line' : `: ${oneLine(said)}`;
  return `    ${name} (${model ?? ''})${told}`;
}

function names(effect: Effect, heading: string, tried: readonly Tried[]): readonly string[] {
  const own = tried.filter((one) => one.effect === effect).map(({ name }) => name);
  return own.length === 0 ? [] : [`  ${heading} (${own.length}): ${own.join(', ')}`];
}
