import type { ClientTable, Met } from '../../clients/client-table.js';
import { answersAlike } from '../../clients/seen-in-answer.js';
import { answersOf, type AnsweringService, type SeenAnswerOf } from './answering-service.js';
import type { ProgramRun } from './program-run.js';

/** A quirk or an outcome class, and the models that show it in some request. */
export interface Wanted extends Pick<Met, 'models'> {
  readonly kind: 'quirk' | 'class';
  readonly name: string;
}

export function wantedFrom({ quirks, classes }: Pick<ClientTable, 'quirks' | 'classes'>): readonly Wanted[] {
  return [
    ...Object.entries(quirks).map(([name, met]) => ({ kind: 'quirk' as const, name, ...met })),
    ...Object.entries(classes).map(([name, met]) => ({ kind: 'class' as const, name, ...met })),
  ];
}

/** Whether the answers show what is wanted; of a quirk only where they otherwise say what the reference says. */
export function triggersWanted(
  answers: readonly SeenAnswerOf[],
  { kind, name }: Pick<Wanted, 'kind' | 'name'>,
  right: ProgramRun,
): boolean {
  if (kind === 'class') return answers.some((one) => one.class === name);
  if (answers.some((one) => one.class !== null) || !answers.some(({ quirks }) => quirks.includes(name))) return false;
  const said = new Map(right.answers.map((one) => [one.request, one]));
  // A request that the program does not make to the reference follows from what it made of an earlier answer.
  return answers.every((one) => {
    const rightOne = said.get(one.request);
    return rightOne === undefined || answersAlike(name, one, rightOne);
  });
}

/**
 * For each: one model for every distinct way in which it shows in answers to the requests that the program made to the
 * reference.
 */
export function choosing(
  right: ProgramRun,
  service: AnsweringService,
  signal: AbortSignal,
): (wanted: Wanted) => Promise<readonly string[]> {
  const requests = [...new Set(right.answers.map(({ request }) => request))];
  const answers = new Map<string, readonly SeenAnswerOf[]>();
  return async (wanted) => {
    const ways = new Map<string, string>();
    for (const model of wanted.models) {
      if (signal.aborted) return [];
      answers.set(model, answers.get(model) ?? (await answersOf(model, requests, service)));
    }
    const seenFrom = (model: string): readonly SeenAnswerOf[] => answers.get(model) ?? [];
    const showIt = wanted.models.filter((model) => triggersWanted(seenFrom(model), wanted, right));
    for (const model of withoutOthers(wanted, showIt, seenFrom, right)) {
      const seen = seenFrom(model);
      const showing = seen.filter((one) => shows(one, wanted));
      // An answer without an end says nothing about a client but its patience.
      if (showing.some(({ ending }) => ending === 'endless' || ending.startsWith('stall'))) continue;
      const [first] = showing;
      const way = `${first?.way ?? ''} ${first !== undefined && passesLater(seen, first)}`;
      if (!ways.has(way)) ways.set(way, model);
    }
    return brokenFirst(wanted, ways, answers);
  };
}

const shows = ({ class: own, quirks }: SeenAnswerOf, { kind, name }: Wanted): boolean =>
  kind === 'class' ? own === name : quirks.includes(name);

const passesLater = (seen: readonly SeenAnswerOf[], { request }: SeenAnswerOf): boolean =>
  seen.findLast((one) => one.request === request)?.class === null;

/** Models that show the quirk without others, where there are any: this one is not to blame for those. */
export function withoutOthers(
  { kind, name }: Wanted,
  models: readonly string[],
  seenFrom: (model: string) => readonly Pick<SeenAnswerOf, 'quirks'>[],
  right: { readonly answers: readonly Pick<SeenAnswerOf, 'quirks'>[] },
): readonly string[] {
  if (kind === 'class') return models;
  const usual = new Set([name, ...right.answers.flatMap(({ quirks }) => quirks)]);
  const alone = models.filter((model) => seenFrom(model).every(({ quirks }) => quirks.every((one) => usual.has(one))));
  return alone.length > 0 ? alone : models;
}

/** A failure of the connection is one that breaks; that an answer merely stops counts where none of them breaks. */
function brokenFirst(
  { name }: Wanted,
  ways: ReadonlyMap<string, string>,
  answers: ReadonlyMap<string, readonly SeenAnswerOf[]>,
): readonly string[] {
  const models = [...ways.values()];
  if (name !== 'transport') return models;
  const breaking = models.filter((model) => answers.get(model)?.some(({ ending }) => ending !== 'end'));
  return breaking.length > 0 ? breaking : models;
}
