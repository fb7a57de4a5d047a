import { expect, test } from 'vitest';
import { runtime, templateOf } from './page-template.js';

test('a template renders, and throws where a member is missing', () => {
  const template = templateOf(runtime(), 'Hello {{name}}{{#each list}}, {{this}}{{/each}}');
  expect(template({ name: '<a>', list: [1, 2] })).toBe('Hello &lt;a&gt;, 1, 2');
  expect(() => template({ list: [] })).toThrow('name');
});
