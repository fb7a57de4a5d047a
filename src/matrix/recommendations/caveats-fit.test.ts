import { describe, expect, test } from 'vitest';
import { aModel, aReportCell, aReportModel, aTicket } from '../../../test/support/build.js';
import type { JsonObject } from '../../json/json.js';
import type { FormEvidence, NeedForm } from '../../suite/probe.js';
import type { Recommendation, ReportCell } from '../report-format.js';
import { recommendationsOf } from './recommendations.js';

/** Each caveat is told where failures show what it says, and not where they show something else. */

const need = { order: 10, settings: {}, care: null, budget: null };
const forms: readonly NeedForm[] = [{ need: 'structured', capability: 'form', ...need }];

interface Asked {
  readonly probe: string;
  readonly body?: JsonObject;
  readonly point?: Readonly<Record<string, string>>;
  readonly passed: number;
  readonly total: number;
  readonly fails?: Partial<ReportCell>;
  readonly capability?: string;
}

const schema = { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: true, schema: {} } } };
const loose = { response_format: { type: 'json_schema', json_schema: { name: 'a', strict: false, schema: {} } } };
const aTool = (name: string) => ({ type: 'function', function: { name, parameters: {} } });

function advised(asked: readonly Asked[], evidence: readonly FormEvidence[] = []): Recommendation {
  const pairs = asked.map(({ probe, body = {}, point = {}, passed, total, fails = {}, capability = 'form' }) => {
    const request = { messages: [{ role: 'user', content: 'json' }], ...body };
    const verdict = passed === total ? 'pass' : passed === 0 ? 'fail' : 'flaky';
    const failure = verdict === 'pass' ? {} : { class: 'schema_violation' as const, rung: 'parses' as const, ...fails };
    const steps = [{ kind: 'ask' as const, id: 'request', request, expect: {} }];
    const place = { point, capability };
    return {
      ticket: aTicket({ path: `suite/${probe}`, model: aModel('demo/one'), ...place, probe: { steps } }),
      cell: aReportCell({ probe, model: 'demo/one', ...place, verdict, ...failure, trials: { passed, total } }),
    };
  });
  const found = recommendationsOf({
    ...{ models: [aReportModel('demo/one')], capabilities: [], cells: pairs.map(({ cell }) => cell), forms, evidence },
    ...{
      tickets: pairs.map(({ ticket }) => ticket),
      wire: [],
      behaviours: [],
      shown: [],
      simulated: new Set(),
      reaches: new Map(),
    },
  });
  return found[0]!;
}

const caveats = (asked: readonly Asked[], evidence: readonly FormEvidence[] = []): string =>
  (advised(asked, evidence).caveats ?? []).join('\n');

/** A budget probe: the form with each of these caps. */
const capped = (passed: (cap: number) => number, more: Partial<Asked> = {}): Asked[] =>
  [512, 1024, 2048, 4096].map((cap) => ({
    ...{ probe: 'budget', point: { max_tokens: String(cap) }, passed: passed(cap), total: 6, ...more },
    body: { ...schema, max_tokens: cap, ...more.body },
  }));
const stream: Asked = { probe: 'stream', body: { ...schema, stream: true, max_tokens: 2048 }, passed: 6, total: 6 };

describe('larger caps do not work', () => {
  test('is told where smaller caps pass and larger ones fail', () => {
    expect(caveats(capped((cap) => (cap < 4096 ? 6 : 0)))).toContain('max_tokens of 4096 and more does not work');
  });

  test.each([{}, { class: 'http_error', reason: 'server_error', status: 500 }, { class: 'not_json' }] as const)(
    'is not told where plain answers fail at every cap and only streams pass (%j)',
    (fails) => {
      const { settings, because, caveats: told = [] } = advised([...capped(() => 0, { fails }), stream]);
      expect(settings).toMatchObject({ stream: 'true', max_tokens: '2048' });
      expect(told.join('\n')).not.toContain('does not work');
      expect(told).toContain('known with max_tokens up to 2048 only: send no more than is set');
      expect(because).not.toContain('max_tokens < 4096');
      expect(because).toContain('max_tokens 2048 (it was asked with no larger one)');
    },
  );
});

describe('several tools', () => {
  const tools = (...names: string[]): JsonObject => ({ tools: names.map(aTool), max_tokens: 2048 });
  const single: Asked = { probe: 'single', body: tools('a'), passed: 6, total: 6 };
  const several: Asked = { probe: 'several', body: tools('a', 'b'), passed: 0, total: 6 };
  const wrong = 'the wrong function may be called';

  test('may lead to a call of the wrong function where one was called', () => {
    expect(caveats([single, { ...several, fails: { class: 'wrong_function' } }])).toContain(wrong);
  });

  test('fail in another way where that is what they do', () => {
    const told = caveats([single, several]);
    expect(told).not.toContain(wrong);
    expect(told).toContain('several tools do not work (0 of 6 trials passed): send only the one that is meant');
  });

  test('are only not known where they were not asked with what passes', () => {
    const plain: Asked = { ...single, passed: 0 };
    const streamed: Asked = { probe: 'streamed', body: { ...tools('a'), stream: true }, passed: 6, total: 6 };
    const told = caveats([plain, several, streamed]);
    expect(told).not.toContain(wrong);
    expect(told).not.toContain('do not work');
    expect(told).toContain('known with a single tool only: send only the one that is meant');
  });
});

describe('a member of the request', () => {
  const without: Asked = { probe: 'plain', body: schema, passed: 6, total: 6 };
  const cool: Asked = { probe: 'cool', body: { ...schema, temperature: 0 }, passed: 0, total: 6 };

  test('does not work where the service refuses it, or where nothing else differs', () => {
    const refused = { class: 'http_error', reason: 'parameter_rejected', status: 400 } as const;
    expect(caveats([without, { ...cool, fails: refused }])).toContain('temperature does not work: leave it out');
    expect(
      caveats([
        { ...without, probe: 'cool' },
        { ...cool, point: { temperature: '0' } },
      ]),
    ).toContain('temperature does not work: leave it out');
  });

  test('is only not known where another probe that sends it fails in its own way', () => {
    const told = caveats([without, cool]);
    expect(told).not.toContain('does not work');
    expect(told).toContain('known without temperature only: leave it out');
  });
});

describe('max_tokens', () => {
  const without = (probe: string): Asked => ({ probe, body: schema, passed: 6, total: 6 });

  test('does not work where the same request passes without it', () => {
    expect(caveats([...capped(() => 0), without('budget')])).toContain('max_tokens does not work: leave it out');
  });

  test('is only not known where what passes is another request', () => {
    const told = caveats([...capped(() => 0), without('other')]);
    expect(told).not.toContain('does not work');
  });
});

test('strict is blamed only where the same request passes without it', () => {
  const strict = (probe: string): Asked => ({ probe, body: schema, passed: 0, total: 6 });
  const free = (probe: string): Asked => ({ probe, body: loose, point: { strict: 'false' }, passed: 6, total: 6 });
  const told = advised([{ ...strict('same'), point: { strict: 'true' } }, free('same')]);
  if (told.form !== null) expect(told.caveats!.join('\n')).toContain('without strict');
  expect(advised([strict('one'), free('other')]).caveats!.join('\n')).not.toContain('only without strict: validate');
});

describe('a caveat of a suite', () => {
  const evidence: readonly FormEvidence[] = [
    {
      capability: 'form',
      caveats: [{ of: ['suite/odd'], say: '{{how}} under odd prompts: retry', class: ['schema_violation'] }],
    },
  ];
  const usual: Asked = { probe: 'usual', body: schema, passed: 30, total: 30 };
  const odd: Asked = { probe: 'odd', capability: 'odd', body: schema, passed: 24, total: 30 };

  test('is told where its cells fail in its way, and those of the form do not', () => {
    expect(caveats([usual, odd], evidence)).toContain('flaky under odd prompts: retry (24 of 30 trials passed)');
  });

  test('is not where they fail in another way, which then goes against the form', () => {
    const cut = advised([usual, { ...odd, passed: 0, fails: { class: 'malformed_response' } }], evidence);
    expect((cut.caveats ?? []).join('\n')).not.toContain('odd prompts');
    expect(cut.form).toBeNull();
  });

  test('is not where requests with tools fail as often in the same way', () => {
    const calls: Asked = { probe: 'calls', capability: 'tools', body: { tools: [aTool('a')] }, passed: 24, total: 30 };
    expect(caveats([usual, odd, calls], evidence)).not.toContain('odd prompts');
    expect(caveats([usual, odd, { ...calls, passed: 299, total: 300 }], evidence)).toContain('odd prompts');
    expect(caveats([usual, odd, { ...calls, fails: { class: 'truncated' } }], evidence)).toContain('odd prompts');
  });

  test('is not where requests of the form fail as often in the same way', () => {
    const often = { ...usual, passed: 240, total: 300, probe: 'often' };
    const found = advised([often, odd, { ...stream, passed: 60, total: 60 }], evidence);
    expect(found.form).toBe('form');
    expect((found.caveats ?? []).join('\n')).not.toContain('odd prompts');
  });
});
