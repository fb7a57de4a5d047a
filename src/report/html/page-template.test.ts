import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { runtime, templateCode, templateCodeNow, templateOf } from './page-template.js';

const library = createRequire(import.meta.url)('handlebars') as typeof Handlebars;
const folder = new URL('templates/', import.meta.url);

test('what the build made of the templates is what would be made of them now', () => {
  const names = readdirSync(folder);
  expect(names.length).toBeGreaterThan(10);
  for (const name of names) {
    const source = readFileSync(new URL(name, folder), 'utf8');
    expect(templateCode(source)).toBe(templateCodeNow(library, source));
  }
});

test('a template that the build has not seen renders, and throws where a member is missing', () => {
  const template = templateOf(runtime(), 'Hello {{name}}{{#each list}}, {{this}}{{/each}}');
  expect(template({ name: '<a>', list: [1, 2] })).toBe('Hello &lt;a&gt;, 1, 2');
  expect(() => template({ list: [] })).toThrow('name');
});
