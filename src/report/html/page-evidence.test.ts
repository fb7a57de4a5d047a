import { expect, test } from 'vitest';
import { aCompletion, anExchangeRecord, aReport, aReportCell } from '../../../test/support/build.js';
import { storeOf } from '../../../test/support/page-store.js';
import type { ExchangeRecord } from '../../journal/event.js';
import { redactor } from '../safe/redact.js';
import { pageEvidence } from './page-evidence.js';

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
}, 30_000);

test('a page on which everything deviates holds all of it', async () => {
  const { report, exchanges } = crowded(1200, 1);
  const { numbers, blocks } = await pageEvidence(report, { redact: redactor(), exchanges }, new Set());
  expect(blocks.reduce((sum, { data }) => sum + data.length, 0)).toBeGreaterThan(2_000_000);
  expect(numbers.size).toBe(1200);
}, 30_000);
