import { describe, expect, test } from 'vitest';
import { configText, inWords, problemsOf } from '../../test/support/read-suite-text.js';

/** Requests that engineers send: none of them may give an error, and those without an unknown field no warning. */

const hi = 'messages: [{ role: user, content: hi }]';
const object = '{ type: object, properties: {}, required: [], additionalProperties: false }';
const tool = `{ type: function, function: { name: create_order, parameters: ${object} } }`;
const tools = `tools: [${tool}]`;
const schema = `response_format: { type: json_schema, json_schema: { name: x, strict: true, schema: ${object} } }`;
const probe = (...lines: readonly string[]) =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const sends = (...fields: readonly string[]) => probe(`request: { ${[hi, ...fields].join(', ')} }`);
const says = (...messages: readonly string[]) => probe(`request: { messages: [${messages.join(', ')}] }`);

type Row = readonly [
  name: string,
  text: string,
  config?: string | undefined,
  files?: Record<string, string> | undefined,
];

const fine: readonly Row[] = [
  ['plain', sends()],
  [
    'every usual field',
    sends(
      'max_tokens: 5',
      'temperature: 0.2',
      'top_p: 1',
      'n: 1',
      'seed: 7',
      'stop: ["\\n"]',
      'stream: true',
      'stream_options: { include_usage: true }',
      'user: u',
      'store: false',
      'service_tier: auto',
    ),
  ],
  ['penalties', sends('presence_penalty: -1', 'frequency_penalty: 0.5', 'logit_bias: { "50256": -100 }')],
  ['logprobs', sends('logprobs: true', 'top_logprobs: 3')],
  ['a stop text', sends('stop: END')],
  ['fields that are null', sends('max_tokens: ~', 'response_format: ~', 'stop: ~', 'tools: ~')],
  ['max_completion_tokens', sends('max_completion_tokens: 100')],
  ['a mode of safety', sends('safety_mode: NONE')],
  ['a tool of a router', sends('tools: [{ type: "openrouter:web_search" }]')],
  ['every reasoning_effort in use', sends('reasoning_effort: xhigh', 'thinking: { type: adaptive }')],
  [
    'parts of vendors',
    says('{ role: user, content: [{ type: video_url, video_url: { url: x } }, { type: input_text, text: x }] }'),
  ],
  ['any reasoning_effort', sends('reasoning_effort: ultra')],
  ['any thinking type', sends('thinking: { type: sometimes, budget_tokens: 1024 }')],
  ['another member of thinking', sends('thinking: { type: enabled, flavour: deep }')],
  ['metadata of the author', sends('metadata: { tool: 1, contnet: x, respones_format: y }')],
  ['json_object', sends('response_format: { type: json_object }')],
  ['text as a format', sends('response_format: { type: text }')],
  ['json_schema', sends(schema)],
  ['json_schema without strict', sends(schema.replace('strict: true, ', ''))],
  ['a description of the schema', sends(schema.replace('name: x', 'name: x, description: y'))],
  ['json_object with a vendor schema', sends(`response_format: { type: json_object, schema: ${object} }`)],
  ['a grammar', sends('response_format: { type: grammar, grammar: "root ::= [a-z]" }')],
  ['tools', sends(tools)],
  ['a tool without parameters', sends('tools: [{ type: function, function: { name: now } }]')],
  ['strict false without parameters', sends('tools: [{ type: function, function: { name: now, strict: false } }]')],
  [
    'every string of tool_choice',
    probe(`request: { ${hi}, ${tools} }`, 'vary: { tool_choice: [none, auto, required] }'),
  ],
  ['the object form', sends(tools, 'tool_choice: { type: function, function: { name: create_order } }')],
  [
    'allowed tools',
    sends(
      tools,
      'tool_choice: { type: allowed_tools, allowed_tools: { mode: auto, tools: [{ type: function, function: { name: create_order } }] } }',
    ),
  ],
  [
    'a custom tool',
    sends(
      'tools: [{ type: custom, custom: { name: sql, format: { type: text } } }]',
      'tool_choice: { type: custom, custom: { name: sql } }',
    ),
  ],
  ['a vendor tool', sends('tools: [{ type: web_search, web_search: { enable: true } }]')],
  ['a builtin function', sends('tools: [{ type: builtin_function, function: { name: $web_search } }]')],
  ['parallel_tool_calls', sends(tools, 'parallel_tool_calls: false')],
  ['the older functions', sends(`functions: [{ name: a, parameters: ${object} }]`, 'function_call: auto')],
  ['function_call with a name', sends(`functions: [{ name: a, parameters: ${object} }]`, 'function_call: { name: a }')],
  [
    'every role',
    says(
      '{ role: developer, content: a }',
      '{ role: system, content: a }',
      '{ role: user, content: b, name: li }',
      '{ role: assistant, content: c }',
    ),
  ],
  [
    'a call and its result',
    says(
      '{ role: user, content: a }',
      '{ role: assistant, content: ~, tool_calls: [{ id: c1, type: function, function: { name: f, arguments: "{}" } }] }',
      '{ role: tool, tool_call_id: c1, content: "5" }',
    ),
  ],
  [
    'a call without content',
    says('{ role: assistant, tool_calls: [{ id: c1, type: function, function: { name: f, arguments: "{}" } }] }'),
  ],
  ['the older function message', says('{ role: function, name: f, content: "5" }')],
  ['reasoning given back', says('{ role: assistant, content: a, reasoning_content: b }')],
  ['a prefix', says('{ role: assistant, content: "{", prefix: true }')],
  ['a partial message', says('{ role: assistant, content: "{", partial: true }')],
  [
    'an image',
    says(
      '{ role: user, content: [{ type: text, text: a }, { type: image_url, image_url: { url: "data:image/png;base64,AA", detail: low } }] }',
    ),
  ],
  ['audio in', says('{ role: user, content: [{ type: input_audio, input_audio: { data: AA, format: wav } }] }')],
  ['a file', says('{ role: user, content: [{ type: file, file: { file_id: f } }] }')],
  ['a video of a vendor', says('{ role: user, content: [{ type: video_url, video_url: { url: "http://a/b" } }] }')],
  ['a part of an unknown type', says('{ role: user, content: [{ type: hologram, hologram: { id: 5 } }] }')],
  ['cache control', says('{ role: user, content: [{ type: text, text: a, cache_control: { type: ephemeral } }] }')],
  ['audio out', sends('modalities: [text, audio]', 'audio: { voice: alloy, format: wav }')],
  ['prediction', sends('prediction: { type: content, content: abc }')],
  [
    'vLLM',
    sends(
      'top_k: 40',
      'min_p: 0.1',
      'repetition_penalty: 1.1',
      'min_tokens: 5',
      'guided_json: {}',
      'ignore_eos: true',
      'stop_token_ids: [1]',
      'chat_template_kwargs: { enable_thinking: false, house_style: 2 }',
      'structured_outputs: { choice: [a] }',
    ),
  ],
  [
    'llama.cpp',
    sends(
      'cache_prompt: true',
      'n_probs: 2',
      'repeat_penalty: 1.1',
      'grammar: x',
      'id_slot: 0',
      'typical_p: 1',
      'mirostat: 2',
      'timings_per_token: true',
      'reasoning_format: none',
    ),
  ],
  ['SGLang', sends('regex: a', 'ebnf: b', 'separate_reasoning: true', 'custom_params: {}')],
  [
    'OpenRouter',
    sends(
      'provider: { order: [a], allow_fallbacks: false }',
      'transforms: [middle-out]',
      'reasoning: { effort: high, exclude: true }',
      'models: [a, b]',
      'route: fallback',
      'plugins: []',
      'usage: { include: true }',
      'top_a: 0.1',
    ),
  ],
  [
    'DashScope',
    sends(
      'enable_thinking: true',
      'thinking_budget: 500',
      'enable_search: true',
      'search_options: {}',
      'incremental_output: true',
    ),
  ],
  ['Zhipu and Moonshot', sends('do_sample: false', 'request_id: r', 'user_id: u', 'tool_stream: true')],
  ['Mistral', sends('safe_prompt: true', 'random_seed: 5', 'prompt_mode: reasoning', tools, 'tool_choice: any')],
  ['Groq', sends('reasoning_format: parsed', 'include_reasoning: false', 'search_settings: {}')],
  [
    'Fireworks and Together',
    sends(
      'context_length_exceeded_behavior: truncate',
      'prompt_truncate_len: 5',
      'perf_metrics_in_response: true',
      'echo: true',
      'safety_model: x',
      'logprobs: 1',
    ),
  ],
  ['Azure and xAI', sends('data_sources: []', 'search_parameters: { mode: auto }', 'deferred: false')],
  ['Ollama', sends('keep_alive: 5m', 'options: { num_ctx: 5 }', 'think: false')],
  ['a field with x_', sends('x_team: eval')],
  ['templates in texts', `vars: { who: Li }\n${says("{ role: user, content: 'hi {{who}}' }")}`],
  [
    'a template in a closed list',
    `vars: { r: user, c: auto }\n${probe(`request: { messages: [{ role: '{{r}}', content: hi }], ${tools}, tool_choice: '{{c}}' }`)}`,
  ],
  [
    'a template as the name of a tool',
    `vars: { t: find }\n${probe(`request: { ${hi}, tools: [{ type: function, function: { name: '{{t}}', parameters: ${object} } }], tool_choice: { type: function, function: { name: find } } }`, 'expect: { tool_call: find }')}`,
  ],
  [
    'tools by sample row',
    probe(
      `request: { ${hi}, tools: [{ type: function, function: { name: '{{t}}', parameters: ${object} } }] }`,
      'samples: r.jsonl',
      "expect: { tool_call: '{{t}}' }",
    ),
    configText(),
    { 'r.jsonl': '{"t":"a"}\n{"t":"b"}\n' },
  ],
  [
    'a name from the model',
    probe(
      `request: { ${hi}, tools: [{ type: function, function: { name: '{{t}}', parameters: ${object} } }], tool_choice: { type: function, function: { name: find } } }`,
    ),
    configText({ model: 'vars: { t: find }' }),
  ],
  [
    'a step that a flow fills',
    probe(
      'steps:',
      `  - { id: a, request: { ${hi} } }`,
      `  - { id: b, request: { ${hi}, ${tools}, tool_choice: '{{steps.a.value}}' } }`,
    ),
  ],
  [
    'tool_choice in the step that has tools',
    probe(
      'steps:',
      `  - { id: a, request: { ${hi}, ${tools}, tool_choice: auto } }`,
      `  - { id: b, request: { ${hi} } }`,
      'vary: { tool_choice: [auto, required] }',
    ),
  ],
  [
    'a format whose schema is on an axis',
    probe(
      `request: { ${hi}, response_format: { type: json_schema, json_schema: { name: x } } }`,
      `vary: { s: { at: /response_format/json_schema/schema, points: { a: ${object} } } }`,
    ),
  ],
  [
    'a schema in the defaults',
    `suite: s\ndefaults: { request: { ${schema} } }\nprobes:\n  p: { request: { ${hi} } }\n  q: { request: { ${hi}, response_format: ~ } }\n`,
  ],
  [
    'half of a form in the defaults',
    `suite: s\ndefaults: { request: { response_format: { type: json_schema } } }\nprobes:\n  p: { request: { ${hi}, response_format: { json_schema: { name: x, schema: ${object} } } } }\n`,
  ],
  [
    'tools from a point',
    probe(`request: { ${hi} }`, `vary: { tools: { given: [${tool}] } }`, 'expect: { tool_call: create_order }'),
  ],
  [
    'a call that only one point expects',
    probe(
      `request: { ${hi} }`,
      `vary: { tools: { none: ~, given: [${tool}] } }`,
      'when: [{ point: { tools: given }, expect: { tool_call: create_order } }]',
    ),
  ],
  [
    'excluded points that would not fit',
    probe(
      `request: { ${hi} }`,
      `vary: { tools: { none: ~, given: [${tool}] }, tool_choice: { absent: ~, auto: auto } }`,
      'exclude: [{ tools: none, tool_choice: auto }]',
    ),
  ],
  [
    'a field of a message on an axis',
    probe(`request: { ${hi} }`, 'vary: { w: { at: /messages/0/content, points: { a: x, b: y } } }'),
  ],
  [
    'a member of a dictionary on an axis',
    probe(
      `request: { ${hi} }`,
      'vary: { t: { at: /chat_template_kwargs/enable_thinking, points: { "on": true, "off": false, none: ~ } } }',
    ),
  ],
  [
    'tools from the config',
    probe(`request: { ${hi} }`, 'vary: { t: { settings: t } }', 'expect: { tool_call: create_order }'),
    configText({ target: `settings: { t: { a: { ${tools} } } }` }),
  ],
  [
    'a patch that removes',
    probe(`request: { ${hi}, max_tokens: 5 }`, 'vary: { t: { settings: t } }'),
    configText({
      model: 'request: { max_tokens: ~ }',
      target: 'settings: { t: { a: ~, b: { response_format: { type: json_object } } } }',
    }),
  ],
  ['a renamed field', sends('max_tokens: 5'), configText({ model: 'rename: { max_tokens: max_completion_tokens }' })],
  ['a control that streams', sends(), configText({ model: 'control: { stream: true, max_tokens: 5 }' })],
  ['another model in the body', sends(), configText({ model: 'request: { model: other }' })],
  [
    'another spelling of finish_reason',
    probe(`request: { ${hi} }`, 'expect: { finish_reason: [STOP, eos, end_turn, tool_use, stop] }'),
  ],
  [
    'a setting that the model lacks',
    probe(`request: { ${hi} }`, 'vary: { t: { settings: t } }', 'expect: { tool_call: from_the_setting }'),
  ],
  ['an own capability', probe('capability: house.style', `request: { ${hi} }`)],
];

describe('is no mistake', () => {
  test.each(fine.map((row) => [row[0], row] as const))('%s', async (_name, [, ...project]) => {
    const found = (await problemsOf(...project)).map(inWords);
    expect(found.filter((problem) => !problem.includes('outside the advised subset'))).toEqual([]);
  });
});

test.each(['window: 5', 'flux_capacity: 1', 'tenant: a', 'experiment: { a: 1 }', 'text: { format: x }'])(
  'an unknown field far from every known one is a warning: %s',
  async (field) => {
    const found = await problemsOf(sends(field));
    expect(found).toMatchObject([{ severity: 'warning', message: `a request has no field "${field.split(':')[0]}"` }]);
  },
);

test('tool_choice none without tools is only a warning, since it asks for nothing', async () => {
  expect((await problemsOf(sends('tool_choice: none'))).map(({ severity }) => severity)).toEqual(['warning']);
});

describe('deliberate', () => {
  const onPurpose = (pointers: string, ...fields: readonly string[]) =>
    probe(`request: { ${[hi, ...fields].join(', ')} }`, `deliberate: [${pointers}]`);

  test.each([
    ['/max_tokens', 'max_tokens: "5"'],
    ['/respones_format', 'respones_format: {}'],
    ['/window', 'window: 5'],
    ['/response_format/json_schema', 'response_format: { type: json_schema }'],
    ['/response_format', 'response_format: { type: json_schema }'],
    ['/response_format/json_schema/schema', 'response_format: { type: json_schema, json_schema: { name: x } }'],
    [
      '/response_format/json_schema/schema/type',
      'response_format: { type: json_schema, json_schema: { name: x, schema: { type: objct } } }',
    ],
    ['/tool_choice', 'tool_choice: auto'],
    ['/tools', 'tool_choice: auto'],
    ['/tool_choice/function/name', `${tools}, tool_choice: { type: function, function: { name: nobody } }`],
    ['/tool_choice', `${tools}, tool_choice: { type: function }`],
    ['/tools/0/type', 'tools: [{ type: fucntion }]'],
  ])('%s allows %s', async (pointer, fields) => {
    expect((await problemsOf(onPurpose(pointer, fields))).map(inWords)).toEqual([]);
  });

  test('counts for the steps and points of a probe', async () => {
    const step = `{ id: a, request: { ${hi}, max_tokens: "5" } }`;
    expect(await problemsOf(probe('steps:', `  - ${step}`, 'deliberate: [/max_tokens]'))).toEqual([]);
    const points = probe(`request: { ${hi} }`, 'vary: { max_tokens: [a, 5] }', 'deliberate: [/max_tokens]');
    expect(await problemsOf(points)).toEqual([]);
  });

  test('counts for inherited defaults, of one probe only', async () => {
    const defaults = 'suite: s\ndefaults: { request: { max_tokens: "5" } }\nprobes:\n';
    const one = `  p: { request: { ${hi} }, deliberate: [/max_tokens] }\n`;
    expect(await problemsOf(defaults + one)).toEqual([]);
    const two = `${defaults}${one}  q: { request: { ${hi} } }\n`;
    expect((await problemsOf(two)).map(inWords)).toEqual([expect.stringMatching(/^2:36 error max_tokens: expected/)]);
  });

  test('leaves every other mistake an error', async () => {
    const found = await problemsOf(onPurpose('/max_tokens', 'max_tokens: "5"', 'temperature: low'));
    expect(found.map(({ message }) => message)).toEqual([expect.stringMatching(/^temperature/)]);
  });

  test('is itself a warning where nothing is wrong', async () => {
    const found = await problemsOf(onPurpose('/max_tokens, /seed', 'max_tokens: "5"'));
    expect(found.map(inWords)).toEqual([
      '5:31 warning nothing is wrong at this place of the requests → remove it, or correct the pointer',
    ]);
  });

  test('must be JSON Pointers', async () => {
    expect((await problemsOf(onPurpose('max_tokens'))).map(inWords)[0]).toMatch(
      /^5:18 error .*"max_tokens" does not fit/,
    );
  });
});

describe('a capability whose form no request has', () => {
  const measures = (capability: string, ...lines: readonly string[]) => probe(`capability: "${capability}"`, ...lines);
  test.each([
    ['json_schema', hi],
    ['json_object', `${hi}, ${schema}`],
    ['tools', hi],
    ['tool_choice.required', `${hi}, ${tools}`],
    ['tool_choice.object', `${hi}, ${tools}, tool_choice: auto`],
    ['stream.chat', hi],
    ['stream.json_schema', `${hi}, stream: true`],
    ['strict.conflict', `${hi}, ${schema.replace('strict: true', 'strict: false')}`],
    ['budget.tools', hi],
  ])('is a warning: %s', async (capability, request) => {
    const found = await problemsOf(measures(capability, `request: { ${request} }`));
    expect(found.map(inWords)).toEqual([
      expect.stringMatching(
        new RegExp(`^4:17 warning no request of s/p has the form .* ${capability} stands for → such a request has`),
      ),
    ]);
  });

  test.each([
    ['json_schema', `${hi}, ${schema}`],
    ['stream.json_schema', `${hi}, stream: true, ${schema}`],
    ['tool_choice.auto', `${hi}, ${tools}`],
    ['tool_choice.required', `${hi}, ${tools}, tool_choice: required`],
    ['strict.conflict', `${hi}, ${schema}`],
    ['chat', hi],
    ['thinking.enabled', hi],
    ['schema.enum', hi],
  ])('is none for %s', async (capability, request) => {
    expect(await problemsOf(measures(capability, `request: { ${request} }`))).toEqual([]);
  });

  test('is looked for at the points that the label names', async () => {
    const vary = 'vary: { tool_choice: { required: required, object: auto } }';
    const found = await problemsOf(measures('tool_choice.{{tool_choice}}', `request: { ${hi}, ${tools} }`, vary));
    expect(found.map(({ message }) => message)).toEqual([expect.stringContaining('tool_choice.object')]);
  });
});
