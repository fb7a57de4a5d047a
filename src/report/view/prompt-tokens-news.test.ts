import { expect, test } from 'vitest';
import { aReportModel } from '../../../test/support/build.js';
import type { PromptTokensChange } from '../../journal/event.js';
import { promptTokensNews } from './prompt-tokens-news.js';

const change: PromptTokensChange = {
  ...{ of: 12, requests: 12, before: 157, now: 220, since: '2026-11-21T03:00:00.000Z' },
  example: { cell: 'suite/probe', before: 57, now: 80 },
};
const newsOf = (changes: Partial<PromptTokensChange>) =>
  promptTokensNews({ ...aReportModel('demo/m'), prompt_tokens_change: { ...change, ...changes } }).join();
const because = ': its template, its tokenizer or its billing has changed';

test.each<readonly [Partial<PromptTokensChange>, string]>([
  [
    {},
    `demo/m counts 1.4 times as many prompt tokens for the same requests as in the run of 2026-11-21 (57 then and 80 now for suite/probe)${because}`,
  ],
  [
    { requests: 3, before: 3000, now: 1500 },
    `demo/m counts only 0.5 times as many prompt tokens for 3 of 12 requests that are the same as in the run of 2026-11-21 (57 then and 80 now for suite/probe)${because}`,
  ],
  [
    { before: 4000, now: 4050, example: { cell: null, before: 4000, now: 4050 } },
    `demo/m counts more prompt tokens for the same requests than in the run of 2026-11-21 (4,000 then and 4,050 now for the plain request that comes first)${because}`,
  ],
  [
    { at: '2026-11-22T03:00:00.000Z' },
    `demo/m counts 1.4 times as many prompt tokens for the same requests as in the run of 2026-11-21 (57 then and 80 now for suite/probe), as seen first in the run of 2026-11-22${because}`,
  ],
])('%j', (changes, text) => {
  expect(newsOf(changes)).toBe(text);
});

test('identical requests of one run that count differently', () => {
  const prompt_tokens_vary = { of: 9, requests: 2, example: { cell: 's/p', counts: [57, 80] } };
  expect(promptTokensNews({ ...aReportModel('demo/m'), prompt_tokens_vary })).toEqual([
    'demo/m counts different numbers of prompt tokens for 2 of 9 identical requests (57 and 80 for s/p): what answers for it differs in template, tokenizer or billing',
  ]);
});
