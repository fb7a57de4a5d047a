import { expect, test } from 'vitest';
import { aReport } from '../../../test/support/build.js';
import { matrixView } from './matrix-view.js';

test('rows come in the order of their families, and within a family as they come', () => {
  const ids = ['own.b', 'stream.chat', 'json_schema', 'own.a', 'chat.metadata', 'chat'];
  const capabilities = ids.map((capability) => ({
    ...{ model: 'demo/one', capability, condition: null, cells: [] },
    verdict: 'pass' as const,
  }));
  const rows = (families: readonly string[] | undefined) =>
    matrixView(aReport({ capabilities, ...(families ? { families } : {}) })).rows.map(({ capability }) => capability);
  expect(rows(['chat', 'json_schema', 'stream'])).toEqual([
    ...['chat.metadata', 'chat', 'json_schema', 'stream.chat', 'own.b', 'own.a'],
  ]);
  expect(rows(['stream', 'own'])).toEqual(['stream.chat', 'own.b', 'own.a', 'json_schema', 'chat.metadata', 'chat']);
  expect(rows(undefined)).toEqual(ids);
});
