import { oneLine } from '../safe/escape.js';
import { countedNoun } from '../words/facts.js';

/** `not_compared`: it ends with exit code 0, and nothing that it prints can be compared. */
export type Effect = 'works' | 'not_compared' | 'throws' | 'wrong_value' | 'hangs' | 'not_met';

/** What the program makes of one quirk, or of one outcome class. */
export interface Tried {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
  readonly effect: Effect;
  /** The model of the embedded service that showed it; null where none did. */
  readonly model: string | null;
  /** null where it was not met, or the program did not end. */
  readonly exit_code: number | null;
  /** What the program said last, where it failed, or the first line that differs. */
  readonly said: string | null;
}

export interface ClientTrial {
  readonly requests: number;
  /** false: two runs against the reference print nothing in common, so that wrong values cannot be seen. */
  readonly compared: boolean;
  readonly tried: readonly Tried[];
}

/** What each effect is called, in the order of the screen. */
const headings: Readonly<Record<Effect, string>> = {
  wrong_value: 'prints something else',
  throws: 'fails',
  hangs: 'does not end in time',
  works: 'works',
  not_compared: 'ends with exit code 0',
  not_met: 'not met by its requests',
};

/** What became of each quirk and class, the worst first. */
export function trialText({ requests, compared, tried }: ClientTrial): string {
  const nothing = compared ? '' : ' Nothing that it prints can be compared, so wrong values are not looked for.';
  const classes = 'Outcome classes: answers that are wrong or incomplete.';
  return [
    `With the reference: exit code 0, ${countedNoun(requests, 'request')}.${nothing}`,
    part('Quirks: the right answer in an odd form. Whatever does not work is broken by it.', tried, 'quirk'),
    part(`${classes} To fail is right; to print something else is not.`, tried, 'class'),
    'In parentheses: the model that showed it. To meet it again, run chatspec simulate and ask for that model.\n',
  ].join('\n\n');
}

function part(title: string, all: readonly Tried[], kind: Tried['kind']): string {
  const sections = Object.entries(headings).flatMap(([effect, heading]) => {
    const own = all.filter((one) => one.kind === kind && one.effect === effect);
    const asIf = kind === 'class' && effect === 'works' ? 'prints the same, as if nothing was wrong' : heading;
    return own.length === 0 ? [] : [`  ${asIf} (${own.length})`, ...own.map(line)];
  });
  return [title, ...sections].join('\n');
}

function line({ name, model, said }: Tried): string {
  const told = said === null ? '' : said.trim() === '' ? ': an empty line' : `: ${oneLine(said)}`;
  return `    ${name}${model === null ? '' : ` (${model})`}${told}`;
}

/** What differs from an earlier trial, on one line. */
export function changesText(changed: readonly Tried[], known: ReadonlyMap<string, Effect>): string {
  const effectText = (effect: Effect | undefined): string => (effect === undefined ? 'not tried' : headings[effect]);
  const texts = changed.map(({ name, effect }) => `${name}: ${effectText(known.get(name))} -> ${effectText(effect)}`);
  return texts.length === 0 ? 'nothing changed' : texts.join('; ');
}
