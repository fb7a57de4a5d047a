import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import { acceptedBy } from '../../../baseline/accept-cell.js';
import type { ExpectedCell, Report, ReportCell, ReportQuirk } from '../../../matrix/report-format.js';
import { deviationsOf } from '../../../matrix/standing/deviations.js';
import type { Cause } from './cause.js';
import { amongText } from '../../history/since-text.js';
import { causesOf } from './causes-of.js';

const passing: ExpectedCell = {
  ...{ verdict: 'pass', class: null, reason: null, status: null, passed: null, total: null, date: null },
  ...{ note: null, link: null, threshold: null },
};
const http500 = { verdict: 'fail', class: 'http_error', reason: 'server_error', status: 500 } as const;

type Changes = Parameters<typeof aReportCell>[0];
const ok = (changes: Changes): ReportCell => aReportCell({ standing: 'as_expected', expected: passing, ...changes });
const lost = (changes: Changes): ReportCell =>
  aReportCell({ standing: 'regression', expected: passing, ...http500, ...changes });

const qwen = 'demo/qwen3-235b';
const glm = 'demo/glm-4';
const labels = ['none', 'auto', 'required', 'object'] as const;

/** Object tool_choice is lost in two probes of a model. */
const objectLost = (model: string, failure: Changes = {}): ReportCell[] =>
  ['order', 'cancel'].flatMap((probe) =>
    labels.map((label) => {
      const cell = { suite: 'tool-choice', probe, model, point: { tool_choice: label } };
      const capability = `tool_choice.${label}`;
      return label === 'object' ? lost({ ...cell, capability, ...failure }) : ok({ ...cell, capability });
    }),
  );

const passes = { verdict: 'pass', standing: 'as_expected', class: null, reason: null, status: null } as const;
const reportOf = (cells: readonly ReportCell[], more: Partial<Report> = {}): Report =>
  aReport({ cells, models: [...new Set(cells.map(({ model }) => model))].map((id) => aReportModel(id)), ...more });
const sentences = (report: Report): string[] => causesOf(report, 'r').map(({ sentence }) => sentence);

describe('what deviations have in common', () => {
  test('is the label that no passing cell of the model has', () => {
    const report = reportOf(objectLost(qwen));
    expect(sentences(report)).toEqual([
      'qwen3-235b: tool_choice=object now fails with HTTP 500, server_error (2 cells)',
    ]);
    expect(causesOf(report, 'r')[0]).toMatchObject({
      ...{ direction: 'lost', models: [qwen], subject: 'tool_choice=object', before: 'passes' },
      ...{ now: 'fails with HTTP 500, server_error', amount: '2 cells', since: null, notes: [] },
      evidence: "chatspec evidence r 'tool-choice/order[tool_choice=object]@demo/qwen3-235b'",
      accept: { command: "chatspec baseline accept r --only '*[tool_choice=object]@demo/qwen3-235b'", also: null },
    });
  });

  test('is said once of models that changed alike, and names them all', () => {
    const report = reportOf([...objectLost(qwen), ...objectLost(glm)]);
    expect(sentences(report)).toEqual([
      'qwen3-235b and glm-4: tool_choice=object now fails with HTTP 500, server_error (4 cells)',
    ]);
  });

  test('is that any answer may fail, where the cells of a model prove together what none of them does', () => {
    const crashed = { class: 'malformed_response', reason: 'server_error' } as const;
    const shared = { ...crashed, runs: 1, failed: 18, total: 160, before: { failed: 0, total: 320 } };
    const cells = objectLost(qwen).map((cell, index) =>
      index < 3
        ? lost({ ...cell, ...crashed, verdict: 'flaky', standing: 'regression', status: 200, shared })
        : ok({ ...cell, ...passes }),
    );
    expect(sentences(reportOf([...cells, ...objectLost(glm)]))).toEqual([
      'qwen3-235b: answers now fail with malformed_response (server_error) in 18 of 160 first trials, 0 of 320 before (3 of 8 cells)',
      'glm-4: tool_choice=object now fails with HTTP 500, server_error (2 cells)',
    ]);
  });

  test('names the capabilities of such cells where no other failed', () => {
    const crashed = { class: 'not_json', reason: null } as const;
    const shared = { ...crashed, runs: 3, failed: 9, total: 204, before: { failed: 0, total: 144 } };
    const cells = Array.from({ length: 34 }, (_, index) => {
      const cell = { probe: `p${index}`, model: qwen, capability: index < 3 ? 'json_object' : `other-${index % 8}` };
      return index < 3 ? lost({ ...cell, ...crashed, standing: 'regression', status: 200, shared }) : ok(cell);
    });
    const report = reportOf(cells);
    const withShared = (keys: readonly string[]) => ({
      ...report,
      models: report.models.map((model) => ({
        ...model,
        shared_failures: [{ ...shared, alarm: true, cells: Object.fromEntries(keys.map((key) => [key, 3])) }],
      })),
    });
    const keys = report.cells.map(({ key }) => key);
    const said = 'qwen3-235b: answers now fail with not_json in 9 of 204 first trials, 0 of 144 before (3 of 34 cells';
    expect(sentences(withShared(keys.slice(0, 3)))).toEqual([`${said}, all of json_object)`]);
    // In the runs before, others failed.
    expect(sentences(withShared(keys.slice(0, 8)))).toEqual([`${said})`]);
  });

  test('does not join what fails in another way', () => {
    const report = reportOf([...objectLost(qwen), ...objectLost(glm, { status: 502 })]);
    expect(sentences(report)).toEqual([
      'qwen3-235b: tool_choice=object now fails with HTTP 500, server_error (2 cells)',
      'glm-4: tool_choice=object now fails with HTTP 502, server_error (2 cells)',
    ]);
  });

  test('counts a probe without the axis whose capability says that it sends the same', () => {
    const named = { suite: 'tools', probe: 'named-tool', model: qwen, capability: 'tool_choice.object' };
    expect(sentences(reportOf([...objectLost(qwen), lost(named)]))).toEqual([
      'qwen3-235b: tool_choice=object now fails with HTTP 500, server_error (3 cells)',
    ]);
    // If it passes, the label does not tell them apart.
    expect(sentences(reportOf([...objectLost(qwen), ok(named)]))[0]).not.toContain('tool_choice=object now fails');
  });

  test('counts a probe without the axis whose capability is the label', () => {
    const word = { suite: 'json-word', probe: 'word', model: qwen };
    const cells = [
      lost({ ...word, point: { response_format: 'json_object' }, capability: 'json_word' }),
      lost({ suite: 'json-object', probe: 'task', model: qwen, capability: 'json_object' }),
      ok({ ...word, point: { response_format: 'json_schema' }, capability: 'json_word' }),
    ];
    expect(sentences(reportOf(cells))).toEqual([
      'qwen3-235b: response_format=json_object now fails with HTTP 500, server_error (2 cells)',
    ]);
  });

  test('is a bound where the labels are numbers', () => {
    const cell = (cap: number) => ({ suite: 'budget', probe: 'p', model: qwen, point: { max_tokens: String(cap) } });
    const cells = [
      ...[64, 128, 256].map((cap) => lost({ ...cell(cap), class: 'truncated', status: 200, reason: null })),
      ...[512, 1024].map((cap) => ok(cell(cap))),
    ];
    expect(sentences(reportOf(cells))).toEqual(['qwen3-235b: max_tokens <= 256 now fails with truncated (3 cells)']);
  });

  test('is the capability where no label tells them apart, and everything where nothing passes', () => {
    const cells = ['a', 'b', 'c'].map((probe) => lost({ probe, model: qwen, capability: 'json_schema' }));
    const fine = ok({ probe: 'd', model: qwen, capability: 'chat' });
    expect(sentences(reportOf([...cells, fine]))).toEqual([
      'qwen3-235b: json_schema now fails with HTTP 500, server_error (3 cells)',
    ]);
    const more = lost({ probe: 'd', model: qwen, capability: 'chat' });
    expect(sentences(reportOf([...cells, more]))).toEqual([
      'qwen3-235b: everything now fails with HTTP 500, server_error (4 cells)',
    ]);
  });

  test('is the family where passing cells share all the rest, and the sentence counts them', () => {
    const point = { tool_choice: 'object' };
    const capability = 'tool_choice.object';
    const cells = ['a', 'b'].map((probe) => lost({ suite: 's', probe, model: qwen, point, capability }));
    const fine = ['a', 'b', 'c'].map((probe) =>
      ok({ suite: 's', probe, model: qwen, point: { ...point, stream: 'true' }, capability }),
    );
    expect(sentences(reportOf([...cells, ...fine]))).toEqual([
      'qwen3-235b: part of tool_choice now fails with HTTP 500, server_error (2 of 5 cells)',
    ]);
  });

  test('is only the cell itself where it stands alone', () => {
    const one = { suite: 's', probe: 'a', model: qwen, capability: 'chat', point: { n: 'x' } };
    const fine = ok({ ...one, probe: 'b' });
    const twin = ok({ ...one, point: { n: 'x', m: 'y' } });
    expect(sentences(reportOf([lost(one), fine, twin]))).toEqual([
      'qwen3-235b: s/a[n=x] now fails with HTTP 500, server_error (1 cell)',
    ]);
  });

  test('leaves no room for a label that failed before as well: the sentence counts those cells', () => {
    const cells = objectLost(qwen);
    const known = aReportCell({
      ...{ suite: 'stream', probe: 'order', model: qwen, point: { tool_choice: 'object' }, ...http500 },
      ...{ standing: 'as_expected', expected: { ...passing, ...http500 } },
    });
    expect(sentences(reportOf([...cells, known]))).toEqual([
      'qwen3-235b: tool_choice=object now fails with HTTP 500, server_error (2 of 3 cells)',
    ]);
  });
});

describe('directions', () => {
  const failing: ExpectedCell = {
    ...passing,
    ...http500,
    date: '2026-11-01',
    note: 'asked vendor',
    link: 'https://x.y',
  };
  const gained = { standing: 'improvement', verdict: 'pass', expected: failing } as const;

  test('tell good news from bad, whatever the exit code, and bad news comes first', () => {
    const cells = [
      aReportCell({ probe: 'a', model: qwen, capability: 'json_object', ...gained }),
      lost({ probe: 'b', model: qwen, capability: 'tools' }),
      aReportCell({
        ...{ probe: 'c', model: qwen, capability: 'json_schema', standing: 'changed', expected: failing },
        ...{ verdict: 'fail', class: 'not_json', status: 200 },
      }),
      aReportCell({ probe: 'd', model: qwen, capability: 'chat', standing: 'new', verdict: 'fail', class: 'not_json' }),
    ];
    const quirk: ReportQuirk = {
      ...{ model: qwen, quirk: 'usage_missing', standing: 'new', seen: 3, of: 3, only: null, exchange: 'x9' },
      ...{ cells: [cells[0]!.key], breaks: ['meters: 0'] },
    };
    const gone = aReportModel(glm, { standing: 'gone', reachable: false });
    const report = reportOf(cells, { wire: [quirk], models: [aReportModel(qwen), gone] });
    const causes = causesOf(report, 'r');
    expect(causes.map(({ mark, sentence }) => `${mark.glyph} ${mark.tone} ${sentence}`)).toEqual([
      '▼ bad qwen3-235b: tools now fails with HTTP 500, server_error (1 cell)',
      '✖ bad glm-4: no longer known to the service, while another model answers (1 model)',
      '◆ open qwen3-235b: json_schema now fails with not_json (before: HTTP 500, server_error) (1 cell)',
      '● open qwen3-235b: chat fails with not_json, and is not in the baseline (1 cell)',
      '⇄ open qwen3-235b: usage_missing has become the rule (1 model)',
      '▲ good qwen3-235b: json_object now passes (1 cell)',
    ]);
    expect(causes.at(-1)).toMatchObject({
      notes: ['asked vendor https://x.y'],
      before: 'fails with HTTP 500, server_error',
    });
    expect(causes[1]?.accept.command).toBeNull();
    // The quirk shows only in a cell that deviates itself.
    expect(causes[4]?.accept).toEqual({
      command: `chatspec baseline accept r --only ${cells[0]!.key}`,
      also: `This also accepts ${cells[0]!.key}.`,
    });
    expect(causes[5]?.accept).toMatchObject({ also: `This also accepts usage_missing of ${qwen}.` });
  });

  test('say since how many runs', () => {
    const runs = (...numbers: (number | undefined)[]) =>
      causesOf(
        reportOf(
          numbers.map((runs_in_a_row, index) =>
            lost({ probe: `p${index}`, model: qwen, ...(runs_in_a_row && { runs_in_a_row }) }),
          ),
        ),
        'r',
      ).map(({ since }) => since && amongText(since))[0];
    expect([runs(undefined), runs(3, 3), runs(2, undefined)]).toEqual([
      null,
      'for 3 runs in a row',
      'the first of them for 2 runs in a row',
    ]);
  });

  test('say the numbers where the change is about them', () => {
    const threshold = {
      value: 1280,
      last_failing: 512,
      monotonic: true,
      curve: [
        [512, 0, 8],
        [1280, 8, 8],
      ],
    } as const;
    const risen = lost({
      ...{ probe: 'a', model: qwen, capability: 'budget.tools', verdict: 'pass', class: null, reason: null },
      ...{ status: null, threshold, expected: { ...passing, threshold: 512 } },
    });
    const flaky: ExpectedCell = { ...passing, verdict: 'flaky', class: 'not_json', passed: 19, total: 20 };
    const worse = lost({
      ...{
        probe: 'b',
        model: qwen,
        capability: 'chat',
        verdict: 'flaky',
        class: 'not_json',
        reason: null,
        status: 200,
      },
      ...{ expected: flaky, trials: { passed: 9, total: 20 } },
    });
    const causes = causesOf(reportOf([risen, worse]), 'r');
    expect(causes.map(({ sentence, before, figures }) => [sentence, before, figures])).toEqual([
      [
        'qwen3-235b: budget.tools now passes only from a larger value (1 cell)',
        'passes from a smaller value',
        'expected to pass from 512, now passes from 1280 (at 512, 0 of 8 passed)',
      ],
      [
        'qwen3-235b: chat now passes less often, and fails with not_json (1 cell)',
        'is flaky: not_json',
        'known to be flaky (not_json, 19 of 20 passed), now passes less often (9 of 20 passed): not_json',
      ],
    ]);
    expect(causesOf(reportOf([lost({ model: qwen })]), 'r')[0]?.figures).toBeNull();
  });

  test.each<[Partial<Report['run']>, RegExp]>([
    [{ complete: false }, /truncated/],
    [{ profile: 'smoke' }, /smoke run/],
  ])('no command is shown that the run would refuse (%j)', (more, why) => {
    const report = reportOf(objectLost(qwen));
    const [cause] = causesOf({ ...report, run: { ...report.run, ...more } }, 'r');
    expect(cause?.accept).toEqual({ command: null, why: expect.stringMatching(why) as string });
  });
});

const aWord = fc.constantFrom('a', 'b', 'aa', 'ab');
const aNumber = fc.constantFrom('1', '16', '160');
const aCell = fc
  .record({
    model: fc.constantFrom('demo/m', 'demo/n', 'demo/mm'),
    suite: aWord,
    probe: aWord,
    point: fc.record({ n: aNumber, t: aWord, st: aWord }, { requiredKeys: [] }),
    capability: fc.constantFrom('chat', 'tools.a', 'tools.b', 'json.a'),
    kind: fc.constantFrom('ok', 'ok', 'lost', 'gained', 'known', 'new', 'open'),
    status: fc.constantFrom(400, 500),
  })
  .map(({ kind, status, ...place }): ReportCell => {
    const failure = { ...http500, status };
    switch (kind) {
      case 'lost':
        return lost({ ...place, status });
      case 'gained':
        return aReportCell({ ...place, standing: 'improvement', expected: { ...passing, ...failure } });
      case 'known':
        return aReportCell({ ...place, ...failure, standing: 'as_expected', expected: { ...passing, ...failure } });
      case 'new':
        return aReportCell({ ...place, ...failure, standing: 'new' });
      case 'open':
        return aReportCell({ ...place, verdict: 'inconclusive' });
      default:
        return ok(place);
    }
  });
const cellsOfARun = fc.uniqueArray(aCell, { selector: ({ key }) => key, maxLength: 40 });

/** What the subject says of a cell, read from its text alone. */
function isSaidOf(subject: string, cell: ReportCell): boolean {
  const names = subject.replace(/^(?:each|part) of /, '').split(/, | and /);
  if (names.at(-1) !== 'others') return names.some((name) => isNamed(name, cell));
  return names.includes(cell.capability.split('.')[0] ?? '');
}

function isNamed(subject: string, { point, capability, suite, probe, key }: ReportCell): boolean {
  const [, axis, sign, value] = /^(\w+)( <= | >= |=)([\w.]+)$/.exec(subject) ?? [];
  if (axis !== undefined && value !== undefined) {
    const label = point[axis];
    if (label === undefined) return sign === '=' && [`${axis}.${value}`, value].includes(capability);
    if (sign === '=') return label === value;
    return sign === ' <= ' ? Number(label) <= Number(value) : Number(label) >= Number(value);
  }
  const family = capability.split('.')[0] ?? '';
  const names = ['everything', capability, family, `probe ${suite}/${probe}`, `suite ${suite}`, key.split('@')[0]];
  return names.includes(subject);
}

const headOf = ({ direction, subject, before, now, models }: Cause): unknown => [
  direction,
  subject,
  before,
  now,
  [...models].sort(),
];

test('the same failure of one model at many places is one cause, which names them', () => {
  const place = (capability: string, probe: string) => ({ model: 'demo/m', capability, suite: probe, probe });
  const fine = [ok(place('chat', 'plain')), ok(place('tools', 'call'))];
  const cut = ['json_schema', 'json_object', 'stream.json_schema'].map((capability, index) =>
    aReportCell({
      ...place(capability, `p${index}`),
      ...{ verdict: 'fail', class: 'truncated', standing: 'regression', expected: passing },
    }),
  );
  const causes = causesOf(reportOf([...fine, ...cut]), 'r');
  expect(causes.map(({ sentence }) => sentence)).toEqual([
    'm: each of json_object, json_schema and stream now fails with truncated (3 cells)',
  ]);
});

test('one failure of a model that several traits explain is one cause, with the traits as its parts', () => {
  const prose = { class: 'not_json', status: 200, reason: null } as const;
  const required = objectLost(qwen, prose).map((cell) =>
    cell.point['tool_choice'] === 'required'
      ? lost({ ...cell, ...prose, verdict: 'fail', standing: 'regression' })
      : cell,
  );
  const place = { model: qwen, capability: 'json_schema', suite: 'json' };
  const elsewhere = [lost({ ...place, ...prose, probe: 'a' }), ok({ ...place, probe: 'b' })];
  expect(sentences(reportOf([...required, ...elsewhere]))).toEqual([
    'qwen3-235b: each of tool_choice=object, tool_choice=required and probe json/a now fails with not_json (5 cells)',
  ]);
  // Another failure stays another cause.
  const refused = lost({ ...place, ...http500, probe: 'c', capability: 'chat' });
  expect(sentences(reportOf([...required, ...elsewhere, refused]))).toHaveLength(2);
});

test('what fails a cell altogether and the answers of a model at times is one cause, unless a trait tells them apart', () => {
  const crashed = { class: 'malformed_response', reason: 'server_error', status: 200 } as const;
  const shared = { ...crashed, runs: 1, failed: 18, total: 160, before: { failed: 0, total: 320 } };
  const atTimes = (probe: string) =>
    lost({ probe, model: qwen, capability: 'chat', ...crashed, verdict: 'flaky', shared });
  const answers = ['a', 'b', 'c'].map(atTimes);
  const fine = objectLost(qwen).map((cell) => ok({ ...cell, ...passes }));
  const whole = (cells: readonly ReportCell[], which: (cell: ReportCell, index: number) => boolean) =>
    cells.map((cell, index) =>
      which(cell, index) ? lost({ ...cell, ...crashed, verdict: 'fail', standing: 'regression' }) : cell,
    );
  const said =
    'qwen3-235b: answers now fail with malformed_response (server_error) in 18 of 160 first trials, 0 of 320 before';
  const some = whole(fine, (_, index) => index === 1 || index === 4);
  expect(sentences(reportOf([...answers, ...some]))).toEqual([`${said} (5 of 11 cells)`]);
  const object = whole(fine, ({ point }) => point['tool_choice'] === 'object');
  expect(sentences(reportOf([...answers, ...object]))).toEqual([
    `${said} (3 of 11 cells)`,
    'qwen3-235b: tool_choice=object now fails with malformed_response, server_error (2 cells)',
  ]);
});

describe('for any run', () => {
  test('every deviation has exactly one cause, whose sentence is true of it', () => {
    fc.assert(
      fc.property(cellsOfARun, (cells) => {
        const report = reportOf(cells);
        const causes = causesOf(report, 'r');
        const shown = causes.flatMap(({ deviations }) => deviations);
        expect(shown).toHaveLength(deviationsOf(report).length);
        const keysOf = (all: Readonly<typeof shown>) => all.map((one) => ('cell' in one ? one.cell.key : '')).sort();
        expect(keysOf(shown)).toEqual(keysOf(deviationsOf(report)));
        for (const { subject, models, deviations, now, sentence, cells: members, amount } of causes) {
          expect(members).toHaveLength(deviations.length);
          for (const one of deviations) {
            if (!('cell' in one)) continue;
            expect(isSaidOf(subject!, one.cell)).toBe(true);
            expect(models).toContain(one.model);
            expect(now).toBe(
              one.cell.verdict === 'pass' ? 'passes' : `fails with HTTP ${one.cell.status}, server_error`,
            );
          }
          const judged = cells.filter(
            (cell) => cell.verdict !== 'inconclusive' && models.includes(cell.model) && isSaidOf(subject!, cell),
          );
          expect(amount).toMatch(judged.length === members.length ? /^\d+ cells?$/ : ` of ${judged.length} cell`);
          expect(sentence).toContain(`(${amount})`);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('an axis is named only if no passing cell of these models shares the label', () => {
    fc.assert(
      fc.property(cellsOfARun, (cells) => {
        for (const { subject, models, direction } of causesOf(reportOf(cells), 'r')) {
          if (!/[=<>]/.test(subject!) || /\/|^(?:each|part) of /.test(subject!)) continue;
          const against = cells.filter(
            (cell) =>
              cell.verdict === 'pass' &&
              models.includes(cell.model) &&
              isSaidOf(subject!, cell) &&
              !(direction === 'gained' && cell.standing === 'improvement'),
          );
          expect(against).toEqual([]);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('the causes do not depend on the order of the cells', () => {
    fc.assert(
      fc.property(cellsOfARun, (cells) => {
        expect(causesOf(reportOf(cells.toReversed()), 'r').map(headOf)).toEqual(
          causesOf(reportOf(cells), 'r').map(headOf),
        );
      }),
    );
  });

  test('the command accepts exactly the cells of its cause', () => {
    fc.assert(
      fc.property(cellsOfARun, (cells) => {
        for (const { accept, cells: members } of causesOf(reportOf(cells), 'r')) {
          if (accept.command === null) {
            // Only a key without a point, beside other points of its probe, cannot be named alone.
            const also = members.filter(({ key }) => cells.filter(acceptedBy(key)).length > 1);
            expect(also.length).toBeGreaterThan(0);
            continue;
          }
          const patterns = [...accept.command.matchAll(/--only (?:'([^']*)'|(\S+))/g)].map(
            ([, quoted, plain]) => quoted ?? plain ?? '',
          );
          const accepted = cells.filter((cell) => patterns.some((pattern) => acceptedBy(pattern)(cell)));
          expect(accepted.map(({ key }) => key).sort()).toEqual(members.map(({ key }) => key).sort());
        }
      }),
      { numRuns: 150 },
    );
  });
});
