import { beforeAll, expect, test } from 'vitest';
import type { Report } from './facts.js';
import { project } from './program.js';

/** What a request sets, and what a conversation declares, judged by its effect. */

const suite = `suite: asked
probes:
  ineffective:
    request: { messages: [{ role: user, content: Say hello. }] }
    expect: { rules: [{ id: effect, assert: 'false', class: ineffective }] }
  wrong:
    request: { messages: [{ role: user, content: Say hello. }] }
    expect:
      rules:
        - { id: effect, assert: 'false', class: ineffective }
        - { id: wrong, assert: 'value = 1' }
  plain:
    request: { messages: [{ role: user, content: Say hello. }], logprobs: true }
    expect:
      rules:
        - { id: status, assert: 'answer.status = 200 and $contains($lookup(answer.headers, "content-type"), "json")' }
        - { id: body, assert: '$count(answer.body.choices.logprobs.content) > 0 and $not($exists(answer.chunks))' }
        - { id: times, assert: 'answer.timing.total_ms >= answer.timing.headers_ms and answer.timing.first_content_ms = null' }
  streamed:
    request: { messages: [{ role: user, content: Write a sentence. }], stream: true }
    expect:
      rules:
        - { id: chunks, assert: '$count(answer.chunks) > 2 and $count(answer.chunks[$type(at_ms) = "number"]) = $count(answer.chunks)' }
        - { id: times, assert: 'answer.timing.first_content_ms <= answer.timing.last_content_ms' }
  declared:
    request:
      messages:
        - role: system
          content: More tools from here on.
          tools: [{ type: function, function: { name: get_tide, parameters: { type: object, properties: { harbour: { type: string } }, required: [harbour] } } }]
        - { role: user, content: Get the tide of the harbour of Brest. }
      tool_choice: required
    expect: { tool_call: get_tide }
`;
const config = 'targets: { demo: { base_url: simulator, models: [sim-reference] } }\nsuites: [asked.yaml]\n';

let report: Report;
beforeAll(async () => {
  const work = await project({ 'chatspec.yaml': config, 'asked.yaml': suite });
  const { stderr, stdout } = await work.chatspec('run --json --fail-on never');
  expect(stdout, stderr).not.toBe('');
  report = JSON.parse(stdout) as Report;
});

test.each([
  ['ineffective', 'fail', 'ineffective', 'correct'],
  ['wrong', 'fail', 'rule_violation', 'conforms'],
  ['declared', 'pass', null, 'correct'],
  ['plain', 'pass', null, 'correct'],
  ['streamed', 'pass', null, 'correct'],
])('asked/%s: %s, %s', (probe, verdict, kind, rung) => {
  const cell = report.cells.find(({ key }) => key === `asked/${probe}@demo/sim-reference`);
  expect(cell).toMatchObject({ verdict, class: kind, rung });
});

test('a call of a tool that nothing declares is an error before anything is sent', async () => {
  const misspelt = suite.replace('tool_call: get_tide', 'tool_call: get_tid');
  const work = await project({ 'chatspec.yaml': config, 'asked.yaml': misspelt });
  const { code, stderr } = await work.chatspec('validate');
  expect(code).toBe(2);
  expect(stderr).toContain('get_tide');
});
