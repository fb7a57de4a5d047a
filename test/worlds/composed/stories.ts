import type { Suite } from '../../../src/suite/probe.js';
import type { Profile } from '../../../src/plan/ticket.js';
import type { FailureKind, FailureMode, WorldModel } from './model.js';
import { acceptNight, rememberedOf, runNight, type Night } from './run-world.js';

/** What happens to a model between the night that was accepted and the nights after it. */
export interface Change {
  readonly name: string;
  readonly before: (model: WorldModel) => WorldModel;
  /** null: the service no longer knows the model. */
  readonly after: (model: WorldModel) => WorldModel | null;
}

/** A model before and after; the same if nothing changes. */
export interface Chapter {
  readonly change: string;
  /** null: it was added later. */
  readonly before: WorldModel | null;
  readonly after: WorldModel | null;
}

export interface Story {
  readonly chapters: readonly Chapter[];
  /** The one that was accepted. */
  readonly accepted: Night;
  /** Those after it, in order. */
  readonly nights: readonly Night[];
}

const calling = { form: ['tools'], tool_choice: ['required', 'object'] } as const;
const objectCall = { form: ['tools'], tool_choice: ['object'] } as const;
const freeJson = { form: ['json_object'] } as const;

/** So that what is true of these cells follows from the change alone. */
const without = (form: 'tools' | 'json_object', { modes, ...model }: WorldModel): WorldModel => ({
  ...model,
  modes: modes.filter(({ when }) => when.form?.includes(form) !== true),
});

/** Modes of a form of which everything else is taken away. */
function modesOf(form: 'tools' | 'json_object', ...modes: readonly FailureMode[]) {
  return (model: WorldModel): WorldModel => {
    const other = without(form, model);
    return { ...other, modes: [...other.modes, ...modes] };
  };
}

const fails = (rate: number, kind: FailureKind = 'wrong_type'): FailureMode => ({ when: objectCall, rate, kind });
const failsFree = (rate: number, kind: FailureKind = 'missing_member'): FailureMode => ({ when: freeJson, rate, kind });

const change = (name: string, before: Change['before'], after: Change['after']): Change => ({ name, before, after });

/** From 300 to 1,800. */
export const risenThreshold = 'needs a larger cap for tools';

export const changes: readonly Change[] = [
  change('dies', modesOf('tools'), modesOf('tools', fails(1, 'http_500'))),
  change('heals', modesOf('tools', fails(1)), modesOf('tools')),
  change('falls from 0.98 to 0.6', modesOf('json_object', failsFree(0.02)), modesOf('json_object', failsFree(0.4))),
  change('rises from 0.4 to 0.8', modesOf('json_object', failsFree(0.6)), modesOf('json_object', failsFree(0.2))),
  change('rises from 0.4 to 1', modesOf('json_object', failsFree(0.6)), modesOf('json_object')),
  change('fails in another way', modesOf('tools', fails(1)), modesOf('tools', fails(1, 'http_400'))),
  change('rises from 0 to 0.5', modesOf('json_object', failsFree(1)), modesOf('json_object', failsFree(0.5))),
  change(
    'two axes begin to fail together',
    modesOf('tools'),
    modesOf('tools', { when: { ...calling, stream: true, thinking: true }, rate: 1, kind: 'wrong_type' }),
  ),
  change(
    'a quirk appears',
    (model) => ({ ...model, quirks: [] }),
    (model) => ({ ...model, quirks: ['no_done'] }),
  ),
  change(
    risenThreshold,
    modesOf('tools', { when: { form: ['tools'], below: 300 }, rate: 1, kind: 'truncated' }),
    modesOf('tools', { when: { form: ['tools'], below: 1800 }, rate: 1, kind: 'truncated' }),
  ),
  change(
    'goes away',
    (model) => model,
    () => null,
  ),
];

/** Every model changes in one way, by turns. */
export function changed(models: readonly WorldModel[], first = 0): readonly Chapter[] {
  return models.map((model, index) => {
    const { name, before, after } = changes[(first + index) % changes.length]!;
    return { change: name, before: before(model), after: after(model) };
  });
}

export function unchanged(models: readonly WorldModel[]): readonly Chapter[] {
  return models.map((model) => ({ change: 'nothing', before: model, after: model }));
}

export interface StoryOptions {
  readonly accepted?: Profile;
  readonly nights?: number;
  /** Patterns of cells; default: all. */
  readonly only?: readonly string[];
  readonly seed?: number;
}

/** A night that is accepted, and the nights after it, each of which knows the one before. */
export async function playStory(
  chapters: readonly Chapter[],
  suites: readonly Suite[],
  { accepted: profile = 'standard', nights: count = 3, only = [], seed = 0 }: StoryOptions = {},
): Promise<Story> {
  const present = (side: 'before' | 'after') => chapters.flatMap((chapter) => chapter[side] ?? []);
  const accepted = await runNight(present('before'), suites, { profile, only, night: 10 * seed });
  const baseline = await acceptNight(accepted);
  const gone = chapters.flatMap(({ before, after }) => (before !== null && after === null ? [before] : []));
  const nights: Night[] = [];
  while (nights.length < count) {
    const previous = rememberedOf(nights.at(-1) ?? accepted);
    const options = { night: 10 * seed + nights.length + 1, baseline, previous, gone, only };
    nights.push(await runNight(present('after'), suites, options));
  }
  return { chapters, accepted, nights };
}
