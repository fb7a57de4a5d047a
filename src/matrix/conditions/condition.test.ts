import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReportCell } from '../../../test/support/build.js';
import { conditionOf } from './condition.js';
import type { ReportCell } from '../report-format.js';

type Verdict = 'pass' | 'fail' | 'flaky' | 'inconclusive' | 'not_run';

/** Trials that leave no doubt; a flaky cell fails half of the time. */
const counts = { pass: [10, 10], fail: [0, 10], flaky: [5, 10], inconclusive: [0, 0], not_run: [0, 0] } as const;

const cell = (
  point: Record<string, string>,
  verdict: Verdict,
  probe = 'p',
  [passed, total]: readonly [passed: number, total: number] = counts[verdict],
) => aReportCell({ point, verdict, probe, trials: { passed, total } });

/** "a=1 b=x" -> point */
const at = (text: string) =>
  Object.fromEntries(
    text
      .split(' ')
      .filter(Boolean)
      .map((pair) => pair.split('=') as [string, string]),
  );

const table: readonly [string, readonly (readonly [string, Verdict, string?])[], string | null][] = [
  [
    'a threshold',
    [
      ['max_tokens=512', 'fail'],
      ['max_tokens=1280', 'pass'],
      ['max_tokens=4096', 'pass'],
    ],
    'max_tokens >= 1280',
  ],
  [
    'an axis of one label that only the passing probe has',
    [
      ['tool_choice=object', 'pass', 'order'],
      ['', 'fail', 'named-tool'],
    ],
    'only with probe suite/order',
  ],
  [
    'an axis of several numbers that only the passing probe has',
    [
      ['max_tokens=8', 'pass', 'ladder'],
      ['max_tokens=16', 'pass', 'ladder'],
      ['', 'fail', 'plain'],
    ],
    'only with probe suite/ladder',
  ],
  [
    'an upper bound',
    [
      ['temperature=0', 'pass'],
      ['temperature=0.5', 'pass'],
      ['temperature=2', 'fail'],
    ],
    'temperature <= 0.5',
  ],
  [
    'a numeric axis in between',
    [
      ['n=1', 'fail'],
      ['n=2', 'pass'],
      ['n=3', 'fail'],
    ],
    'only with n=2',
  ],
  [
    'one good label of two',
    [
      ['thinking=enabled', 'fail'],
      ['thinking=disabled', 'pass'],
    ],
    'only with thinking=disabled',
  ],
  [
    'one bad label of several',
    [
      ['tool_choice=auto', 'pass'],
      ['tool_choice=required', 'pass'],
      ['tool_choice=object', 'fail'],
    ],
    'not with tool_choice=object',
  ],
  [
    'several of each',
    [
      ['c=1a', 'pass'],
      ['c=1b', 'pass'],
      ['c=2a', 'fail'],
      ['c=2b', 'fail'],
    ],
    'c: 1a, 1b',
  ],
  [
    'flaky is not good',
    [
      ['thinking=enabled', 'flaky'],
      ['thinking=disabled', 'pass'],
    ],
    'only with thinking=disabled',
  ],
  [
    'of cells that were not judged, nothing is said',
    [
      ['thinking=enabled', 'fail'],
      ['thinking=disabled', 'pass'],
      ['thinking=default', 'inconclusive'],
    ],
    'only with thinking=disabled; not known with thinking=default',
  ],
  [
    'cells without the axis pass',
    [
      ['stream=on', 'fail'],
      ['', 'pass', 'q'],
    ],
    'not with stream=on',
  ],
  [
    'a probe where no axis explains it',
    [
      ['a=1', 'pass', 'p'],
      ['a=1', 'fail', 'q'],
    ],
    'only with probe suite/p',
  ],
  [
    'a bad probe among several',
    [
      ['a=1', 'pass', 'p'],
      ['a=1', 'pass', 'r'],
      ['a=1', 'fail', 'q'],
    ],
    'not with probe suite/q',
  ],
  [
    'two labels that are both needed',
    [
      ['a=x b=x', 'pass'],
      ['a=x b=y', 'fail'],
      ['a=y b=x', 'fail'],
      ['a=y b=y', 'fail'],
    ],
    'only with a=x and b=x',
  ],
  [
    'a threshold and a label',
    [
      ['n=1 t=off', 'fail'],
      ['n=2 t=off', 'pass'],
      ['n=1 t=on', 'fail'],
      ['n=2 t=on', 'fail'],
    ],
    'n >= 2 and only with t=off',
  ],
  [
    'two labels that must not be combined',
    [
      ['a=x b=x', 'pass'],
      ['a=x b=y', 'pass'],
      ['a=y b=x', 'pass'],
      ['a=y b=y', 'fail'],
    ],
    'not with a=y and b=y together',
  ],
  [
    'the smaller explanation wins',
    [
      ['a=w b=1', 'pass'],
      ['a=x b=1', 'pass'],
      ['a=y b=2', 'fail'],
      ['a=z b=2', 'fail'],
    ],
    'b <= 1',
  ],
  [
    'two failures that have nothing to do with each other',
    [
      ['a=x b=x', 'pass'],
      ['a=y b=y', 'pass'],
      ['a=x b=y', 'fail'],
      ['a=y b=x', 'fail'],
    ],
    'not with a=x and b=y together and not with a=y and b=x together',
  ],
  [
    'a threshold of one setting, and what must not be combined',
    [
      ['t=on n=1', 'fail'],
      ['t=on n=2', 'pass'],
      ['t=on n=4', 'pass'],
      ['t=off n=1', 'pass'],
      ['t=off n=2', 'pass'],
      ['t=off n=4', 'pass'],
      ['t=high n=1', 'fail'],
      ['t=high n=2', 'pass'],
      ['t=high n=4', 'fail'],
    ],
    'not with t: on, high and n < 2 together and not with t=high and n > 2 together',
  ],
  [
    'three labels that must not be combined',
    ['xxx', 'xxy', 'xyx', 'xyy', 'yxx', 'yxy', 'yyx', 'yyy'].map((labels): [string, Verdict] => [
      `a=${labels.charAt(0)} b=${labels.charAt(1)} c=${labels.charAt(2)}`,
      labels === 'yyy' ? 'fail' : 'pass',
    ]),
    'not with a=y and b=y and c=y together',
  ],
  [
    'bounds of two probes, which are not joined',
    [
      ['n=1', 'fail', 'p'],
      ['n=8', 'pass', 'p'],
      ['n=1', 'pass', 'q'],
      ['n=8', 'fail', 'q'],
    ],
    'not with n < 8 and probe suite/p together and not with n > 1 and probe suite/q together',
  ],
  [
    'no upper bound where nothing above it failed for the same probe',
    [
      ['n=1', 'pass', 'p'],
      ['n=2', 'pass', 'p'],
      ['n=8', 'fail', 'q'],
      ['n=9', 'fail', 'q'],
    ],
    'not with n: 8, 9',
  ],
  [
    'too much noise for a condition',
    Array.from({ length: 24 }, (_, index): [string, Verdict] => [`n=${index}`, index % 2 === 0 ? 'pass' : 'fail']),
    null,
  ],
  [
    'of what one label explains as well as another, nothing is said',
    [
      ['a=x b=x', 'pass'],
      ['a=y b=y', 'fail'],
      ['a=x b=y', 'not_run'],
      ['a=y b=x', 'not_run'],
    ],
    'only with a=x; not known with a=x and b=y together and not known with a=y and b=x together',
  ],
  [
    'nothing to explain',
    [
      ['a=x', 'pass'],
      ['a=y', 'pass'],
    ],
    null,
  ],
];

describe('conditionOf', () => {
  test.each(table)('%s', (_, cells, text) => {
    expect(conditionOf(cells.map(([point, verdict, probe]) => cell(at(point), verdict, probe)))?.text ?? null).toBe(
      text,
    );
  });

  test('calls no pass of few trials certain where others of its kind pass as often', () => {
    const broken = ['on', 'off'].flatMap((stream) =>
      ['a', 'b', 'c'].map((form) => cell({ stream, form }, 'flaky', 'p', [4, 10])),
    );
    const fine = ['a', 'b', 'c'].map((form) => cell({ stream: 'on', form: `${form}2` }, 'pass'));
    const lucky = cell({ stream: 'off', form: 'b', length: 'long' }, 'pass', 'p', [1, 1]);
    const text = 'form: a2, b2, c2; not known with length=long';
    expect(conditionOf([...broken, ...fine, lucky])?.text).toBe(text);
    expect(conditionOf([...broken, lucky])).toBeNull();
  });

  test('does not say that a probe passes that may have passed by luck', () => {
    const failing = [cell({}, 'fail', 'p', [0, 3]), cell({ tools: '1' }, 'fail', 'p', [0, 3])];
    const said = (passed: number) => conditionOf([...failing, cell({}, 'pass', 'q', [passed, passed])])?.text;
    expect(said(1)).toBe('not with probe suite/p; not known with probe suite/q');
    expect(said(10)).toBe('only with probe suite/q');
  });

  test('does not say that a request passes which other probes show to pass only sometimes', () => {
    const refused = { verdict: 'fail', class: 'http_error', reason: 'parameter_rejected', status: 400 } as const;
    const tools = aReportCell({ probe: 'tools', point: {}, ...refused, trials: { passed: 0, total: 3 } });
    const said = (trials: readonly [number, number], others: readonly ReportCell[]) => {
      const cells = [tools, cell({}, 'pass', 'schema', trials)];
      const kindOf = ({ probe }: ReportCell) => (probe === 'tools' ? 'tools' : 'schema');
      return conditionOf(cells, { ofModel: [...cells, ...others], kindOf })?.text;
    };
    const sometimes = [cell({}, 'flaky', 'invoice', [3, 7]), cell({ cap: '8' }, 'flaky', 'invoice', [2, 5])];
    const open = 'not with probe suite/tools; not known with probe suite/schema';
    expect(said([3, 3], [])).toBe('only with probe suite/schema');
    expect(said([3, 3], sometimes)).toBe(open);
    expect(said([10, 10], sometimes)).toBe('only with probe suite/schema');
    // Then something else, such as the prompt or the cap, decides.
    expect(said([3, 3], [...sometimes, cell({}, 'pass', 'order')])).toBe('only with probe suite/schema');
    expect(said([3, 3], [cell({}, 'fail', 'invoice', [0, 7])])).toBe('only with probe suite/schema');
  });

  test('does not say of a request without the axis that it passes, if its few passes may be luck', () => {
    const failing = cell({ tool_choice: 'object' }, 'fail', 'order', [0, 3]);
    const said = (passed: number) =>
      conditionOf([failing, cell({}, 'pass', 'named-tool', [passed, passed])])?.text ?? null;
    expect(said(2)).toBe('not with tool_choice=object; not known with probe suite/named-tool');
    expect(said(10)).toBe('not with tool_choice=object');
    const others = cell({ tool_choice: 'auto' }, 'pass', 'order');
    expect(conditionOf([failing, others, cell({}, 'pass', 'named-tool', [2, 2])])?.text).toBe(
      'not with tool_choice=object',
    );
  });

  test('leaves open on which side of a bound a probe lies that sends a number of its own', () => {
    const ladder = [cell({ n: '512' }, 'fail'), cell({ n: '1024' }, 'fail'), cell({ n: '4096' }, 'pass')];
    expect(conditionOf([...ladder, cell({}, 'pass', 'q', [1, 1])])?.text).toBe(
      'n >= 4096; not known with probe suite/q',
    );
  });

  test.each([
    ['a wrong answer may be a right one the next time', { class: 'not_json' }, 'not with a=x; not known with a=y'],
    ['a refusal is no matter of luck', { class: 'http_error', reason: 'parameter_rejected' }, 'only with a=y'],
    ['so is a 500 that is repeated', { class: 'http_error', reason: 'server_error', status: 500 }, 'only with a=y'],
  ] as const)('one pass beside three failures: %s', (_, how, text) => {
    const failing = { ...cell({ a: 'x' }, 'fail', 'p', [0, 3]), ...how };
    expect(conditionOf([failing, cell({ a: 'y' }, 'pass', 'p', [1, 1])])?.text).toBe(text);
  });

  test('leaves open a request without the axis in words that mean it', () => {
    const cells = [
      cell({ tool_choice: 'required', thinking: 'on' }, 'fail', 'tools', [0, 3]),
      cell({ tool_choice: 'object', thinking: 'on' }, 'pass', 'tools', [1, 1]),
      cell({ thinking: 'on' }, 'pass', 'json', [1, 1]),
    ];
    expect(conditionOf(cells)?.text).toBe(
      'not with tool_choice=required; not known with tool_choice=object and not known with probe suite/json',
    );
  });

  test('never tells probes apart by whether they have an axis', () => {
    const cells = ['off', 'on'].map((stream) => cell({ stream }, 'fail', 'p'));
    expect(conditionOf([...cells, cell({}, 'pass', 'q')])?.text).toBe('only with probe suite/q');
  });

  test('leaves open what few trials say against it', () => {
    const cells = ['1', '2', '4'].map((n) => cell({ n }, n === '1' ? 'fail' : 'pass'));
    expect(conditionOf([...cells, cell({ n: '3' }, 'flaky', 'p', [3, 4])])?.text).toBe('n >= 2; not known with n=3');
  });

  test.each([
    ['a bound', ['n=1', 'n=2+', 'n=8+'], { n: 8 }],
    ['an upper bound as well', ['n=1', 'n=2+', 'n=8'], {}],
    ['no bound', ['t=on', 't=off+'], {}],
    [
      'a bound of one setting',
      ['t=on n=1', 't=on n=2+', 't=on n=4+', 't=off n=1+', 't=off n=2+', 't=off n=8+'],
      { n: 4 },
    ],
  ])('says how far it was asked: %s', (_, points, ends) => {
    const cells = points.map((text) => cell(at(text.replace('+', '')), text.endsWith('+') ? 'pass' : 'fail'));
    expect(conditionOf(cells)?.askedUpTo).toEqual(ends);
  });

  test('comes with the settings of a request that meets it', () => {
    const cells = [
      cell({ n: '1', t: 'off' }, 'fail'),
      cell({ n: '2', t: 'off' }, 'pass'),
      cell({ n: '2', t: 'on' }, 'fail'),
    ];
    expect(conditionOf(cells)?.settings).toEqual({ n: '2', t: 'off' });
  });

  test('names a label as it is written', () => {
    const cells = [cell({ n: '04' }, 'fail'), cell({ n: '08' }, 'pass'), cell({ n: '016' }, 'pass')];
    expect(conditionOf(cells)).toMatchObject({ text: 'n >= 8', settings: { n: '08' } });
  });

  test('is the same for any order of the cells, except for wording', () => {
    const label = fc.constantFrom('1', '2', '3');
    const cells = fc.uniqueArray(fc.record({ a: label, b: label, pass: fc.boolean() }), {
      selector: ({ a, b }) => a + b,
      minLength: 2,
    });
    const made = (all: readonly { a: string; b: string; pass: boolean }[]): ReportCell[] =>
      all.map(({ a, b, pass }) => cell({ a, b }, pass ? 'pass' : 'fail'));
    fc.assert(
      fc.property(cells, (all) => {
        const there = conditionOf(made(all));
        const back = conditionOf(made(all.toReversed()));
        expect(back === null).toBe(there === null);
      }),
    );
  });
});
