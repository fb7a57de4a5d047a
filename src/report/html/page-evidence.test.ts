import { describe, expect, test } from 'vitest';
import { aCompletion, anExchangeRecord, aReport, aReportCell } from '../../../test/support/build.js';
import { storeOf } from '../../../test/support/page-store.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { redactor } from '../safe/redact.js';
import { pageEvidence } from './page-evidence.js';
import type { Rope } from './store/text-shelf.js';

/** Text that does not get smaller by compression. */
function noise(seed: number, length: number): string {
  let state = seed + 1;
  const letters = Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state % 36).toString(36);
  });
  return letters.join('');
}

/** More cells than there is room for: one in `deviating` deviates, and the others fail as expected or pass. */
function crowded(cellCount: number, deviating = 3) {
  const records: ExchangeRecord[] = [];
  const cells = Array.from({ length: cellCount }, (_, index) => {
    const key = `suite/p${index}@demo/one`;
    const id = `x${index}`;
    records.push(anExchangeRecord(id, key, { body: aCompletion({ message: { content: noise(index, 3500) } }) }));
    const standing = index % deviating === 0 ? 'regression' : 'as_expected';
    return aReportCell({ key, standing, verdict: deviating > 1 && index % 3 === 2 ? 'pass' : 'fail', exchanges: [id] });
  });
  const exchanges = async function* (ids: ReadonlySet<string>) {
    for (const record of records) if (ids.has(record.id)) yield await Promise.resolve(record);
  };
  return { report: aReport({ cells }), exchanges };
}

test('what deviates is never left out, and what passes makes room for what fails', async () => {
  const { report, exchanges } = crowded(900);
  const { numbers, blocks } = await pageEvidence(report, { redact: redactor(), exchanges }, new Set());
  const kept = (rest: number) =>
    report.cells.filter((_, index) => index % 3 === rest && numbers.has(`x${index}`)).length / 300;
  expect(kept(0)).toBe(1);
  expect(kept(1)).toBeGreaterThan(kept(2));
  expect(kept(2)).toBeLessThan(0.5);
  const store = storeOf(blocks);
  for (const [id, number] of numbers) expect(store.item(number)).toMatchObject({ id });
});

test('a page on which everything deviates holds all of it', async () => {
  const { report, exchanges } = crowded(1200, 1);
  const { numbers, blocks } = await pageEvidence(report, { redact: redactor(), exchanges }, new Set());
  expect(blocks.reduce((sum, { data }) => sum + data.length, 0)).toBeGreaterThan(2_000_000);
  expect(numbers.size).toBe(1200);
});

describe('a plain answer of a cell that passes', () => {
  const stored = async (content: string, redact = redactor()) => {
    const cell = aReportCell({ key: 'suite/p@demo/one', standing: 'as_expected', verdict: 'pass', exchanges: ['x'] });
    const body = aCompletion({ message: { content } });
    const exchanges = async function* () {
      yield await Promise.resolve(anExchangeRecord('x', cell.key, { body }));
    };
    const page = await pageEvidence(aReport({ cells: [cell] }), { redact, exchanges }, new Set());
    const store = storeOf(page.blocks);
    return { one: store.item(page.numbers.get('x') ?? -1) as { body: Rope; read: unknown }, all: store.all, body };
  };

  test('stands in the page as it was sent, and the browser reads it', async () => {
    const { one, body } = await stored('{"city":"Bern"}');
    expect(one).toMatchObject({ body: [body], read: null });
  });

  test.each([
    ['an address', 'write to alice@example.com', redactor()],
    ['an address in escapes of JSON in JSON', String.raw`{"to":"alice\u0040example.com"}`, redactor()],
    ['what a pattern of the project wants in a text of its own', '{"phone":"13800138000"}', redactor(['^\\d{11}$'])],
  ])('is read and masked before it is stored if it holds %s', async (_, content, redact) => {
    const { one } = await stored(content, redact);
    const { answer } = one.read as { answer: { text: Rope } };
    expect(JSON.stringify(answer.text)).toContain('[redacted]');
    expect(JSON.stringify(answer.text)).not.toMatch(/alice|138/);
  });

  test('is made visible before it is stored if it hides something', async () => {
    const { one, all } = await stored('\u202ehidden\u{e0041}');
    expect(one.read).not.toBeNull();
    expect(all).not.toMatch(/[\u202e\u{e0041}]/u);
  });
});
