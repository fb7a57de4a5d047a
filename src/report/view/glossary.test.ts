import { expect, test } from 'vitest';
import { quirkTable } from '../../chat/quirks.js';
import { enforcements, standings, verdicts } from '../../cell/verdict.js';
import { outcomeClasses } from '../../judge/outcome-classes.js';
import { rungs } from '../../judge/outcome.js';
import { reasons } from '../../judge/reasons.js';
import { glossary } from './glossary.js';

test('the glossary explains every word that a report can use, each once', () => {
  const words = new Map(glossary().map(({ id, words: all }) => [id, all.map(({ name }) => name)]));
  expect(words.get('classes')).toEqual(outcomeClasses);
  expect(words.get('reasons')).toEqual(reasons);
  expect(words.get('levels')).toEqual(rungs);
  expect(words.get('standings')).toEqual(standings);
  expect(words.get('enforcement')).toEqual(enforcements);
  expect(words.get('quirks')).toEqual(Object.keys(quirkTable));
  expect(words.get('verdicts')).toEqual(expect.arrayContaining([...verdicts]));
  for (const { meaning } of glossary().flatMap((section) => section.words)) expect(meaning).toMatch(/\w{3}/);
});
