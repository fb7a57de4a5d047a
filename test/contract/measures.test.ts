import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { project, type Ended } from './program.js';

/**
 * Probes that measure: the least cap that is enough, which keywords are enforced, what a retry mends, several steps.
 */

const suite = `suite: measures
defaults: { request: { messages: [{ role: user, content: 'What is the sentiment of this review, as json? Fine.' }] } }
probes:
  least:
    request: &mood
      response_format:
        type: json_schema
        json_schema:
          name: mood
          strict: true
          schema: { type: object, properties: { mood: { enum: [good, bad] } }, required: [mood], additionalProperties: false }
    find: { axis: max_tokens, from: 16, to: 4096, tolerance: 0.125 }
  never: { request: *mood, find: { axis: max_tokens, from: 16, to: 256, tolerance: 0.125 } }
  retried: { request: *mood, trials: 20, retry: { on: [schema_violation], max: 2, temperature: 0 } }
  flow:
    steps:
      - id: call
        request:
          messages: [{ role: user, content: 'Order 3 keyboards for Li Lei.' }]
          tools: &order
            - type: function
              function:
                name: create_order
                parameters:
                  type: object
                  properties: { buyer: { type: string }, quantity: { type: integer } }
                  required: [buyer, quantity]
                  additionalProperties: false
          tool_choice: required
        expect: { tool_call: create_order, rules: [{ id: buyer, assert: '$length(value.buyer) > 0', message: a buyer }] }
      - { id: tool, run: { result: { success: true } } }
      - id: mood
        request:
          messages: [{ role: user, content: 'What is the sentiment, as json? {{steps.call.arguments.buyer}} is glad.' }]
          response_format: { type: json_object }
  refused:
    request: { tools: *order, tool_choice: { type: function, function: { name: create_order } } }
    expect: { rejected: { status: [400], only: true } }
  cut: { request: { messages: [{ role: user, content: Count to two hundred. }], max_tokens: 8 }, expect: { outcome: truncated } }
`;
const keywords = [
  ...['schema/type-string[channel=response_format]', 'schema/enum[channel=tools]'],
  ...['schema/pattern-anchored[channel=response_format]', 'schema/all-of[channel=response_format]'],
];
const enforcing = [
  'sim-reference',
  'sim-enforce-none',
  'sim-enforce-some',
  'sim-enforce-refuse',
  'sim-enforce-broken',
  'sim-no-repeat',
];

interface Measured extends facts.Report {
  readonly cells: readonly (facts.Cell & {
    readonly recovery: { readonly recovered: number; readonly of: number } | null;
  })[];
}

let measured: Measured;
let enforced: Measured;
let ended: Ended;
beforeAll(async () => {
  const config = (models: readonly string[], suites: string): string =>
    `targets: { demo: { base_url: simulator, models: [${models.join(', ')}] } }\nsuites: [${suites}]\n`;
  const work = await project({
    'chatspec.yaml': config(['sim-budget', 'sim-unsteady', 'sim-schema-only'], 'measures.yaml'),
    'keywords.yaml': config(enforcing, "'builtin:core'"),
    'measures.yaml': suite,
  });
  const unsaid = [
    'least@demo/sim-unsteady',
    'never@demo/sim-unsteady',
    'refused@demo/sim-unsteady',
    'refused@demo/sim-budget',
  ];
  const skipped = unsaid.map((key) => `measures/${key}`);
  ended = await work.chatspec(['run', '--out', 'measured', '--skip', skipped.join(',')]);
  measured = await work.json('measured/report.json');
  const others = ['schema/enum*', 'schema/pattern*', 'schema/all*'].map((cells) => `${cells}@demo/sim-no-repeat`);
  const chosen = ['--only', keywords.join(','), '--skip', others.join(',')];
  await work.chatspec(['run', '--config', 'keywords.yaml', '--out', 'enforced', ...chosen]);
  enforced = await work.json('enforced/report.json');
});

const cellOf = (key: string) => measured.cells.find((cell) => cell.key === `measures/${key}`)!;

test('cells', async () => {
  expect(ended.code).toBe(1);
  await expect(facts.cellTable(measured)).toMatchFileSnapshot('goldens/measures/cells.txt');
});

describe('find', () => {
  test('gives the least value that passes, within its tolerance', () => {
    const { value, last_failing, curve, monotonic } = cellOf('least@demo/sim-budget').threshold as Threshold;
    // Its thinking takes 1,100 tokens, the document some more.
    expect(value).toBeGreaterThan(1100);
    expect(value).toBeLessThan(1300);
    expect(last_failing! < value! && value! <= last_failing! * 1.13).toBe(true);
    expect(monotonic).toBe(true);
    for (const [x, passed, total] of curve) expect(passed).toBe(x >= value! ? total : 0);
  });

  test('gives none where no value passes', () => {
    expect(cellOf('never@demo/sim-budget')).toMatchObject({
      verdict: 'fail',
      class: 'truncated',
      threshold: { value: null },
    });
  });
});

interface Threshold {
  readonly value: number | null;
  readonly last_failing: number | null;
  readonly monotonic: boolean;
  readonly curve: readonly (readonly [x: number, passed: number, total: number])[];
}

test('enforce says whether a keyword is enforced, ignored, refused or broken, or that it cannot be told', async () => {
  const rows = enforced.cells.map(({ key, verdict, class: failure, enforcement }) => [
    key,
    verdict,
    failure,
    enforcement,
  ]);
  const table = facts.table(['cell', 'verdict', 'class', 'enforcement'], rows.sort());
  await expect(table).toMatchFileSnapshot('goldens/measures/enforcement.txt');
});

test('retry is a figure beside the verdict, which it does not change', () => {
  const { recovery, verdict, trials } = cellOf('retried@demo/sim-unsteady');
  expect(verdict).toBe('flaky');
  expect(recovery!.of).toBe(trials.total - trials.passed);
  expect(recovery!.recovered > 0 && recovery!.recovered <= recovery!.of).toBe(true);
});
