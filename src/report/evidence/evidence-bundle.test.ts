import { describe, expect, test } from 'vitest';
import { anExchangeRecord, aReport, aReportCell } from '../../../test/support/build.js';
import { syntheticMatrix } from '../../../test/support/synthetic-matrix.js';
import { evidenceBundles, type EvidenceBundle } from './evidence-bundle.js';
import type { Report, ReportCell } from '../../matrix/report-format.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { redactor } from '../safe/redact.js';
import { renderEvidence } from './render-evidence.js';

async function ofCell(
  ...[report, cell, sources]: [Report, ReportCell, Parameters<typeof evidenceBundles>[2]]
): Promise<EvidenceBundle> {
  const [bundle] = await evidenceBundles(report, [cell], sources);
  return bundle!;
}

const redact = redactor();

async function bundleOf(record: ExchangeRecord, patterns: readonly string[] = []) {
  const cell = aReportCell({ verdict: 'fail', exchanges: [record.id] });
  return ofCell(aReport({ cells: [cell] }), cell, {
    redact: redactor(patterns),
    async *exchanges() {
      yield await Promise.resolve(record);
    },
  });
}

describe('evidence', () => {
  test('holds what support needs, failing exchanges first', async () => {
    const { report, exchanges } = await syntheticMatrix();
    const cell = report.cells.find(({ key }) => key === 'strict/conflict@demo/sim-wobbly');
    const bundle = await ofCell(report, cell!, { exchanges, redact });
    const failed = bundle.exchanges.find(({ error }) => error !== null);
    expect(failed).toMatchObject({
      model: 'sim-wobbly',
      http_status: 200,
      validation_errors: [{ at: '/total', message: 'must be number' }],
    });
    const text = renderEvidence(bundle);
    for (const part of [
      'traceresponse',
      'request_time',
      'schema_version',
      'thinking',
      'completion_tokens_details',
      '$API_KEY',
      'must be number',
    ]) {
      expect(text).toContain(part);
    }
  });

  test('withholds the chunks of a stream whose text is redacted', async () => {
    const chunk = (content: string) =>
      `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const end = `data: ${JSON.stringify({ id: 'a', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`;
    const stream = anExchangeRecord('x1', 'suite/probe@demo/one', {
      body: `${chunk('write to alice@')}${chunk('example.com')}${end}`,
    });
    const { response } = (await bundleOf(stream)).exchanges[0]!;
    expect(response.content).toBe('write to [redacted]');
    expect(response.body).not.toContain('alice');
    const harmless = anExchangeRecord('x1', 'suite/probe@demo/one', { body: `${chunk('all ')}${chunk('well')}${end}` });
    expect((await bundleOf(harmless)).exchanges[0]!.response.body).toContain('well');
  });

  test('redacts names and numbers that the service wrote, not only texts', async () => {
    const body = JSON.stringify({
      choices: [
        { message: { tool_calls: [{ function: { name: 'f', arguments: { 'a@example.com': 13800138000 } } }] } },
      ],
      usage: { prompt_tokens: 7, 'a@example.com': 13800138000 },
    });
    const bundle = await bundleOf(anExchangeRecord('x1', 'suite/probe@demo/one', { body }), ['[0-9]{11}']);
    expect(JSON.stringify(bundle)).not.toMatch(/a@example|13800138000/);
    expect(bundle.exchanges[0]!.usage).toEqual({ prompt_tokens: 7, '[redacted]': '[redacted]' });
  });

  test('decodes JSON before it redacts', async () => {
    const body = '{"choices":[{"message":{"content":"alice\\u0040example.com"},"finish_reason":"stop"}]}';
    const { response } = (await bundleOf(anExchangeRecord('x1', 'suite/probe@demo/one', { body }))).exchanges[0]!;
    expect(response.body).not.toContain('alice');
  });
});

describe('the command that sends a request again', () => {
  test('holds no key, and leaves the shell nothing to interpret', async () => {
    const record = anExchangeRecord('x1', 'suite/probe@demo/one');
    const request = {
      url: 'https://example.test/v1/chat/completions',
      headers: {
        authorization: 'Bearer ***',
        'content-type': 'application/json',
        'x-team': "o'eval",
        'x-token': '***',
      },
      body: { stream: true, messages: [{ role: 'user', content: "it's $HOME `id`" }] },
    };
    const bundle = await bundleOf({ ...record, exchange: { ...record.exchange, request } });
    const line = bundle.exchanges[0]!.curl;
    expect(line).toContain('-H "Authorization: Bearer $API_KEY"');
    expect(line).toContain(String.raw`-H 'x-team: o'\''eval'`);
    expect(line).toContain(String.raw`it'\''s $HOME`);
    expect(line).toContain(' -N ');
    expect(line).toContain('-H "x-token: $X_TOKEN"');
    expect(line).not.toContain('***');
  });
});
