import { deviationsOf } from '../../../../src/matrix/standing/deviations.js';
import type { Profile } from '../../../../src/plan/ticket.js';
import type { Suite } from '../../../../src/suite/probe.js';
import type { WorldModel } from '../model.js';
import { changed, changes, playStory, unchanged, type Chapter, type Story } from '../stories.js';
import { scoreOf, type Score, type StoryScorer } from './score.js';
import { storyScores } from './stories.js';

/** Models to which nothing happens; with a model for each change, few enough for several nights of each world. */
const still = 6;

/** Three nights after one that was accepted, once by a run of each profile. */
export const nightsWithAChange: StoryScorer = async ({ models, suites }) =>
  scoresOf(
    [...changed(models.slice(0, changes.length)), ...unchanged(models.slice(changes.length, changes.length + still))],
    suites,
  );

/** The same of a few models, each of which is asked twice: as it is, and with one of the changes, by turns. */
export async function nightsOf(
  models: readonly WorldModel[],
  suites: readonly Suite[],
  { first, ...options }: NightsOptions & { readonly first: number },
): Promise<readonly Score[]> {
  const twins = models.map((model) => ({ ...model, id: `${model.id}-changed` }));
  return scoresOf([...unchanged(models), ...changed(twins, first)], suites, options);
}

interface NightsOptions {
  readonly accepted?: readonly Profile[];
  /** Patterns of cells; default: all. */
  readonly only?: readonly string[];
}

async function scoresOf(
  chapters: readonly Chapter[],
  suites: readonly Suite[],
  { accepted = ['standard', 'certify'], only = [] }: NightsOptions = {},
): Promise<readonly Score[]> {
  const scores: Score[] = [];
  for (const [seed, profile] of accepted.entries()) {
    const story = await playStory(chapters, suites, { accepted: profile, seed: seed + 1, only });
    const ofStory = [stillNights(story), ...storyScores.map((scorer) => scorer(story))];
    scores.push(...ofStory.map((score) => ({ ...score, subject: `${score.subject}, after ${profile}` })));
  }
  return scores;
}

/** Each night of each model to which nothing happens. */
function stillNights({ chapters, nights }: Story): Score {
  const names = chapters.flatMap(({ before, after }) => (before !== null && before === after ? [before.id] : []));
  const cases = nights.flatMap((night, index) => {
    const alarms = deviationsOf(night.report);
    return names.map((id) => ({ id, index, found: alarms.filter(({ model }) => model === `world/${id}`).length }));
  });
  return scoreOf('nights of a model without change', cases, ({ id, index, found }) =>
    found === 0 ? null : { at: `world/${id}`, said: `night ${index + 1}: ${found} alarms`, truth: 'unchanged' },
  );
}
