import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { ReportBehaviour } from '../../matrix/report-format.js';
import { listedBehaviours } from './listed-behaviours.js';

const shown = (id: string, model: string): ReportBehaviour => ({
  ...{ id, model, title: `${id} on ${model}`, cells: ['s/p@t/m'], advice: `about ${id}` },
});

test('every behaviour that the specification lists has a row, also where no model shows it', () => {
  const rows = listedBehaviours(
    { behaviours: [shown('json-schema-only', 't/a'), shown('json-schema-only', 't/b')] },
    null,
  );
  const folder = new URL('../../../suites/core/', import.meta.url);
  const suites = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  expect(rows).toHaveLength(7);
  for (const { id, holds } of rows) {
    expect(suites.join('\n')).toContain(`  - id: ${id}\n`);
    expect(holds).toMatch(/\.$/);
  }
  expect(rows.filter(({ models }) => models.length > 0)).toMatchObject([
    { id: 'json-schema-only', advice: 'about json-schema-only', models: [{ model: 't/a' }, { model: 't/b' }] },
  ]);
});

test('behaviours of other suites follow', () => {
  const rows = listedBehaviours({ behaviours: [shown('mine', 't/a')] }, null);
  expect(rows.at(-1)).toMatchObject({ id: 'mine', holds: 'mine on t/a' });
});

test('a name that every object has is no listed behaviour', () => {
  expect(listedBehaviours({ behaviours: [shown('constructor', 't/a')] }, null).at(-1)?.holds).toBe(
    'constructor on t/a',
  );
});
