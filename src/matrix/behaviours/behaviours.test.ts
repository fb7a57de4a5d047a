import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { aReportCell } from '../../../test/support/build.js';
import type { Behaviour } from '../../suite/probe.js';
import { behaviourCell, behavioursOf } from './behaviours.js';
import { capabilitiesOf } from '../capabilities.js';
import type { SeenPrompt } from '../gathered.js';
import type { ReportCell } from '../report-format.js';
import { tableIn } from '../../../test/support/cases.js';

const place = { file: 'suite.yaml', line: 3, column: 5 };

async function found(behaviour: Partial<Behaviour>, cells: readonly ReportCell[], reasoning = 0) {
  const seen = { finding: null, exchanges: [], failures: [], reasoningTookTokens: reasoning };
  return behavioursOf({
    behaviours: [{ id: 'b', title: 'T', when: 'false', advice: 'A', place, ...behaviour }],
    model: 'demo/one',
    cells: cells.map((cell) => behaviourCell(cell, seen)),
    capabilities: Object.fromEntries(capabilitiesOf(cells).map(({ capability, verdict }) => [capability, verdict])),
  });
}

const budget = (label: string, verdict: ReportCell['verdict']) =>
  aReportCell({ probe: 'budget', capability: 'budget.json_schema', point: { max_tokens: label }, verdict });
const choice = (label: string, verdict: ReportCell['verdict'], status = 500) =>
  aReportCell({
    ...{ probe: 'order', capability: `tool_choice.${label}`, point: { tool_choice: label }, verdict },
    ...(verdict === 'fail' ? { class: 'http_error' as const, reason: 'tool_choice_unsupported' as const, status } : {}),
  });
const cells = [
  choice('auto', 'pass'),
  choice('required', 'pass'),
  choice('object', 'fail'),
  budget('256', 'fail'),
  budget('1280', 'pass'),
  budget('4096', 'pass'),
];
const prompts = "( $same := $samePrompts('*'); $same ? { 'cells': $same, 'n': $same[0].prompt_tokens } )";
const object = 'suite/order[tool_choice=object]@demo/one';

describe('the vocabulary', () => {
  test.each(tableIn('matrix', 'vocabulary of behaviours') as readonly [string, readonly string[]][])(
    '%s',
    async (when, keys) => {
      const { behaviours, problems } = await found({ when }, cells);
      expect(problems).toEqual([]);
      expect(behaviours.flatMap((one) => one.cells)).toEqual(keys);
    },
  );

  test('takes no failure as evidence that a flaky need explains', async () => {
    const flaky = { ...choice('object', 'flaky'), class: 'schema_violation' as const };
    const explained = { ...flaky, flaky_needs: { cells: ['suite/need@demo/one'], explain: true } };
    for (const when of ["$flaky('*')", "$falters('*')", "$broken('*') ? $cells()", "$fails('*')"]) {
      expect((await found({ when }, [explained])).behaviours).toEqual([]);
    }
    const more = { ...flaky, flaky_needs: { cells: ['suite/need@demo/one'], explain: false } };
    expect((await found({ when: "$flaky('*')" }, [more])).behaviours).toMatchObject([{ cells: [object] }]);
    expect((await found({ when: 'cells[explained_by_need]' }, [explained])).behaviours).toHaveLength(1);
  });

  const prompt = (messages: string, tokens: number, has_tools = false) => ({ messages, tokens, has_tools, calls: 0 });
  test.each([
    ['the same', [prompt('a', 37), prompt('b', 40)], [prompt('a', 37, true)], 1],
    ['another number', [prompt('a', 37), prompt('b', 40)], [prompt('a', 38, true)], 0],
    ['once the same, once not', [prompt('a', 37), prompt('b', 40)], [prompt('a', 37, true), prompt('b', 90, true)], 0],
    ['other messages', [prompt('a', 37), prompt('b', 40)], [prompt('c', 37, true)], 0],
    ['one number for all', [prompt('a', 37), prompt('b', 37)], [prompt('a', 37, true)], 0],
    ['never without tools', [prompt('b', 40)], [prompt('a', 37, true)], 0],
  ])('finds prompts that cost as much with tools: %s', async (_, bare, declared, expected) => {
    const seen = (prompts: readonly SeenPrompt[]) => ({
      finding: null,
      exchanges: [],
      failures: [],
      reasoningTookTokens: 0,
      prompts,
    });
    const [plain, tools] = [choice('auto', 'pass'), choice('required', 'pass')];
    const { behaviours, problems } = await behavioursOf({
      behaviours: [{ id: 'b', title: 'T {{n}}', when: prompts, advice: 'A', place }],
      model: 'demo/one',
      cells: [behaviourCell(plain, seen(bare)), behaviourCell(tools, seen(declared))],
      capabilities: {},
    });
    expect(problems).toEqual([]);
    expect(behaviours.map(({ title, cells: shown }) => [title, shown])).toEqual(
      expected === 0 ? [] : [['T 37', ['suite/order[tool_choice=required]@demo/one']]],
    );
  });

  test('tells whether cells pass less often than others, beyond chance', async () => {
    const counted = (probe: string, passed: number, total: number, more: Partial<ReportCell> = {}) =>
      aReportCell({
        ...{ probe, capability: probe, trials: { passed, total }, verdict: passed === total ? 'pass' : 'flaky' },
        ...more,
      });
    const learned = { known: [3, 20] as const, doubt: [], changed: 1, holds: 1, bound: 1200 };
    const explained = { flaky_needs: { cells: ['suite/often@demo/one'], explain: true } };
    const all = [
      counted('often', 20, 20),
      counted('seldom', 2, 6),
      counted('half', 3, 6),
      counted('once', 0, 1),
      counted('long', 0, 1, { evidence: learned, standing: 'as_expected' }),
      counted('explained', 0, 20, explained),
    ];
    for (const [asked, isTold] of [
      ["$worse('seldom', 'often')", true],
      ["$worse('often', 'seldom')", false],
      ["$worse('seldom', 'half')", false],
      ["$worse('once', 'half')", false],
      ["$worse('long', 'half')", false],
      ["$worse('long', ['half', 'often'])", true],
      ["$worse(cells[probe = 'seldom'], $passes('*'))", true],
      ["$worse('seldom', ['seldom', 'half'])", false],
      ["$worse('half', 'explained')", false],
      ["$worse('seldom', 'no.such')", false],
      ["$worse('no.such', 'often')", false],
    ] as const) {
      const { behaviours, problems } = await found({ when: `${asked} ? $cells()` }, all);
      expect(problems).toEqual([]);
      expect(behaviours.length, asked).toBe(isTold ? 1 : 0);
    }
  });

  test('reports nothing if unless is true', async () => {
    const when = "$fails('tool_choice.object')";
    expect((await found({ when, unless: "$passes('tool_choice.auto')" }, cells)).behaviours).toEqual([]);
    expect((await found({ when, unless: "$passes('no.such')" }, cells)).behaviours).toHaveLength(1);
  });

  test('puts numbers into title and advice', async () => {
    const when = "{ 'cells': $fails('budget.*'), 'threshold': $threshold('budget.*', 'max_tokens') }";
    const { behaviours } = await found(
      { when, title: 'from {{threshold}}', advice: 'send {{threshold}} to {{model}}' },
      cells,
    );
    expect(behaviours[0]).toMatchObject({ title: 'from 1280', advice: 'send 1280 to demo/one' });
  });

  test.each([
    ['true', /returned true/],
    ["'suite/none@demo/one'", /not a cell/],
    ['$fails(', /./],
    ['$nonsense()', /./],
    ['( $f := function($x) { $f($x + 1) + 1 }; $f(0) )', /./],
    ['( $f := function($x) { $f($x + 1) }; $f(0) )', /./],
    [`$contains("${'a'.repeat(40)}b", /^(a+)+$/)`, /stopped after|time/i],
  ])('reports %s as a problem with its place, and continues', async (when, message) => {
    const { behaviours, problems } = await found({ when }, cells);
    expect(behaviours).toEqual([]);
    const error: unknown = expect.stringMatching(message);
    expect(problems).toEqual([{ kind: 'behaviour', id: 'b', place: 'suite.yaml:3', model: 'demo/one', error }]);
  });
});

describe('the built-in behaviours', () => {
  const folder = new URL('../../../suites/core/', import.meta.url);
  const all = readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .flatMap(
      (name) => (parse(readFileSync(new URL(name, folder), 'utf8')) as { behaviours?: Behaviour[] }).behaviours ?? [],
    );

  test.each(all.map((behaviour) => [behaviour.id, behaviour] as const))(
    '%s is not reported where everything passes, and gives no error',
    async (_, behaviour) => {
      const passing = cells.map((cell) => ({
        ...cell,
        verdict: 'pass' as const,
        class: null,
        reason: null,
        status: null,
      }));
      expect(await found(behaviour, passing)).toEqual({
        behaviours: [],
        problems: [],
      });
      expect(await found(behaviour, [])).toEqual({
        behaviours: [],
        problems: [],
      });
    },
  );
});
