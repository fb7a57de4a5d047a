import { describe, expect, test } from 'vitest';
import { configText, inWords, placeOf, problemsOf } from '../../test/support/read-suite-text.js';

/** One mistake each: an error exactly where `mark` stands, and nothing else. */

const hi = 'messages: [{ role: user, content: hi }]';
const object = '{ type: object, properties: {}, required: [], additionalProperties: false }';
const tool = `{ type: function, function: { name: create_order, parameters: ${object} } }`;
const format = `response_format: { type: json_schema, json_schema: { name: x, schema: ${object} } }`;
const probe = (...lines: readonly string[]) =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const sends = (...fields: readonly string[]) => probe(`request: { ${[hi, ...fields].join(', ')} }`);

type Row = readonly [
  text: string,
  mark: string,
  expected: RegExp,
  more?: { config?: string; files?: Record<string, string> },
];

async function expectOne([text, mark, expected, { config, files } = {}]: Row): Promise<void> {
  const found = await problemsOf(text, config, files);
  expect(found.map(inWords)).toEqual([expect.stringMatching(expected)]);
  const inConfig = config?.includes(mark) === true;
  expect(inWords(found[0]!)).toMatch(new RegExp(`^${placeOf(inConfig ? config : text, mark)} error `));
  expect(found[0]!.place!.file).toMatch(inConfig ? /chatspec\.yaml$/ : /s\.yaml$/);
  expect(found[0]!.frame).toContain('^');
}

const names: readonly Row[] = [
  [
    sends('respones_format: { type: json_object }'),
    'respones_format',
    /no field "respones_format" → did you mean "response_format"\?/,
  ],
  [sends('reponse_format: { type: json_object }'), 'reponse_format', /did you mean "response_format"\?/],
  [sends('responseFormat: { type: json_object }'), 'responseFormat', /did you mean "response_format"\?/],
  [sends('response-format: { type: json_object }'), 'response-format', /did you mean "response_format"\?/],
  [sends('max_token: 5'), 'max_token', /did you mean "max_tokens"\?/],
  [sends('maxTokens: 5'), 'maxTokens', /did you mean "max_tokens"\?/],
  [sends('max-tokens: 5'), 'max-tokens', /did you mean "max_tokens"\?/],
  [sends('max_completion_token: 5'), 'max_completion_token', /did you mean "max_completion_tokens"\?/],
  [sends('temprature: 0'), 'temprature', /did you mean "temperature"\?/],
  [sends('Temperature: 0'), 'Temperature', /did you mean "temperature"\?/],
  [sends('steam: true'), 'steam', /did you mean "stream"\?/],
  [sends('stream: true', 'stream_option: { include_usage: true }'), 'stream_option', /did you mean "stream_options"\?/],
  [
    sends('stream: true', 'stream_options: { includ_usage: true }'),
    'includ_usage',
    /stream_options has no field .*"include_usage"/,
  ],
  [sends('stream: true', 'include_usage: true'), 'include_usage', /it belongs into stream_options/],
  [sends('reasoning_efort: low'), 'reasoning_efort', /did you mean "reasoning_effort"\?/],
  [sends('thinkng: { type: enabled }'), 'thinkng', /did you mean "thinking"\?/],
  [sends('thinking: { tpye: enabled }'), 'tpye', /thinking has no field "tpye" → did you mean "type"\?/],
  [sends('enable_thinkng: true'), 'enable_thinkng', /did you mean "enable_thinking"\?/],
  [
    sends('chat_template_kwarg: { enable_thinking: true }'),
    'chat_template_kwarg',
    /did you mean "chat_template_kwargs"\?/,
  ],
  [sends('chat_template_kwargs: { enable_thinkig: true }'), 'enable_thinkig', /did you mean "enable_thinking"\?/],
  [sends('top-k: 5'), 'top-k', /did you mean "top_k"\?/],
  [sends('frequency_penality: 1'), 'frequency_penality', /did you mean "frequency_penalty"\?/],
  [sends(`tolls: [${tool}]`), 'tolls', /did you mean "tools"\?/],
  [sends(`tolls: [${tool}]`, 'tool_choice: required'), 'tolls', /did you mean "tools"\?/],
  [sends(`tools: [${tool}]`, 'toolChoice: auto'), 'toolChoice', /did you mean "tool_choice"\?/],
  [
    sends(`tools: [${tool}]`, 'paralel_tool_calls: false'),
    'paralel_tool_calls',
    /did you mean "parallel_tool_calls"\?/,
  ],
  [
    sends(`tools: [{ type: function, fucntion: { name: a, parameters: ${object} } }]`),
    'fucntion',
    /tools\.0 has no field .*"function"/,
  ],
  [
    sends(`tools: [{ type: function, function: { nmae: a, parameters: ${object} } }]`),
    'nmae',
    /tools\.0\.function has no field .*"name"/,
  ],
  [sends(`tools: [{ type: function, function: { name: a, paramaters: ${object} } }]`), 'paramaters', /"parameters"/],
  [
    sends(
      `tools: [{ type: function, function: { name: a, inputSchema: ${object}, parametrs: ${object} } }]`.replace(
        `inputSchema: ${object}, `,
        '',
      ),
    ),
    'parametrs',
    /"parameters"/,
  ],
  [
    sends(`tools: [{ type: function, strict: true, function: { name: a, parameters: ${object} } }]`),
    'strict',
    /it belongs into tools\[\]\.function/,
  ],
  [
    sends(`response_format: { type: json_schema, json_shema: { name: x, schema: ${object} } }`),
    'json_shema',
    /response_format has no field .*"json_schema"/,
  ],
  [
    sends(`response_format: { type: json_schema, json_schema: { name: x, shcema: ${object} } }`),
    'shcema',
    /response_format\.json_schema has no field .*"schema"/,
  ],
  [
    sends(`response_format: { type: json_schema, json_schema: { name: x, stirct: true, schema: ${object} } }`),
    'stirct',
    /"strict"/,
  ],
  [
    sends(`response_format: { type: json_schema, strict: true, json_schema: { name: x, schema: ${object} } }`),
    'strict',
    /it belongs into response_format\.json_schema/,
  ],
  [sends('strict: true'), 'strict', /it belongs into/],
  [probe('request: { messages: [{ role: user, contnet: hi }] }'), 'contnet', /messages\.0 has no field .*"content"/],
  [
    probe('request: { messages: [{ role: user, content: [{ type: text, txet: hi, text: hi }] }] }'),
    'txet',
    /content\.0 has no field .*"text"/,
  ],
  [
    probe(
      'request: { messages: [{ role: user, content: [{ type: image_url, image_url: { ulr: "http://a/b.png", url: x } }] }] }',
    ),
    'ulr',
    /"url"/,
  ],
  [probe('request: { mesages: [{ role: user, content: hi }] }'), 'mesages', /did you mean "messages"\?/],
  [
    probe(`request: { ${hi.replace('hi }', 'hi }, { role: assistant, content: ~, tool_cals: [] }')} }`),
    'tool_cals',
    /"tool_calls"/,
  ],
  [
    `suite: s\ndefaults: { request: { max_tokns: 5 } }\nprobes:\n  p: { request: { ${hi} } }\n  q: { request: { ${hi} } }\n`,
    'max_tokns',
    /"max_tokens"/,
  ],
  [
    `suite: s\ndefaults: { request: { max_tokns: 5 } }\nprobes:\n  p: { request: { ${hi}, max_tokns: ~ } }\n`.replace(
      'max_tokns: ~',
      'max_tokens: 1',
    ),
    'max_tokns',
    /"max_tokens"/,
  ],
  [
    probe(
      'steps:',
      `  - { id: a, request: { ${hi} } }`,
      `  - { id: b, request: { ${hi}, respones_format: { type: json_object } } }`,
    ),
    'respones_format',
    /"response_format"/,
  ],
  [probe(`request: { ${hi} }`, 'vary: { max_token: [5, 6] }'), 'max_token', /"max_tokens"/],
  [
    probe(`request: { ${hi} }`, 'vary: { t: { at: /chat_template_kwarg/enable_thinking, points: { a: true } } }'),
    '/chat_template_kwarg',
    /"chat_template_kwargs"/,
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { t: { at: /response_format/json_shema, points: { a: ~ } } }'),
    '/response_format/json_shema',
    /"json_schema"/,
  ],
  [
    probe('enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1 }', 'request: { max_tokns: 50 }'),
    'max_tokns',
    /"max_tokens"/,
  ],
];

const values: readonly Row[] = [
  [
    sends('response_format: { type: json-object }'),
    'json-object',
    /"json-object" is not allowed here → did you mean "json_object"\?/,
  ],
  [sends(format.replace('type: json_schema', 'type: json-schema')), 'json-schema', /did you mean "json_schema"\?/],
  [
    sends('response_format: json_schema'),
    'json_schema',
    /expected a mapping .* found the text "json_schema" → write \{ type: json_schema/,
  ],
  [sends('response_format: [json_object]'), '[json_object]', /expected a mapping/],
  [sends(`tools: [${tool.replace('type: function', 'type: fucntion')}]`), 'fucntion', /did you mean "function"\?/],
  [sends(`tools: ${tool}`), tool, /expected a list/],
  [sends(`tools: [${tool}]`, 'tool_choice: requierd'), 'requierd', /did you mean "required"\?/],
  [sends(`tools: [${tool}]`, 'tool_choice: true'), 'true', /expected a text/],
  [
    sends(`tools: [${tool}]`, 'tool_choice: { type: fucntion, function: { name: create_order } }'),
    'fucntion',
    /did you mean "function"\?/,
  ],
  [
    sends(`tools: [{ type: function, function: { name: a, strict: "true", parameters: ${object} } }]`),
    '"true"',
    /expected true or false/,
  ],
  [sends('tools: [{ type: function, function: { name: a, parameters: "{}" } }]'), '"{}"', /expected a mapping/],
  [
    probe('request: { messages: [{ role: usr, content: hi }] }'),
    'usr',
    /"usr" is not allowed here → did you mean "user"\?/,
  ],
  [probe('request: { messages: [{ role: sytem, content: hi }] }'), 'sytem', /did you mean "system"\?/],
  [probe('request: { messages: hello }'), 'hello', /expected a list, found the text "hello"/],
  [probe('request: { messages: [{ role: user, content: 5 }] }'), '5', /expected a text/],
  [probe('request: { messages: [{ role: user, content: { text: hi } }] }'), '{ text', /found a mapping/],
  [sends('max_tokens: "1024"'), '"1024"', /expected a whole number .* found the text "1024"/],
  [sends('max_tokens: 10.5'), '10.5', /expected a whole number/],
  [sends('temperature: low'), 'low', /expected a number/],
  [sends('stream: "true"'), '"true"', /expected true or false/],
  [sends('stop: 5'), '5', /expected a text, a list/],
  [sends('seed: abc'), 'abc', /expected a whole number/],
  [sends('n: two'), 'two', /expected a whole number/],
  [sends('thinking: enabled'), 'enabled', /expected a mapping/],
  [sends('reasoning_effort: { effort: low }'), '{ effort', /expected a text/],
  [sends('parallel_tool_calls: "no"'), '"no"', /expected true or false/],
  [`vars: { cap: 5 }\n${sends("max_tokens: '{{cap}}'")}`, "'{{cap}}'", /a template always gives a text/],
  [
    `vars: { role: usr }\n${probe("request: { messages: [{ role: '{{role}}', content: hi }] }")}`,
    "'{{role}}'",
    /"usr" is not allowed here/,
  ],
  [
    probe(`request: { ${hi}, tools: [${tool}], tool_choice: '{{c}}' }`, 'samples: r.jsonl'),
    "'{{c}}'",
    /"requird" is not allowed here/,
    { files: { 'r.jsonl': '{"c":"auto"}\n{"c":"requird"}\n' } },
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { response_format: { a: ~, b: { type: json-object } } }'),
    'json-object',
    /"json_object"/,
  ],
  [probe(`request: { ${hi} }`, 'vary: { temperature: [0, 1, hot] }'), 'hot', /expected a number/],
  [probe(`request: { ${hi}, tools: [${tool}] }`, 'vary: { tool_choice: [auto, requred] }'), 'requred', /"required"/],
  [
    probe(`request: { ${hi} }`, 'vary: { r: { at: /messages/0/role, points: { a: user, b: sistem } } }'),
    'sistem',
    /"system"/,
  ],
  [probe(`request: { ${hi} }`, 'expect: { finish_reason: [stpo] }'), 'stpo', /did you mean "stop"\?/],
];

const relations: readonly Row[] = [
  [sends('response_format: { type: json_schema }'), 'response_format', /"json_schema" is missing/],
  [
    sends(`response_format: { type: json_schema, json_schema: { schema: ${object} } }`),
    'json_schema: {',
    /"name" is missing/,
  ],
  [
    sends('response_format: { type: json_schema, json_schema: { name: x, strict: true } }'),
    'json_schema: {',
    /"schema" is missing/,
  ],
  [
    sends('response_format: { json_schema: { name: x, schema: {} } }').replace('{} }', `${object} }`),
    'response_format',
    /"type" is missing/,
  ],
  [sends('tools: [{ type: function }]'), '{ type', /"function" is missing/],
  [sends(`tools: [{ function: { name: a, parameters: ${object} } }]`), '{ function', /"type" is missing/],
  [sends(`tools: [{ type: function, function: { parameters: ${object} } }]`), 'function: {', /"name" is missing/],
  [sends('tools: [{ type: function, function: { name: a, strict: true } }]'), 'function: {', /"parameters" is missing/],
  [sends('tool_choice: auto'), 'tool_choice', /tool_choice stands without tools/],
  [sends('tools: []', 'tool_choice: required'), 'tool_choice', /tool_choice stands without tools/],
  [
    sends(`tools: [${tool}]`, 'tool_choice: { type: function, function: { name: create_ordre } }'),
    'create_ordre',
    /names "create_ordre", which is no tool of the request → did you mean "create_order"\?/,
  ],
  [
    sends(`tools: [${tool}]`, 'tool_choice: { type: function }'),
    'tool_choice',
    /tool_choice: "function" is missing → write \{ type: function/,
  ],
  [
    sends(`tools: [${tool}]`, 'tool_choice: { function: { name: create_order } }'),
    'tool_choice',
    /tool_choice: "type" is missing/,
  ],
  [
    sends(`tools: [${tool}]`, 'tool_choice: { type: function, function: {} }'),
    'function: {}',
    /tool_choice\.function: "name" is missing/,
  ],
  [probe('request: { max_tokens: 5 }'), 'request:', /the request has no "messages"/],
  [
    probe(`request: { ${hi} }`, 'expect: { tool_call: create_order }'),
    'create_order',
    /no tool of the request is called "create_order"/,
  ],
  [
    probe(`request: { ${hi}, tools: [${tool}] }`, 'expect: { tool_call: creat_order }'),
    'creat_order',
    /did you mean "create_order"\?/,
  ],
  [
    probe(`request: { ${hi}, tools: [${tool}] }`, 'expect: { tool_call: optionel }'),
    'optionel',
    /did you mean "optional"\?/,
  ],
  [
    probe(
      `request: { ${hi}, tools: [${tool}] }`,
      'vary: { tool_choice: [auto, none] }',
      'when: [{ point: { tool_choice: auto }, expect: { tool_call: creat_order } }]',
    ),
    'creat_order',
    /did you mean "create_order"\?/,
  ],
  [
    probe(
      `request: { ${hi}, tools: [${tool}] }`,
      'vary: { tool_choice: [auto, none] }',
      'when: [{ point: { tool_choise: auto }, expect: {} }]',
    ),
    'tool_choise',
    /no axis "tool_choise" → did you mean "tool_choice"\?/,
  ],
  [
    probe(
      `request: { ${hi}, tools: [${tool}] }`,
      'vary: { tool_choice: [auto, none] }',
      'when: [{ point: { tool_choice: aoto }, expect: {} }]',
    ),
    'aoto',
    /no label "aoto" → did you mean "auto"\?/,
  ],
  [
    probe(
      `request: { ${hi}, tools: [${tool}] }`,
      'vary: { tool_choice: { a: auto, o: { type: function, function: { name: crate_order } } } }',
    ),
    'crate_order',
    /names "crate_order"/,
  ],
  [
    probe(
      `request: { ${hi}, response_format: { type: json_schema } }`,
      `vary: { s: { at: /response_format/json_schema, points: { a: { name: x } } } }`,
    ),
    'a: { name',
    /"schema" is missing/,
  ],
  [
    probe(
      `request: { ${hi}, tools: [${tool}] }`,
      'vary: { tool_choice: { a: auto } }',
      "expect: { tool_call: '{{x}}' }",
    ).replace('suite: s', 'suite: s\nvars: { x: nobody }'),
    "'{{x}}'",
    /no tool of the request is called "nobody"/,
  ],
  [
    probe(
      'steps:',
      `  - { id: a, request: { ${hi}, tools: [${tool}] }, expect: { tool_call: create_order } }`,
      `  - { id: b, request: { ${hi}, tool_choice: auto } }`,
    ),
    'tool_choice',
    /stands without tools/,
  ],
];

const schemas: readonly Row[] = [
  [
    sends('response_format: { type: json_schema, json_schema: { name: x, schema: { type: string, minLenght: 3 } } }'),
    'minLenght',
    /JSON Schema has no keyword "minLenght" → did you mean "minLength"\?/,
  ],
  [
    sends(
      'tools: [{ type: function, function: { name: a, parameters: { type: object, propertes: {}, additionalProperties: false } } }]',
    ),
    'propertes',
    /did you mean "properties"\?/,
  ],
  [
    probe(`request: { ${hi} }`, 'expect: { content: json, schema: { tpye: object } }'),
    'tpye',
    /JSON Schema has no keyword "tpye" → did you mean "type"\?/,
  ],
  [
    sends(format.replace('type: object, properties: {}', 'type: objct, properties: {}')),
    'objct',
    /not a JSON Schema.* did you mean "object"\?/,
  ],
  [sends(`tools: [${tool.replace('type: object', 'type: objekt')}]`), 'objekt', /not a JSON Schema/],
  [
    probe('steps:', `  - { id: a, request: { ${hi}, ${format.replace('required: []', 'required: yes')} } }`),
    'yes',
    /not a JSON Schema/,
  ],
  [
    probe(
      `request: { ${hi} }`,
      'vary: { response_format: { a: ~, b: { type: json_schema, json_schema: { name: x, schema: { type: objct } } } } }',
    ),
    'objct',
    /not a JSON Schema/,
  ],
  [probe('enforce: { keyword: type, schema: { type: strng }, valid: a, invalid: 1 }'), 'strng', /not a JSON Schema/],
  [probe(`request: { ${hi} }`, 'expect: { schema: { type: numbr } }'), 'numbr', /not a JSON Schema/],
  [
    probe(
      `request: { ${hi}, ${format.replace('type: object, properties: {}', 'type: objct, properties: {}')} }`,
      'expect: { rejected: { status: [400] } }',
    ),
    'objct',
    /not a JSON Schema/,
  ],
  [
    `vars: { t: strng }\n${sends("response_format: { type: json_schema, json_schema: { name: x, schema: { type: '{{t}}' } } }")}`,
    "'{{t}}'",
    /not a JSON Schema/,
  ],
];

const config: readonly Row[] = [
  [sends(), 'max_tokn', /"max_tokens"/, { config: configText({ model: 'request: { max_tokn: 5 }' }) }],
  [
    sends(),
    'thinkin:',
    /"thinking"/,
    { config: configText({ target: 'settings: { t: { a: { thinkin: { type: on } } } }' }) },
  ],
  [sends(), 'tpye', /"type"/, { config: configText({ target: 'settings: { t: { a: { thinking: { tpye: on } } } }' }) }],
  [
    sends(),
    'enable_thinkin:',
    /"enable_thinking"/,
    { config: configText({ model: 'settings: { t: { a: { enable_thinkin: true } } }' }) },
  ],
  [
    sends(),
    'json-object',
    /"json_object"/,
    { config: configText({ target: 'settings: { f: { a: { response_format: { type: json-object } } } }' }) },
  ],
  [sends(), 'straem', /"stream"/, { config: configText({ model: 'control: { straem: true }' }) }],
  [sends(), '"5"', /expected a whole number/, { config: configText({ model: 'request: { max_tokens: "5" }' }) }],
  [
    sends(),
    'max_tokn',
    /"max_tokens"/,
    { config: configText({ model: 'rename: { max_tokn: max_completion_tokens }' }) },
  ],
  [
    sends(),
    'max_completion_token ',
    /"max_completion_tokens"/,
    { config: configText({ model: 'rename: { max_tokens: max_completion_token }' }) },
  ],
  [sends(), 'tool_choice', /stands without tools/, { config: configText({ model: 'request: { tool_choice: auto }' }) }],
  [
    probe(`request: { ${hi}, tools: [${tool}] }`, 'vary: { c: { settings: c } }'),
    'nobody',
    /names "nobody"/,
    {
      config: configText({
        target: 'settings: { c: { a: { tool_choice: { type: function, function: { name: nobody } } } } }',
      }),
    },
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { f: { settings: f } }'),
    'response_format',
    /"json_schema" is missing/,
    { config: configText({ target: 'settings: { f: { a: { response_format: { type: json_schema } } } }' }) },
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { t: { settings: t } }', 'when: [{ point: { t: enabld }, expect: {} }]'),
    'enabld',
    /no model of the config has the label "enabld" of t → did you mean "enabled"\?/,
    { config: configText({ target: 'settings: { t: { enabled: ~ } }' }) },
  ],
];

const closed =
  '{ type: object, properties: { total: { type: number } }, required: [total], additionalProperties: false }';
const orders = `response_format: { type: json_schema, json_schema: { name: x, schema: ${closed} } }`;
const thinking = {
  config: configText({ target: 'settings: { thinking: { default: ~, on: { thinking: { type: on } } } }' }),
};
const told: readonly Row[] = [
  [
    probe(
      'steps:',
      `  - { id: call, request: { ${hi} } }`,
      "  - { id: b, request: { messages: [{ role: user, content: '{{steps.call.reply.contnt}}' }] } }",
    ),
    "'{{steps.call.reply.contnt}}'",
    /a reply has no "contnt" → write steps\.call\.reply\.content$/,
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { thinking: { settings: thinking } }', 'include: [{ thinking: defalt }]'),
    'defalt',
    /no model of the config has the label "defalt" of thinking → did you mean "default"\?/,
    thinking,
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { thinking: [default, on] }'),
    'thinking: [',
    /labels of a setting → write thinking: \{ settings: thinking \}$/,
    thinking,
  ],
  [
    probe(`request: { ${hi} }`, 'vary: { thinking: [default, on] }'),
    'thinking',
    /labels of a setting → write thinking: \{ settings: thinking \}, and define/,
  ],
  [
    probe(`request: { ${hi}, ${orders} }`, "expect: { rules: [{ id: sum, assert: 'value.totl = 897' }] }"),
    "'value.totl = 897'",
    /uses value\.totl, which the closed schema does not allow → did you mean "total"\? write value\.total$/,
  ],
  [
    probe(`request: { ${hi} }`, 'expect: { rules: [{ id: end, assert: \'reply.finish_reson = "stop"\' }] }'),
    `'reply.finish_reson = "stop"'`,
    /uses reply\.finish_reson, which no reply has → did you mean "finish_reason"\? write reply\.finish_reason$/,
  ],
  [
    sends('model: gpt'),
    'model',
    /model: this key is not allowed here → write models: \[ID\] under a target of the config/,
  ],
];

const byMark = (rows: readonly Row[]) => rows.map((row) => [row[1], row] as const);

describe('a misspelt or misplaced name is an error at its place', () => {
  test.each(byMark(names))('%s', (_mark, row) => expectOne(row));
});

describe('a value of the wrong type, or outside a closed list, is an error at its place', () => {
  test.each(byMark(values))('%s', (_mark, row) => expectOne(row));
});

describe('a part without what it belongs to is an error where the author wrote it', () => {
  test.each(byMark(relations))('%s', (_mark, row) => expectOne(row));
});

describe('what is sent as a JSON Schema and is none is an error', () => {
  test.each(byMark(schemas))('%s', (_mark, row) => expectOne(row));
});

describe('what was meant is told with the line to write', () => {
  test.each(byMark(told))('%s', (_mark, row) => expectOne(row));
});

describe('a patch of the config is checked like a request', () => {
  test.each(byMark(config))('%s', (_mark, row) => expectOne(row));
});
