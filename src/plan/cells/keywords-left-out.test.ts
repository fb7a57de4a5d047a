import { expect, test } from 'vitest';
import { aProbe } from '../../../test/support/build.js';
import { keywordsLeftOut } from './keywords-left-out.js';

const place = { file: 's.yaml', line: 1, column: 1 };
const enforcing = (name: string, keyword: string, tags = ['weekly']) =>
  aProbe(`s/${name}`, { tags, enforce: { keyword, schema: {}, valid: {}, invalid: {} } });
const composite = { ...enforcing('all', 'composite', ['nightly']), split: [{ probe: 's/enum', place }] };
const probes = [composite, enforcing('enum', 'enum'), enforcing('long-enum', 'enum'), enforcing('any', 'anyOf')];
const left = (...asked: readonly (typeof probes)[number][]) =>
  keywordsLeftOut([{ probes }], { tickets: asked.map((probe) => ({ cell: { probe } })) });

test('a keyword is left out that neither a cell nor the document of many keywords asks', () => {
  expect(left(composite)).toEqual({ keywords: ['anyOf'], tag: 'weekly' });
});

test('nothing is, where every keyword is asked, or where no such document is', () => {
  expect(left(...probes)).toBeNull();
  expect(left(composite, probes[3]!)).toBeNull();
  expect(left(probes[1]!)).toBeNull();
  expect(left()).toBeNull();
});

test('probes without a tag in common have none', () => {
  const more = [...probes, enforcing('all-of', 'allOf', ['monthly'])];
  expect(keywordsLeftOut([{ probes: more }], { tickets: [{ cell: { probe: composite } }] })).toEqual({
    keywords: ['allOf', 'anyOf'],
    tag: null,
  });
});
