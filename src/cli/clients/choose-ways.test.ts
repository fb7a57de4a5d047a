import { expect, test } from 'vitest';
import { withoutOthers } from './choose-ways.js';

const quirksOf: Readonly<Record<string, readonly string[]>> = {
  alone: ['id_missing'],
  both: ['id_missing', 'role_missing'],
  usual: ['id_missing', 'usage_missing'],
};

test.each([
  ['quirk', 'alone both usual', 'alone usual'],
  ['quirk', 'both', 'both'],
  ['class', 'alone both', 'alone both'],
] as const)('a %s that %s show is tried by %s', (kind, models, chosen) => {
  const seenFrom = (model: string) => [{ quirks: quirksOf[model] ?? [] }];
  const right = { answers: [{ quirks: ['usage_missing'] }] };
  const wanted = { kind, name: 'id_missing', models: [] };
  expect(withoutOthers(wanted, models.split(' '), seenFrom, right)).toEqual(chosen.split(' '));
});
