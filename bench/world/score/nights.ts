import { deviationsOf } from '../../../src/matrix/standing/deviations.js';
import type { Profile } from '../../../src/plan/ticket.js';
import { changed, changes, playStory, unchanged, type Story } from '../stories.js';
import { scoreOf, type Score, type StoryScorer } from './score.js';
import { storyScores } from './stories.js';

/** Models to which nothing happens; with a model for each change, few enough for several nights of each world. */
const still = 6;

const accepted: readonly Profile[] = ['standard', 'certify'];

/** Three nights after one that was accepted, once by a run of each of these profiles. */
export const nightsWithAChange: StoryScorer = async ({ models, suites }) => {
  const chapters = [
    ...changed(models.slice(0, changes.length)),
    ...unchanged(models.slice(changes.length, changes.length + still)),
  ];
  const scores: Score[] = [];
  for (const [seed, profile] of accepted.entries()) {
    const story = await playStory(chapters, suites, { accepted: profile, seed: seed + 1 });
    scores.push(stillNights(story), ...storyScores.map((scorer) => scorer(story)));
  }
  return joined(scores);
};

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

/** One score of each subject. */
function joined(scores: readonly Score[]): readonly Score[] {
  const subjects = [...new Set(scores.map(({ subject }) => subject))];
  return subjects.map((subject) => {
    const same = scores.filter((score) => score.subject === subject);
    const sum = (of: (score: Score) => number) => same.reduce((total, score) => total + of(score), 0);
    const examples = same.flatMap((score) => score.examples);
    return { subject, right: sum(({ right }) => right), wrong: sum(({ wrong }) => wrong), examples };
  });
}
