import { expect, test } from 'vitest';
import { configOf, settingsAxis, suiteOf } from '../../../test/support/axes.js';
import { probeOf } from '../../../test/support/plans.js';
import { modelOf, targetOf } from '../../../test/support/targets.js';
import { misspeltSettings } from './plan-cells.js';

const settings = { thinking: { off: {} } };
const config = configOf([targetOf('demo', 'simulator', {}, [modelOf('demo/a'), modelOf('demo/b', { settings })])]);
const problemsOf = (axis: string) =>
  misspeltSettings(config, [suiteOf('s', [probeOf('s', 'p', { axes: [settingsAxis('thinking', axis)] })])]);

test('warns of a name that some model has nearly so', () => {
  expect(problemsOf('thinkin')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('"thinkin"') as string, hint: 'did you mean "thinking"?' },
  ]);
});

test('says nothing of one that any model defines, or that nothing resembles', () => {
  expect(problemsOf('thinking')).toEqual([]);
  expect(problemsOf('reasoning_effort')).toEqual([]);
});
