import { describe, expect, test } from 'vitest';
import { aReportCell } from '../../test/support/build.js';
import { capabilitiesOf } from './capabilities.js';
import type { ReportCell } from './report-format.js';
import { tableIn } from '../../test/support/cases.js';

type Curve = readonly (readonly [number, number, number])[];

const cells = (...verdicts: ReportCell['verdict'][]) => verdicts.map((verdict) => aReportCell({ verdict }));

describe('the verdict of a capability', () => {
  test.each(tableIn('matrix', 'verdicts of capabilities') as readonly [ReportCell['verdict'][], string][])(
    '%j -> %s',
    (verdicts, expected) => {
      expect(capabilitiesOf(cells(...verdicts)).map(({ verdict }) => verdict)).toEqual([expected]);
    },
  );
});

describe('capabilitiesOf', () => {
  test('separates models and capabilities, in the order of the cells', () => {
    const all = [
      aReportCell({ capability: 'tools' }),
      aReportCell({ capability: 'chat', model: 'demo/two' }),
      aReportCell({ capability: 'tools', probe: 'other', verdict: 'fail' }),
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

  test('names the value from which a searched capability passes', () => {
    const threshold = { value: 1280, last_failing: 1024, monotonic: true, curve: [] };
    const cell = aReportCell({ capability: 'budget.json_schema', threshold });
    expect(capabilitiesOf([cell], new Map([[cell.key, 'max_tokens']]))[0]).toMatchObject({
      verdict: 'pass',
      condition: 'max_tokens >= 1280',
    });
  });

  test.each(
    tableIn('matrix', 'larger values that fail') as readonly (readonly [
      string,
      number,
      number | null,
      Curve,
      string | null,
    ])[],
  )('does not claim larger values that fail: %s', (_, value, last_failing, curve, condition) => {
    const cell = aReportCell({ threshold: { value, last_failing, monotonic: condition === null, curve } });
    expect(capabilitiesOf([cell], new Map([[cell.key, 'max_tokens']]))[0]).toMatchObject({ condition });
  });

  test('has one bound at most', () => {
    const curve = [
      [480, 0, 3],
      [512, 10, 10],
      [4096, 1, 1],
    ] as const;
    const searched = (more: [number, number, number][] = []) => {
      const cell = aReportCell({
        threshold: { value: 512, last_failing: 480, monotonic: true, curve: [...curve, ...more] },
      });
      return capabilitiesOf([cell], new Map([[cell.key, 'max_tokens']]))[0];
    };
    expect(searched()).toMatchObject({ condition: 'max_tokens >= 512' });
    expect(searched([[8192, 0, 3]])?.condition).toBeNull();
  });

  test('names the threshold together with the only setting at which it was found', () => {
    const threshold = { value: 40, last_failing: 36, monotonic: true, curve: [] };
    const off = aReportCell({ point: { thinking: 'off' }, threshold });
    const on = aReportCell({ point: { thinking: 'on' }, verdict: 'fail', threshold: { ...threshold, value: null } });
    const axes = new Map([off, on].map(({ key }) => [key, 'max_tokens']));
    expect(capabilitiesOf([on, off], axes)[0]).toMatchObject({
      condition: 'only with thinking=off and max_tokens >= 40',
      toMeet: { thinking: 'off', max_tokens: '40' },
    });
  });
});
