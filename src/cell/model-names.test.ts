import { expect, test } from 'vitest';
import { commonName, idOfTarget, modelsMeant, namesOfModel, type NamedModel } from './model-names.js';

const model = (key: string, as: string | null = null): NamedModel => ({ key, id: key.slice(key.indexOf('/') + 1), as });
const models = [model('a/m'), model('b/m', 'reference'), model('b/org/n'), model('c/a/m'), model('c/reference')];

test.each([
  ['a/m', ['a/m']],
  ['m', ['a/m', 'b/m']],
  ['org/n', ['b/org/n']],
  ['reference', ['b/m', 'c/reference']],
  ['b/reference', []],
  ['b/*', ['b/m', 'b/org/n']],
  ['ref*', ['b/m', 'c/reference']],
  ['*', models.map(({ key }) => key)],
  ['M', []],
  ['', []],
])('"%s" means %j', (name, keys) => {
  expect(modelsMeant(models, name).map(({ key }) => key)).toEqual(keys);
});

test('a model has the id that its target knows, and a name that it shares', () => {
  expect([idOfTarget('c', 'c/a/m'), idOfTarget('a', 'c/a/m'), idOfTarget('b', 'bc/m')]).toEqual(['a/m', null, null]);
  expect(models.slice(0, 2).map(commonName)).toEqual(['m', 'reference']);
  expect(models.slice(0, 2).map(namesOfModel)).toEqual([
    ['a/m', 'm'],
    ['b/m', 'm', 'reference'],
  ]);
});
