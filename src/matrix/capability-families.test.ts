import { expect, test } from 'vitest';
import { unservedOf } from './capability-families.js';

const families = [{ name: 'json_schema', order: 1 }];
const forms = [{ capability: 'orders', budget: 'orders_budget' }];

test('nothing is recommended for a capability of which no suite declares a family or a form', () => {
  expect(
    unservedOf(['json_schema', 'orders', 'orders_budget', 'greeting.short', 'greeting.short'], { families, forms }),
  ).toEqual(['greeting.short']);
  expect(unservedOf(['json_schema.strict'], { families, forms })).toEqual([]);
});
