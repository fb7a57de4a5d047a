import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aConfig, aModel, aProbe, aSuite, aTarget } from '../../test/support/build.js';
import { makePlan } from '../plan/make-plan.js';
import type { Step } from '../suite/probe.js';
import { shardOfPlan } from './shard-of-plan.js';

const ask: Step = { kind: 'ask', id: 'request', request: { messages: [] }, expect: {} };

describe('shard', () => {
  const models = (count: number) => Array.from({ length: count }, (_, index) => aModel(`t/m${index}`));
  const planOf = (count: number) => {
    const config = aConfig([aTarget('t', { baseUrl: 'simulator', models: models(count) })]);
    const probe = aProbe('s/q', {
      steps: [ask],
      needs: [{ probe: 's/p', place: { file: '', line: 1, column: 1 } }],
    });
    return makePlan({ config, suites: [aSuite('s', [aProbe('s/p', { steps: [ask] }), probe])], baseline: null }).plan;
  };

  test('divides the plan: each cell once, each model whole in one part, and the digest of the whole plan', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 8 }), (count, of) => {
        const plan = planOf(count);
        const parts = Array.from({ length: of }, (_, index) => shardOfPlan(plan, { index: index + 1, of }));
        expect(parts.flatMap(({ cells }) => cells.map(({ cell }) => cell.key)).sort()).toEqual(
          plan.cells.map(({ cell }) => cell.key).sort(),
        );
        const homes = parts.map(({ cells }) => new Set(cells.map(({ cell }) => cell.model.key)));
        expect(homes.reduce((sum, { size }) => sum + size, 0)).toBe(count);
        const sizes = homes.map(({ size }) => size);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        for (const part of parts) {
          expect([part.digest, part.plannedCells]).toEqual([plan.digest, plan.plannedCells]);
          const keys = new Set(part.cells.map(({ cell }) => cell.key));
          expect(part.cells.every(({ cell }) => cell.needs.every((need) => keys.has(need)))).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('refuses a part that there cannot be', () => {
    expect(() => shardOfPlan(planOf(1), { index: 3, of: 2 })).toThrow(RangeError);
  });
});
