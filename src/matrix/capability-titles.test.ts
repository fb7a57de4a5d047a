import { expect, test } from 'vitest';
import { loadBuiltin } from '../../test/support/builtin-suites.js';
import { groupsOf } from './capability-families.js';

const cell = (capability: string, suite: string, probe: string, title: string) => ({
  ...{ capability, suite, probe, title },
});

test('capabilities and families are called as the suites declare', () => {
  const families = [{ name: 'grammar', order: 5, title: 'Grammars', titles: { 'grammar.json': 'A grammar of JSON' } }];
  const cells = [cell('grammar.json', 'grammar', 'json', 'The probe'), cell('grammar.xml', 'other', 'xml', 'Another')];
  expect(groupsOf(cells, { families, suites: [{ name: 'grammar', title: 'The suite' }], cells }).titles).toEqual({
    families: { grammar: 'Grammars' },
    capabilities: { 'grammar.json': 'A grammar of JSON' },
  });
});

test('a probe that names no capability is called by its own title, and its family by that of the suite', () => {
  const cells = [
    cell('orders.create', 'orders', 'create', 'Creates an order'),
    cell('orders.x', 'orders', 'x', 'orders.x'),
  ];
  expect(groupsOf(cells, { families: [], suites: [{ name: 'orders', title: 'Order tool' }], cells }).titles).toEqual({
    families: { orders: 'Order tool' },
    capabilities: { 'orders.create': 'Creates an order' },
  });
});

test('names that objects have anyway are no titles', () => {
  const cells = [cell('constructor', 's', 'p', 'P'), cell('x.__proto__', 'x', '__proto__', 'Own')];
  const families = [{ name: 'constructor', order: 1, titles: { other: 'Other' } }];
  const { titles } = groupsOf(cells, { families, suites: [], cells });
  expect(Object.entries(titles.capabilities)).toEqual([['x.__proto__', 'Own']]);
  expect(Object.entries(titles.families)).toEqual([]);
});

test('every family of the built-in suites has a title', async () => {
  const { suites } = await loadBuiltin('core');
  const untitled = suites.flatMap(({ families }) => families.filter(({ title }) => title === undefined));
  expect(untitled).toEqual([]);
});
