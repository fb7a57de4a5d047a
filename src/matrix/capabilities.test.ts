import { describe, expect, it } from 'vitest';
import { reportCell } from '../../test/support/synthetic-cell.js';
import { capabilitiesOf, capabilityVerdict } from './capabilities.js';
import type { ReportCell } from './report.js';

const cells = (...verdicts: ReportCell['verdict'][]) => verdicts.map((verdict) => reportCell({ verdict }));

describe('capabilityVerdict', () => {
  it.each<[ReportCell['verdict'][], string]>([
    [['pass', 'pass'], 'pass'],
    [['fail', 'fail'], 'fail'],
    [['pass', 'fail'], 'partial'],
    [['pass', 'fail', 'flaky'], 'partial'],
    [['pass', 'flaky'], 'flaky'],
    [['fail', 'flaky'], 'flaky'],
    [['flaky'], 'flaky'],
    [['pass', 'inconclusive', 'blocked', 'not_run'], 'pass'],
    [['fail', 'inconclusive'], 'fail'],
    [['inconclusive', 'blocked', 'not_run'], 'inconclusive'],
    [[], 'inconclusive'],
  ])('%j -> %s', (verdicts, expected) => {
    expect(capabilityVerdict(cells(...verdicts))).toBe(expected);
  });
});

describe('capabilitiesOf', () => {
  it('keeps models and capabilities apart, in the order of the cells', () => {
    const all = [
      reportCell({ capability: 'tools' }),
      reportCell({ capability: 'chat', model: 'demo/two' }),
      reportCell({ capability: 'tools', probe: 'other', verdict: 'fail' }),
    ];
    expect(
      capabilitiesOf(all).map(({ model, capability, verdict, cells: keys }) => [
        model,
        capability,
        verdict,
        keys.length,
      ]),
    ).toEqual([
      ['demo/one', 'tools', 'partial', 2],
      ['demo/two', 'chat', 'pass', 1],
    ]);
  });

  it('says from where on a searched capability passes', () => {
    const threshold = { value: 1280, last_failing: 1024, monotonic: true, curve: [] };
    const cell = reportCell({ capability: 'budget.json_schema', threshold });
    expect(capabilitiesOf([cell], new Map([[cell.key, 'max_tokens']]))[0]).toMatchObject({
      verdict: 'pass',
      condition: 'max_tokens >= 1280',
    });
  });
});
