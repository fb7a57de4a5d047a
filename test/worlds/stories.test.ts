import { beforeAll, describe, expect, test } from 'vitest';
import { generateWorld } from './composed/generate.js';
import { worldSuites } from './composed/run-world.js';
import { mistakeLine } from './composed/score/score.js';
import { storyScores } from './composed/score/stories.js';
import { changed, changes, playStory, unchanged, type Story } from './composed/stories.js';

/** A model for each change, and two that stay as they are, with a seed on which nothing was tuned. */
const models = generateWorld(820, changes.length + 2);

describe('two nights after one that was accepted', () => {
  let story: Story;
  beforeAll(async () => {
    const chapters = [...changed(models.slice(0, changes.length)), ...unchanged(models.slice(changes.length))];
    const only = [
      'world/json-object[*',
      'world/tools[*thinking=enabled*',
      'world-budget/tools[*thinking=enabled*stream=off*',
    ];
    story = await playStory(chapters, await worldSuites(), { nights: 2, only });
  });

  test.each(storyScores)('are told as they are: $name', (scorer) => {
    const { right, examples } = scorer(story);
    expect(examples.map(mistakeLine)).toEqual([]);
    expect(right).toBeGreaterThan(0);
  });
});
