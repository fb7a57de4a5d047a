import { oneLine } from '../safe/escape.js';
import { texts } from '../words/catalogue.js';
import { countedNoun } from '../words/facts.js';
import { say } from '../words/message.js';

const { trials: counted } = texts;

/**
 * `not_compared`: it ends with exit code 0, and nothing that it prints can be compared. `recovers`: it asked again, and
 * made the right thing of the right answer.
 */
export type Effect = 'works' | 'not_compared' | 'throws' | 'wrong_value' | 'hangs' | 'not_met' | 'recovers';

/** Effect of one way of a quirk, or of an outcome class, on the program. */
export interface TriedWay {
  readonly effect: Effect;
  /** The model of the embedded service that showed it; null where none did. */
  readonly model: string | null;
  /** null where it was not met, or the program did not end. */
  readonly exit_code: number | null;
  /** The error of the program, where it failed, or the first line that differs. */
  readonly said: string | null;
}

/** Effect of one quirk, or of one outcome class, on the program: that of its worst way. */
export interface Tried extends TriedWay {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
  /** In how many of the ways the program failed, or asked again. */
  readonly noticed: number;
  readonly ways: readonly TriedWay[];
}

/** The worst first. Of a class the answer is wrong: then to fail is right, and to print the same is not. */
const worstFirst: Readonly<Record<Tried['kind'], readonly Effect[]>> = {
  quirk: ['wrong_value', 'hangs', 'throws', 'not_compared', 'recovers', 'works'],
  class: ['wrong_value', 'works', 'not_compared', 'hangs', 'throws', 'recovers'],
};

/** The way with the worst effect; undefined without any. */
export function worstOf(kind: Tried['kind'], ways: readonly TriedWay[]): TriedWay | undefined {
  return worstFirst[kind].flatMap((effect) => ways.filter((way) => way.effect === effect))[0];
}

export interface ClientTrial {
  readonly requests: number;
  /** false: two runs against the reference print nothing in common, so that wrong values cannot be seen. */
  readonly compared: boolean;
  readonly tried: readonly Tried[];
}

/** Names of the effects, in the order of the screen. */
const headings: Readonly<Record<Effect, string>> = {
  wrong_value: 'prints something else',
  throws: 'fails',
  hangs: 'does not end in time',
  works: 'works',
  recovers: 'asks again, and gets it right',
  not_compared: 'ends with exit code 0',
  not_met: 'not met by its requests',
};

/** Effects by quirk and class, the worst first. */
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
  const sections = Object.keys(headings).flatMap((effect) => {
    const own = all.filter((one) => one.kind === kind && one.effect === effect);
    return own.length === 0 ? [] : [`  ${headingOf(kind, effect as Effect)} (${own.length})`, ...own.map(line)];
  });
  return [title, ...sections].join('\n');
}

function line({ kind, name, model, said, noticed, ways }: Tried): string {
  if (new Set(ways.map(({ effect }) => effect)).size > 1) {
    const own = ways.map((way) => `\n      ${wayText(kind, way)}`).join('');
    return `    ${name}: ${say(counted.noticed, { noticed, ways: ways.length })}${own}`;
  }
  const shown = ways.length > 1 ? say(counted.alike, { ways: ways.length, model: model ?? '' }) : (model ?? '');
  return `    ${name}${shown === '' ? '' : ` (${shown})`}${saidText(said)}`;
}

const wayText = (kind: Tried['kind'], { effect, model, said }: TriedWay): string =>
  `${headingOf(kind, effect)} (${model ?? ''})${saidText(said)}`;

function saidText(said: string | null): string {
  if (said === null) return '';
  return said.trim() === '' ? ': an empty line' : `: ${oneLine(said)}`;
}

const headingOf = (kind: Tried['kind'], effect: Effect): string =>
  kind === 'class' && effect === 'works' ? 'prints the same, as if nothing was wrong' : headings[effect];

/** Differences from an earlier trial, on one line. */
export function changesText(changed: readonly Tried[], known: ReadonlyMap<string, Effect>): string {
  const effectText = (effect: Effect | undefined): string => (effect === undefined ? 'not tried' : headings[effect]);
  const texts = changed.map(({ name, effect }) => `${name}: ${effectText(known.get(name))} -> ${effectText(effect)}`);
  return texts.length === 0 ? 'nothing changed' : texts.join('; ');
}
