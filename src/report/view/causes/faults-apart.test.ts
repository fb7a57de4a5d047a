import { expect, test } from 'vitest';
import { aReport, aReportCell, aReportModel } from '../../../../test/support/build.js';
import type { CellFailure, Report, ReportCell } from '../../../matrix/report-format.js';
import { causesOf } from './causes-of.js';

type Violation = CellFailure['violations'][number];

let sent = 0;
const aFailure = (failure: Partial<CellFailure>): CellFailure => {
  const exchange = `e${String(++sent).padStart(6, '0')}`;
  return {
    ...{ class: 'schema_violation', reason: null, status: 200, detail: null, step: null, violations: [], exchange },
    ...{ exchanges: [exchange], traceresponse: null, response_id: `id-${exchange}` },
    ...failure,
  };
};

const places = { 'tools/order': 'tools', 'tools/cancel': 'tools', 'invoice/plain': 'json_schema' } as const;
type Place = keyof typeof places;

function lost(model: string, place: Place, failures: readonly CellFailure[]): ReportCell {
  const [suite = '', probe = ''] = place.split('/');
  const { class: outcome, reason, status, detail } = failures[0]!;
  return aReportCell({
    ...{ suite, probe, model: `demo/${model}`, capability: places[place], standing: 'regression', verdict: 'fail' },
    ...{ class: outcome, reason, status, detail, failures },
  });
}

const supportOf = ({ failures }: ReportCell, index = 0): string =>
  `id ${failures[index]!.response_id}, exchange ${failures[index]!.exchange}`;

/** A cell each of whose failing trials broke these. */
const breaking = (model: string, place: Place, ...each: readonly (readonly Violation[])[]): ReportCell =>
  lost(
    model,
    place,
    each.map((violations) => {
      const [first] = violations;
      const more = violations.length > 1 ? ` (and ${violations.length - 1} more)` : '';
      return aFailure({ violations, detail: `the content ${first!.at} ${first!.message}${more}` });
    }),
  );
const saying = (model: string, place: Place, failure: Partial<CellFailure>): ReportCell =>
  lost(model, place, [aFailure(failure)]);

const report = (...cells: readonly ReportCell[]): Report => {
  const models = [...new Set(cells.map(({ model }) => model))];
  const fine = models.map((model) =>
    aReportCell({ model, probe: 'fine', capability: 'chat', standing: 'as_expected' }),
  );
  return aReport({ cells: [...cells, ...fine], models: models.map((id) => aReportModel(id)) });
};
const sentences = (...cells: readonly ReportCell[]): string[] =>
  causesOf(report(...cells), 'r').map(({ sentence }) => sentence);
/** Of each cause: what it says of its example and of everything else, with the ids for support. */
const told = (...cells: readonly ReportCell[]) =>
  causesOf(report(...cells), 'r').map(({ example, also }) => [
    [example?.detail, example?.support],
    ...also.map(({ text, support }) => [text, support]),
  ]);

const currency = { at: '/currency', message: 'must be equal to one of the allowed values: ["USD","EUR"]' };
const sentiment = { at: '/sentiment', message: 'must be equal to one of the allowed values: ["good","bad"]' };
const quantity = { at: '/quantity', message: 'must be integer' };
const line = (index: number) => ({ at: `/lines/${index}/quantity`, message: 'must be integer' });
const code = { at: '/code', message: 'must NOT have more than 5 characters' };
const day = { at: '/day', message: 'must match format "date"' };
const sku = { at: '/sku', message: 'must match pattern "^[A-Z]{3}$"' };

test('models that break different parts of a schema have a cause each, with evidence of their own', () => {
  const cells = [breaking('zero-width', 'tools/order', [currency]), breaking('int-str', 'tools/order', [quantity])];
  expect(sentences(...cells)).toEqual([
    'zero-width: tools now fails with schema_violation: must be equal to one of the allowed values (1 cell)',
    'int-str: tools now fails with schema_violation: must be integer (1 cell)',
  ]);
  const causes = causesOf(report(...cells), 'r');
  expect(causes.map(({ evidence, example }) => [evidence, example?.support])).toEqual([
    ['chatspec evidence r tools/order@demo/zero-width', supportOf(cells[0]!)],
    ['chatspec evidence r tools/order@demo/int-str', supportOf(cells[1]!)],
  ]);
});

test('so have models that break the same keyword at different places', () => {
  const cells = [breaking('a', 'tools/order', [currency]), breaking('b', 'tools/order', [sentiment])];
  expect(sentences(...cells)).toHaveLength(2);
});

test('models whose answers say the same share a cause, whatever the position in a list', () => {
  const cells = [breaking('a', 'tools/order', [line(0)]), breaking('b', 'tools/order', [line(2), line(11)])];
  expect(sentences(...cells)).toEqual(['a and b: tools now fails with schema_violation: must be integer (2 cells)']);
});

test('one fault at many places of one model is one cause, which tells each place', () => {
  const cells = [
    breaking('m', 'tools/order', [currency]),
    breaking('m', 'tools/cancel', [sentiment]),
    breaking('m', 'invoice/plain', [currency]),
  ];
  expect(sentences(...cells)).toHaveLength(1);
  expect(told(...cells)[0]?.map(([text]) => text)).toEqual([
    expect.stringContaining('/currency') as string,
    expect.stringContaining('/sentiment') as string,
  ]);
  expect(causesOf(report(...cells), 'r')[0]?.also[0]).toMatchObject({
    ...{ cell: 'tools/cancel@demo/m', evidence: `chatspec evidence r ${cells[1]!.failures[0]!.exchange}` },
    support: supportOf(cells[1]!),
  });
});

test('two faults of one model are two causes', () => {
  const cells = [breaking('m', 'tools/order', [quantity]), breaking('m', 'invoice/plain', [currency])];
  expect(sentences(...cells)).toEqual([
    'm: json_schema now fails with schema_violation: must be equal to one of the allowed values (1 cell)',
    'm: tools now fails with schema_violation: must be integer (1 cell)',
  ]);
});

test('members of the wrong type are one fault, whatever the type, but an answer that is none of an object is another', () => {
  const [bool, list] = [
    { at: '/paid', message: 'must be boolean' },
    { at: '/lines', message: 'must be array' },
  ];
  expect(
    sentences(
      breaking('m', 'tools/order', [quantity]),
      breaking('m', 'invoice/plain', [bool]),
      breaking('m', 'tools/cancel', [list]),
    ),
  ).toEqual([
    'm: each of json_schema and tools now fails with schema_violation: must be array, boolean or integer (3 cells)',
  ]);
  const text = { at: '', message: 'must be object' };
  const two = [breaking('m', 'tools/order', [quantity]), breaking('m', 'invoice/plain', [text])];
  expect(sentences(...two)).toHaveLength(2);
});

test('a probe of a schema shares the cause of the fault that its replies show', () => {
  const probe = (violation: Violation): ReportCell => {
    const cell = breaking('m', 'tools/cancel', [violation]);
    return {
      ...cell,
      key: 'schema/type@demo/m',
      suite: 'schema',
      probe: 'type',
      capability: 'schema',
      class: 'not_enforced',
    };
  };
  const order = breaking('m', 'tools/order', [quantity]);
  expect(sentences(order, probe({ at: '/rooms', message: 'must be integer' }))).toEqual([
    'm: each of schema and tools now fails with schema_violation or not_enforced: must be integer (2 cells)',
  ]);
  expect(sentences(order, probe(sku))).toHaveLength(2);
});

test('a fault that breaks many keywords is one cause, which tells each of them', () => {
  const cells = (['tools/order', 'tools/cancel', 'invoice/plain'] as const).map((place, index) =>
    breaking('m', place, [[currency], [code, quantity], [day, sku]][index]!),
  );
  const more = breaking('m', 'tools/order', [quantity]);
  const all = [...cells, { ...more, key: 'tools/more@demo/m', probe: 'more' }];
  expect(sentences(...all)).toEqual(['m: each of json_schema and tools now fails with schema_violation (4 cells)']);
  const texts = told(...all)[0]!.map(([text]) => text!);
  for (const { at } of [currency, code, quantity, day, sku]) expect(texts.join('\n')).toContain(`${at} must`);
});

test('what is only the second fault of every answer is told, and in another trial too', () => {
  const second = breaking('m', 'tools/order', [quantity, currency]);
  expect(told(second)[0]?.map(([text]) => text)).toEqual([
    'the content /quantity must be integer (and 1 more)',
    `/currency ${currency.message}`,
  ]);
  const other = breaking('m', 'tools/order', [quantity], [currency]);
  expect(told(other)[0]).toEqual([
    ['the content /quantity must be integer', supportOf(other)],
    [`/currency ${currency.message}`, supportOf(other, 1)],
  ]);
});

test('an object that lacks everything does not tell each member', () => {
  const lacks = (name: string) => ({ at: '', message: `must have required property '${name}'` });
  const cell = breaking('m', 'tools/order', [lacks('a'), lacks('b'), lacks('c')]);
  expect(told(cell)[0]).toHaveLength(1);
});

test('prose and JSON that breaks off are two faults; where it breaks off is none', () => {
  const cut = (model: string, where: string) =>
    saying(model, 'tools/order', {
      ...{ class: 'not_json', detail: `create_order: the arguments are JSON that breaks off before its end: ${where}` },
    });
  const prose = saying('c', 'tools/order', {
    ...{ class: 'not_json', detail: 'the content is not JSON: Unexpected token \'H\', "Hello" is not valid JSON' },
  });
  expect(sentences(cut('a', 'Unterminated string at position 36'), cut('b', 'Unexpected end'), prose)).toEqual([
    'a and b: tools now fails with not_json: JSON that breaks off before its end (2 cells)',
    'c: tools now fails with not_json: not JSON (1 cell)',
  ]);
});

test('what a service says of an error separates, but its ids, numbers and the name of the model do not', () => {
  const refused = (model: string, text: string) =>
    saying(model, 'tools/order', {
      ...{ class: 'http_error', reason: 'parameter_rejected', status: 400, detail: `HTTP 400: ${text}` },
    });
  const cells = [
    refused('sim-a', 'sim-a takes no tools (request 7f3a90c1-2210-4b1e-9d61-0aa1b2c3d4e5, 12 tokens)'),
    refused('sim-b', 'sim-b takes no tools (request 00000000-1111-4b1e-9d61-0aa1b2c3d4e5, 340 tokens)'),
    refused('sim-c', 'sim-c takes no seed'),
  ];
  expect(sentences(...cells)).toEqual([
    'sim-a and sim-b: tools now fails with HTTP 400, parameter_rejected (2 cells)',
    'sim-c: tools now fails with HTTP 400, parameter_rejected (1 cell)',
  ]);
  // A service whose every answer reads otherwise has one fault.
  const words = ['Whoops', 'Oh dear', 'Sorry about that', 'Something broke', 'No idea'];
  const everyTime = words.map((word, index) => ({
    ...refused('m', word),
    ...{ key: `tools/p${index}@demo/m`, probe: `p${index}` },
  }));
  expect(sentences(...everyTime)).toEqual(['m: tools now fails with HTTP 400, parameter_rejected (5 cells)']);
});
