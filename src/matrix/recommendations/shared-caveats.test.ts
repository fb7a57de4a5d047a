import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aTicket } from '../../../test/support/build.js';
import type { SharedFailure } from '../../decide/shared-failure.js';
import type { JsonObject } from '../../json/json.js';
import type { NeedForm } from '../../suite/probe.js';
import { capabilitiesOf } from '../capabilities.js';
import { capabilityCaveats } from '../capability-caveats.js';
import type { ReportCell } from '../report-format.js';
import { sharedReaches } from '../shared-failures-reach.js';
import { recommendationsOf } from './recommendations.js';

/** Whoever reads only which form to use, or only the capability map, learns what spoils a share of all answers. */

const bodies: Readonly<Record<string, JsonObject>> = {
  chat: {},
  json_schema: { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: {} } } },
  tools: { tools: [{ type: 'function', function: { name: 'order', parameters: {} } }] },
};
const forms: readonly NeedForm[] = (
  [
    ['plain_text', 'chat'],
    ['structured', 'json_schema'],
    ['tool_call', 'tools'],
  ] as const
).map(([need, capability]) => ({ need, capability, order: 10, settings: {}, care: null, budget: null }));

const expected = {
  verdict: 'pass',
  date: null,
  note: null,
  link: null,
  trials: 10,
} as unknown as ReportCell['expected'];
const cellsEach = 20;

/** Twenty cells of each form, a trial each. */
const asked = ['demo/bad', 'demo/good'].flatMap((model) =>
  Object.entries(bodies).flatMap(([capability, more]) =>
    Array.from({ length: cellsEach }, (_, index) => {
      const probe = `${capability}-${index}`;
      const request = { messages: [{ role: 'user', content: 'Say yes.' }], ...more };
      const steps = [{ kind: 'ask' as const, id: 'request', request, expect: {} }];
      const ticket = aTicket({ path: `suite/${probe}`, model: aModel(model), capability, probe: { steps } });
      return { ticket, cell: aReportCell({ probe, model, capability, expected, standing: 'as_expected' }) };
    }),
  ),
);
const [tickets, cells] = [asked.map(({ ticket }) => ticket), asked.map(({ cell }) => cell)];

/** So many cells of each form failed. */
function failure(failing: Readonly<Record<string, number>>, changes: Partial<SharedFailure> = {}): SharedFailure {
  const keys = Object.entries(failing).flatMap(([form, count]) =>
    Array.from({ length: count }, (_, index) => [`suite/${form}-${index}@demo/bad`, 1] as const),
  );
  return {
    ...{ class: 'malformed_response', reason: 'server_error', runs: 1, failed: keys.length, total: 60, alarm: true },
    ...{ before: { failed: 0, total: 60 }, cells: Object.fromEntries(keys), ...changes },
  };
}

function told(found: readonly SharedFailure[]) {
  const shared = found.length === 0 ? {} : { shared_failures: found };
  const models = [aReportModel('demo/bad', shared), aReportModel('demo/good')];
  const reaches = sharedReaches(models, cells, tickets);
  const recommendations = recommendationsOf({
    ...{ models, cells, tickets, reaches, forms, capabilities: [], evidence: [], wire: [], behaviours: [], shown: [] },
    simulated: new Set<string>(),
  });
  const capabilities = capabilitiesOf(cells).map((one) => {
    const own = tickets.filter(({ cell }) => cell.model.key === one.model);
    const { caveats = [] } = capabilityCaveats(one, own, { cells: new Map() }, reaches.get(one.model) ?? []);
    return [one.model, one.capability, caveats] as const;
  });
  return { recommendations, capabilities };
}
const everywhere = { chat: 4, json_schema: 4, tools: 4 };
const sentence = '12 of 60 answers fail with malformed_response (server_error), whatever the form: retry';

describe('a failure that spoils a share of all answers of a model', () => {
  test('is a caveat of each form that is recommended, with its figures, and of each capability', () => {
    const { recommendations, capabilities } = told([failure(everywhere)]);
    for (const { model, form, caveats } of recommendations)
      expect([form, caveats]).toEqual([form, model === 'demo/bad' ? [sentence] : []]);
    for (const [model, , caveats] of capabilities) expect(caveats).toEqual(model === 'demo/bad' ? [sentence] : []);
  });

  test('says over how many runs it was counted, and may have been a bad hour while it is in doubt', () => {
    const texts = [failure(everywhere, { runs: 2, total: 120 }), failure(everywhere, { alarm: false })].map(
      (one) => told([one]).recommendations[0]?.caveats?.[0],
    );
    expect(texts).toEqual([
      '12 of 120 answers in 2 runs fail with malformed_response (server_error), whatever the form: retry',
      '12 of 60 answers failed with malformed_response (server_error), whatever the form, perhaps in a bad hour: retry',
    ]);
  });

  test('says what a client does that does not notice it by itself', () => {
    const texts = (['not_json', 'truncated'] as const).map(
      (outcome) => told([failure(everywhere, { class: outcome, reason: null })]).recommendations[0]?.caveats?.[0],
    );
    expect(texts).toEqual([
      '12 of 60 answers fail with not_json, whatever the form: check each answer, and retry',
      '12 of 60 answers fail with truncated, whatever the form: raise max_tokens, or retry',
    ]);
  });

  test('is none of a form that it would have met by now and did not', () => {
    const { recommendations, capabilities } = told([failure({ chat: 10, json_schema: 10 })]);
    const own = recommendations.filter(({ model }) => model === 'demo/bad');
    const spared =
      '20 of 60 answers fail with malformed_response (server_error), but none to requests with tools: retry';
    expect(own.map(({ caveats }) => caveats)).toEqual([[spared], [spared], []]);
    expect(capabilities.filter(([model]) => model === 'demo/bad').map(([, , caveats]) => caveats)).toEqual([
      [spared],
      [spared],
      [],
    ]);
  });

  test('does not claim all forms where only one of them was seen to fail', () => {
    const [first] = told([failure({ json_schema: 3 })]).recommendations;
    expect(first?.caveats).toEqual(['3 of 60 answers fail with malformed_response (server_error): retry']);
  });

  test('makes its model no alternative to another one, unless it is in doubt', () => {
    const alternatives = (found: readonly SharedFailure[]) =>
      told(found).recommendations.flatMap((one) => (one.model === 'demo/good' ? one.alternatives : []));
    expect(alternatives([])).toEqual(['demo/bad', 'demo/bad', 'demo/bad']);
    expect(alternatives([failure(everywhere)])).toEqual([]);
    expect(alternatives([failure(everywhere, { alarm: false })])).toHaveLength(3);
  });
});
