import { expect, test } from 'vitest';
import { aModel, aPlannedCell } from '../../../test/support/build.js';
import type { Axis } from '../../suite/probe.js';
import { recommendedRequest } from './recommendations.js';

const disabled = { thinking: { type: 'disabled' } };
const model = aModel('demo/one', {
  settings: { thoughts: { disabled, default: null } },
  request: { seed: 7 },
  rename: { max_tokens: 'max_completion_tokens' },
});
const axes: readonly Axis[] = [
  { kind: 'settings', name: 'thinking', settings: 'thoughts' },
  {
    ...{ kind: 'values', name: 'template', at: ['chat_template_kwargs', 'enable_thinking'], listed: false },
    points: new Map([
      ['off', { kind: 'value', value: false }],
      ['none', { kind: 'unset' }],
    ]),
  },
];
const cells = ['disabled', 'default'].flatMap((thinking) =>
  ['off', 'none'].map((template) => aPlannedCell({ model, point: { thinking, template }, probe: { axes } })),
);

test.each([
  [{ thinking: 'disabled' }, disabled],
  [{ thinking: 'default' }, {}],
  [{ template: 'off' }, { chat_template_kwargs: { enable_thinking: false } }],
  [{ template: 'none' }, {}],
  [{ max_tokens: '2048' }, { max_completion_tokens: 2048 }],
  [{ stream: 'false' }, { stream: false }],
  [{ tool_choice: 'required' }, { tool_choice: 'required' }],
  // The client names its own function, writes its own messages and its own schema.
  [{ tool_choice: 'object', json_word: 'required', strict: 'false' }, {}],
  [
    { temperature: '0.2', reasoning_effort: 'low' },
    { temperature: 0.2, reasoning_effort: 'low' },
  ],
])('%j becomes members of the body', (settings, members) => {
  expect(recommendedRequest(settings as Record<string, string>, cells)).toEqual({ ...members, seed: 7 });
});
