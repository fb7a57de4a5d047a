import { expect, test } from 'vitest';
import { aReport, aReportModel } from '../../../test/support/build.js';
import { servedNews } from './served-news.js';

const newsOf = (model: string, served: readonly string[], standing: 'known' | 'new' = 'new') =>
  servedNews(aReport({ models: [aReportModel(`t/${model}`, { model, served, standing })] }));

test('a new model that another one answers for is news, by every name that is not its own', () => {
  expect(newsOf('big', ['big', 'cheap-mini', 'small'])).toEqual([
    't/big is served by cheap-mini, small: an alias of it, or another model than the one that was asked for',
  ]);
});

test.each([
  ['big', ['big']],
  ['big', ['big-2026-11-01']],
  ['vendor/Big', ['big']],
  ['big', ['accounts/vendor/models/big-instruct']],
  ['big', []],
])('%s is served under its own name by %j', (model, served) => {
  expect(newsOf(model, served)).toEqual([]);
});

test('once it is accepted, only a change is news', () => {
  expect(newsOf('big', ['cheap-mini'], 'known')).toEqual([]);
});
