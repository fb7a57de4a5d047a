import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { syntheticMatrix } from '../../test/support/synthetic-matrix.js';
import { outcomeClasses, reasons, rungs } from '../judge/outcome.js';
import { redactor } from './safe/redact.js';
import { renderJson } from './json/render-json.js';

const schema = JSON.parse(readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8')) as Schema;

interface Schema {
  readonly $defs: Readonly<Record<string, { readonly enum?: readonly (string | null)[] }>>;
}

/** The same schema in which no object may have a member that is not described. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return 'properties' in members && members['type'] === 'object'
    ? { ...members, additionalProperties: false }
    : members;
}

describe('schemas/report.schema.json', () => {
  test('describes every member of a built report, and a built report has every member it requires', async () => {
    const { report } = await syntheticMatrix();
    const written: unknown = JSON.parse(await renderJson(report, { redact: redactor() }));
    const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
    const valid = ajv.compile(closed(schema) as object);
    valid(written);
    expect(valid.errors ?? []).toEqual([]);
  });

  test.each([
    ['OutcomeClass', outcomeClasses],
    ['Reason', reasons],
    ['Rung', rungs],
  ])('names every %s', (name, values) => {
    expect(schema.$defs[name]?.enum).toEqual([...values, null]);
  });
});
