import { expect, test } from 'vitest';
import { aReport, aReportCell } from '../../../test/support/build.js';
import { renderJunit } from '../junit/render-junit.js';
import { renderMarkdown } from '../markdown/render-markdown.js';
import { renderTerminal } from '../terminal/render-terminal.js';
import { lackingText } from './lacking-text.js';

const part = aReportCell({ probe: 'part', trials: { passed: 3, total: 3, needed: 7, missing: 7 } });
const none = aReportCell({ probe: 'none', verdict: 'not_run', detail: 'used up', trials: { needed: 10, missing: 10 } });
const left = aReportCell({ probe: 'left', verdict: 'not_run', detail: 'left out of this run' });
const whole = aReport({ cells: [part, none, left, aReportCell({ probe: 'whole' })] });
const stop = { target: null, model: null, kind: 'budget', unit: 'requests', limit: 200, shard_part: false } as const;
const report = { ...whole, run: { ...whole.run, stops: [stop] } };
const text = '3 of 3 passed, 7 planned trials were not asked: budget of 200 requests used up';
const plain = { redact: (value: string) => value, color: false, columns: 200, folder: null };

test('says which planned trials are missing, and why', () => {
  expect(lackingText(report, part)).toBe(text);
  expect(lackingText(whole, none)).toBe('0 of 0 passed, 10 planned trials were not asked');
  expect(lackingText(report, left)).toBeNull();
});

test('cells that lack trials say so in every format', async () => {
  for (const shown of [await renderTerminal(report, plain), await renderMarkdown(report, plain)]) {
    expect(shown).toContain('Cells that lack trials (1)');
    expect(shown).toContain(text);
    expect(shown).toContain('17 of 21 planned trials were not asked');
  }
  const junit = await renderJunit(report, plain);
  expect(junit).toContain(`<system-out>${text}</system-out>`);
  expect(junit).toMatch(/<testsuite name="demo\/one" [^>]*errors="2" skipped="0"/);
  expect(junit).toContain('<error type="not_run" message="used up">');
  expect(junit).toContain('<error type="not_run" message="left out of this run">');
});
