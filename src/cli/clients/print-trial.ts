import { groupBy } from '../../json/group-by.js';
import { oneLine } from '../../report/safe/escape.js';
import { count } from '../../report/words/phrases.js';
import type { ClientTrial, Effect, Tried } from './try-client.js';

/** What each effect is called, in the order of the screen. */
const headings: Readonly<Record<Tried['kind'], readonly (readonly [Effect, string])[]>> = {
  quirk: headingsWith('works'),
  class: headingsWith('prints the same, as if nothing was wrong'),
};

function headingsWith(works: string): readonly (readonly [Effect, string])[] {
  return [
    ['wrong_value', 'prints something else'],
    ['throws', 'fails'],
    ['hangs', 'does not end in time'],
    ['works', works],
    ['not_compared', 'ends with exit code 0'],
  ];
}

/** The screen of `clients try`. */
export function trialText({ requests, compared, tried }: ClientTrial): string {
  const parts = [
    `With the reference: exit code 0, ${count(requests, 'request')}.${compared ? '' : ' Nothing that it prints can be compared, so wrong values are not looked for.'}`,
    part('Quirks: the right answer in an odd form. Whatever does not work is broken by it.', tried, 'quirk'),
    part(
      'Outcome classes: answers that are wrong or incomplete. To fail is right; to print something else is not.',
      tried,
      'class',
    ),
    ...(tried.some(({ model }) => model !== null)
      ? ['In parentheses: the model that showed it. To meet it again, run chatspec simulate and ask for that model.']
      : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function part(title: string, all: readonly Tried[], kind: Tried['kind']): string {
  const tried = all.filter((one) => one.kind === kind);
  const sections = headings[kind].flatMap(([effect, heading]) => {
    const own = tried.filter((one) => one.effect === effect);
    return own.length === 0 ? [] : [`  ${heading} (${own.length})`, ...own.map(line)];
  });
  const unmet = tried.filter(({ effect }) => effect === 'not_met');
  return [
    title,
    ...sections,
    ...(unmet.length === 0 ? [] : [`  not met by its requests (${unmet.length})`, ...unmetLines(unmet)]),
  ].join('\n');
}

function line({ name, model, said }: Tried): string {
  const told = said === null ? '' : said.trim() === '' ? ': an empty line' : `: ${oneLine(said)}`;
  return `    ${name} (${model ?? ''})${told}`;
}

/** Those that the same request would meet stand together. */
function unmetLines(unmet: readonly Tried[]): readonly string[] {
  return [...groupBy(unmet, ({ needs }) => needs)].flatMap(([needs, group]) => [
    `    ${group.map(({ name }) => name).join(', ')}`,
    ...(needs === null ? [] : [`      need${group.length === 1 ? 's' : ''} ${needs}`]),
  ]);
}
