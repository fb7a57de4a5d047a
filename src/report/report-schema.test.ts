import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../test/support/build.js';
import { syntheticMatrix } from '../../test/support/synthetic-matrix.js';
import type { StopReason } from '../journal/event.js';
import { texts } from './words/catalogue.js';
import { rungs, reasons, outcomeClasses } from '../judge/outcome.js';
import { redactor } from './safe/redact.js';
import { renderJson } from './formats/render-json.js';

const { stops: stopTexts } = texts;

const schema = JSON.parse(readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8')) as Schema;

interface Schema {
  readonly $defs: Readonly<Record<string, Definition>>;
}

interface Definition {
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Definition>>;
}

/** The same schema, but every object forbids members that it does not describe. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const members = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  return 'properties' in members && members['type'] === 'object'
    ? { ...members, additionalProperties: false }
    : members;
}

function errorsOf(written: unknown): readonly unknown[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  const valid = ajv.compile(closed(schema) as object);
  valid(written);
  return valid.errors ?? [];
}

describe('schemas/report.schema.json', () => {
  test('describes every member of a built report, and a built report has every member it requires', async () => {
    const { report } = await syntheticMatrix();
    const written: unknown = JSON.parse(await renderJson(report, { redact: redactor() }));
    expect(errorsOf(written)).toEqual([]);
  });

  test('describes doubts, of cells and of models, and what is left to the next run', async () => {
    const count = { passed: 3, total: 4 };
    const evidence = {
      known: [3, 4] as const,
      doubt: [{ run: 'r1', ...count, ways: { not_json: 1 } }],
      ...{ changed: 1.2, holds: 3, bound: 1200 },
    };
    const failure = { class: 'not_json', reason: null, doubt: [count], runs: 1, failed: 1, total: 4 } as const;
    const shared = { ...failure, before: { failed: 0, total: 9 }, log10: 0.5, bound: 2, cells: { a: 1 }, alarm: false };
    const report = aReport({
      models: [aReportModel('t/m', { shared_failures: [shared] })],
      cells: [aReportCell({ evidence })],
      remembered: {
        cells: { b: { since: 'pass', known: count, doubt: [count] } },
        ...{ models: { 't/n': { served: ['n'], fingerprints: [] } }, shared: { 't/n': [shared] } },
      },
    });
    expect(errorsOf(JSON.parse(await renderJson(report, { redact: redactor() })))).toEqual([]);
    expect(errorsOf({ ...report, remembered: { cells: { b: { since: 'pass' } } } })).not.toEqual([]);
  });

  test.each([
    ['OutcomeClass', outcomeClasses],
    ['Reason', reasons],
    ['Rung', rungs],
  ])('names every %s', (name, values) => {
    expect(schema.$defs[name]?.enum).toEqual([...values, null]);
  });

  test('names every kind of stop, and describes what each holds', async () => {
    const scope = { target: 't', model: 't/m', models: ['t/m'] };
    const reasons: readonly StopReason[] = [
      { kind: 'budget', unit: 'cost', limit: 0.5, shard_part: true },
      { kind: 'interrupted' },
      { kind: 'quota', answered_by: 't/m', detail: null, confirmed_by: 't/n' },
      { kind: 'key_refused', answered_by: 't/m', detail: 'expired', since: '2026-11-27T02:14:00.000Z', answered: 412 },
      { kind: 'long_pause', answered_by: 't/m', seconds: 900 },
      {
        kind: 'unanswered',
        answered_by: 't/m',
        class: 'http_error',
        reason: 'overloaded',
        status: 503,
        detail: 'HTTP 503',
        since: '2026-11-27T02:14:00.000Z',
        answered: 412,
      },
      { kind: 'cut_off' },
      { kind: 'missing_shard', shard: 2, of: 3 },
      { kind: 'not_recorded' },
    ];
    const stopKinds = reasons.map(({ kind }) => kind);
    expect(Object.keys(stopTexts)).toEqual(expect.arrayContaining(stopKinds));
    const made = aReport();
    const stops = reasons.map((reason) => ({ ...scope, ...reason }));
    const text = await renderJson({ ...made, run: { ...made.run, stops } }, { redact: redactor() });
    expect(schema.$defs['Stop']?.properties?.['kind']?.enum).toEqual(stopKinds);
    expect(errorsOf(JSON.parse(text))).toEqual([]);
  });
});
