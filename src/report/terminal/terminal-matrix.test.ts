import pc from 'picocolors';
import { expect, test } from 'vitest';
import { aReport, aReportModel } from '../../../test/support/build.js';
import { terminalMatrix } from './terminal-matrix.js';

const plain = pc.createColors(false);
const reportOf = (...names: readonly string[]) =>
  aReport({
    models: names.map((name) => aReportModel(`demo/${name}`)),
    capabilities: names.map((name) => ({
      ...({ model: `demo/${name}`, capability: 'chat', verdict: 'pass', condition: null, cells: [] } as const),
    })),
  });

test('names are the heads where they fit, each above its marks', () => {
  const [head = '', row = ''] = terminalMatrix(reportOf('small', 'm', '模型'), 40, plain);
  expect(head).toBe('            small   m  模型');
  expect(row).toBe('chat           ✓P  ✓P    ✓P');
});

test('names that do not fit side by side are numbered, with a legend', () => {
  const names = ['a-rather-long-name-of-a-model', 'another-rather-long-name'];
  const lines = terminalMatrix(reportOf(...names), 60, plain);
  expect(lines[0]!.trim()).toBe('1   2');
  expect(lines.slice(-2)).toEqual(names.map((name, index) => `  ${index + 1} ${name}`));
});
