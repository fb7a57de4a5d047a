import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { planProbeCells } from '../../src/plan/cells/plan-cells.js';
import { loadBuiltin, modelWithSettings } from '../support/builtin-suites.js';

const suite = await loadBuiltin('json-schema-test-suite');
const probes = suite.suites.flatMap((one) => one.probes);

describe('builtin:json-schema-test-suite', () => {
  test('is what the script generates; node scripts/json-schema-test-suite.mjs writes it again', async () => {
    const script = new URL('../../scripts/json-schema-test-suite.mjs', import.meta.url).href;
    const { target, suiteText } = (await import(script)) as { target: string; suiteText: () => Promise<string> };
    expect(await readFile(target, 'utf8')).toBe(await suiteText());
  });

  test('loads without an error, so each valid document conforms and no invalid one does', () => {
    expect(suite.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('has at most two schemas for each of more than thirty keywords, in both channels', () => {
    const keywords = probes.map(({ enforce }) => enforce?.keyword);
    expect(new Set(keywords).size).toBeGreaterThan(30);
    const most = Math.max(...keywords.map((keyword) => keywords.filter((other) => other === keyword).length));
    expect(most).toBe(2);
    const cells = probes.flatMap((probe) => planProbeCells(probe, modelWithSettings('demo/m')).cells);
    expect(cells).toHaveLength(2 * probes.length);
  });

  test('sends only schemas whose root is an object', () => {
    const cells = probes.flatMap((probe) => planProbeCells(probe, modelWithSettings('demo/m')).cells);
    const roots = cells.map(({ probe }) => probe.enforce?.schema as { type?: unknown });
    expect(roots.filter(({ type }) => type !== 'object')).toEqual([]);
  });
});
