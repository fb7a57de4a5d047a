import { expect, test } from 'vitest';
import { aConfig, aModel, aProbe, aSettingsAxis, aSuite, aTarget } from '../../../test/support/build.js';
import { misspeltSettings } from './plan-cells.js';

const settings = { thinking: { off: {} } };
const config = aConfig([
  aTarget('demo', { baseUrl: 'simulator', models: [aModel('demo/a'), aModel('demo/b', { settings })] }),
]);
const problemsOf = (axis: string) =>
  misspeltSettings(config, [aSuite('s', [aProbe('s/p', { axes: [aSettingsAxis('thinking', axis)] })])]);

test('warns about settings whose name is almost one that a model defines', () => {
  expect(problemsOf('thinkin')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('"thinkin"') as string, hint: 'did you mean "thinking"?' },
  ]);
});

test('does not warn about settings that a model defines, or that resemble none', () => {
  expect(problemsOf('thinking')).toEqual([]);
  expect(problemsOf('reasoning_effort')).toEqual([]);
});
