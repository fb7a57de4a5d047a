import { expect, test } from 'vitest';
import { outcomeClasses } from '../../src/judge/outcome-classes.js';
import { reasons } from '../../src/judge/reasons.js';
import { projectFolder, section, textOf } from '../support/documents.js';

const script = `${projectFolder}/scripts/generate-pages.mjs`;

test('the generated pages match their tables (npm run generate updates them)', async () => {
  const { generatedPages } = (await import(script)) as { generatedPages: () => Promise<Record<string, string>> };
  for (const [path, text] of Object.entries(await generatedPages())) expect(textOf(path), path).toBe(text);
});

test('every outcome class says what it breaks, why it happens and what helps', () => {
  for (const name of outcomeClasses) {
    const text = section('docs/outcome-classes.md', `## ${name}`);
    for (const part of ['Breaks', 'Usual cause', 'Remedy'])
      expect(text).toMatch(new RegExp(`\\*\\*${part}:\\*\\* [A-Z\`]`));
  }
  for (const name of reasons) expect(section('docs/outcome-classes.md', '## Reasons')).toContain(`| \`${name}\``);
});

test('every behaviour that the specification lists is on the page', () => {
  const headings = [...textOf('docs/known-behaviours.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  for (const id of [
    'object-tool-choice-http-500',
    'object-tool-choice-thinking-400',
    'response-format-empty-or-unparseable',
    'json-schema-only',
    'json-schema-needs-max-tokens',
    'strict-intermittent-on-conflict',
    'json-word-required',
  ])
    expect(headings).toContain(id);
});
