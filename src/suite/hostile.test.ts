import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aliasBomb } from '../../test/support/alias-bomb.js';
import { loadSuites } from './read/load-suites.js';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'chatspec-suites-'));
  await writeFile(join(root, 'outside.json'), '{ "type": "object" }');
});
afterAll(() => rm(root, { recursive: true }));

let count = 0;
/** A new project folder with these files; `a.yaml -> b` is a symbolic link. */
async function project(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = join(root, `project-${count++}`);
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  for (const [name, text] of Object.entries(files)) {
    const [link = '', target] = name.split(' -> ');
    await mkdir(dirname(join(folder, link)), { recursive: true });
    if (target === undefined) await writeFile(join(folder, name), text);
    else await symlink(target, join(folder, link));
  }
  return folder;
}

async function load(files: Readonly<Record<string, string>>, patterns: readonly string[] = ['*.yaml']) {
  const folder = await project(files);
  const place = { file: join(folder, 'chatspec.yaml'), line: 9, column: 11 };
  const loaded = await loadSuites(
    patterns.map((pattern) => ({ pattern, place })),
    folder,
    { modelVars: new Set(['nickname']) },
  );
  return { ...loaded, folder };
}

type Case = readonly [
  name: string,
  text: string,
  line: number,
  message: RegExp,
  hint?: RegExp | undefined,
  files?: Record<string, string>,
];

/** One probe, from line 4 on. */
const probe = (...lines: readonly string[]) =>
  `suite: s\nprobes:\n  p:\n${lines.map((line) => `    ${line}\n`).join('')}`;
const ask = 'request: { messages: [{ role: user, content: hello }] }';
const says = (content: string) => `request: { messages: [{ role: user, content: '${content}' }] }`;
const schemaIs = (schema: string) =>
  `request: { messages: [], response_format: { type: json_schema, json_schema: { name: x, schema: ${schema} } } }`;
const object = '{ type: object, properties: {}, required: [], additionalProperties: false }';

const shape: readonly Case[] = [
  ['an empty file', '', 1, /empty/],
  ['YAML that does not parse', 'suite: [a\n', 2, /./],
  ['a list', '- suite: a\n', 1, /expected a mapping, found a list/],
  ['no name', 'probes: { p: { request: {} } }\n', 1, /"suite" is missing/],
  ['no probes', 'suite: s\n', 1, /"probes" or "behaviours" is missing/],
  ['empty probes', 'suite: s\nprobes: {}\n', 2, /must not be empty/],
  [
    'a name in capitals',
    'suite: My Suite\nprobes: { p: { request: {} } }\n',
    1,
    /"My Suite" does not fit/,
    /kebab-case/,
  ],
  [
    'a probe name with underscore',
    'suite: s\nprobes:\n  a_b: { request: {} }\n',
    3,
    /"a_b" does not fit/,
    /kebab-case/,
  ],
  ['a probe that is a text', 'suite: s\nprobes:\n  p: hello\n', 3, /expected a mapping, found the text "hello"/],
  ['a probe that is nothing', 'suite: s\nprobes:\n  p:\n', 3, /expected a mapping, found nothing/],
  ['a probe twice', 'suite: s\nprobes:\n  p: { request: {} }\n  p: { request: {} }\n', 4, /appears twice/],
  [
    'an unknown key at the top',
    'suite: s\nprobs: {}\nprobes: { p: { request: { messages: [] } } }\n',
    2,
    /unknown key "probs"/,
    /"probes"/,
  ],
  ['an unknown key in a probe', probe(ask, 'expects: {}'), 5, /unknown key "expects"/, /did you mean "expect"/],
  ['an unknown key in expect', probe(ask, 'expect: { finishreason: [stop] }'), 5, /unknown key/, /"finish_reason"/],
  ['a probe without request', probe('title: x'), 3, /asks nothing/],
  ['the model in a request', probe('request: { model: gpt, messages: [] }'), 4, /model: this key is not allowed here/],
  ['a request that is a list', probe('request: [1]'), 4, /expected a mapping, found a list/],
  ['an unknown outcome', probe(ask, 'expect: { outcome: truncate }'), 5, /"truncate" is not allowed/, /"truncated"/],
  ['an unknown reason', probe(ask, 'expect: { rejected: { reason: json_word } }'), 5, /not allowed/],
  ['a status as text', probe(ask, 'expect: { rejected: { status: ["400"] } }'), 5, /expected a whole number/],
  ['an unknown kind of content', probe(ask, 'expect: { content: jsn }'), 5, /not allowed/, /"json"/],
  ['finish_reason as text', probe(ask, 'expect: { finish_reason: stop }'), 5, /expected a list/],
  ['a rule without assert', probe(ask, 'expect: { rules: [{ id: a }] }'), 5, /"assert" is missing/],
  ['tags as text', probe(ask, 'tags: smoke'), 5, /expected a list, found the text "smoke"/],
  ['a tag twice', probe(ask, 'tags: [a, a]'), 5, /the same/],
  ['an unknown value of combine', probe(ask, 'combine: eech'), 5, /not allowed/, /"each"/],
  ['vars with a name that no template can use', `vars: { "a b": 1 }\n${probe(ask)}`, 1, /"a b" does not fit/],
  ['unknown defaults', `defaults: { requests: {} }\n${probe(ask)}`, 1, /unknown key "requests"/, /"request"/],
  ['an alias bomb', aliasBomb, 1, /far too much data/],
];

const asking: readonly Case[] = [
  ['no trials', probe(ask, 'trials: 0'), 5, />= 1/],
  ['half a trial', probe(ask, 'trials: 1.5'), 5, /whole number/],
  ['trials as text', probe(ask, 'trials: many'), 5, /expected a whole number or a mapping/],
  ['until something else', probe(ask, 'trials: { until: sure }'), 5, /expected "decided"/],
  [
    'reliable below broken',
    probe(ask, 'trials: { until: decided, reliable: 0.6, broken: 0.7 }'),
    5,
    /reliable \(0.6\) must be above broken \(0.7\)/,
  ],
  ['a rate of one', probe(ask, 'trials: { until: decided, reliable: 1 }'), 5, /< 1/],
  ['an error of a half', probe(ask, 'trials: { until: decided, error: 0.5 }'), 5, /below 0.5/],
  ['a retry of nothing', probe(ask, 'retry: { on: [] }'), 5, /must not be empty/],
  ['too many retries', probe(ask, 'retry: { on: [not_json], max: 1000 }'), 5, /<= 10/],
  ['a retry of faults', probe(ask, 'retry: { on: [not_json, transport] }'), 5, /transport is a fault/],
  ['from above to', probe(ask, 'find: { axis: max_tokens, from: 10, to: 5 }'), 5, /from \(10\) is above to \(5\)/],
  [
    'part of a token',
    probe(ask, 'find: { axis: max_tokens, from: 1.5, to: 5 }'),
    5,
    /max_tokens takes whole numbers, but from is 1.5/,
  ],
  ['from zero', probe(ask, 'find: { axis: max_tokens, from: 0, to: 5 }'), 5, /> 0/],
  ['a tolerance of one', probe(ask, 'find: { axis: max_tokens, from: 1, to: 5, tolerance: 1 }'), 5, /< 1/],
  [
    'an axis to find that does not exist',
    probe(ask, 'find: { axis: max_token, from: 1, to: 5 }'),
    5,
    /no axis or numeric field "max_token"/,
    /"max_tokens"/,
  ],
  [
    'an axis to find without numbers',
    probe(ask, 'vary: { t: { settings: thinking } }', 'find: { axis: t, from: 1, to: 5 }'),
    6,
    /no numbers/,
  ],
  [
    'a valid document that does not conform',
    probe(`enforce: { keyword: enum, schema: { enum: [a] }, valid: b, invalid: c }`),
    4,
    /valid document does not conform/,
  ],
  [
    'an invalid document that is valid',
    probe(`enforce: { keyword: enum, schema: { enum: [a] }, valid: a, invalid: a }`),
    4,
    /invalid document conforms/,
  ],
  [
    'enforce without invalid',
    probe(`enforce: { keyword: enum, schema: { enum: [a] }, valid: a }`),
    4,
    /"invalid" is missing/,
  ],
  [
    'enforce with an invalid schema',
    probe(`enforce: { keyword: type, schema: { type: strng }, valid: a, invalid: 1 }`),
    4,
    /not a JSON Schema/,
    /"string"/,
  ],
  [
    'enforce and find',
    probe(
      `enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1 }`,
      'find: { axis: max_tokens, from: 1, to: 2 }',
    ),
    5,
    /cannot be combined/,
  ],
  [
    'an axis channel beside enforce',
    probe(`enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1 }`, 'vary: { channel: [a, b] }'),
    5,
    /channel/,
  ],
  ['fill without anything to fill', probe(ask, 'fill: 4'), 5, /the whole product already/, /combine: each/],
  ['fill of nothing', probe(ask, 'combine: each', 'fill: 0'), 6, /fill/],
  [
    'a part of a composite that is in no suite',
    probe(`enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1, split: [s/q] }`),
    4,
    /s\/p splits into s\/q, which no suite has/,
  ],
  [
    'a composite that is a part of itself',
    probe(`enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1, split: [s/p] }`),
    4,
    /splits into itself/,
  ],
  ['a need without suite', probe(ask, 'needs: [plain]'), 5, /"plain" does not fit/, /SUITE\/PROBE/],
  ['a need that is in no suite', probe(ask, 'needs: [s/q]'), 5, /s\/p needs s\/q, which no suite has/],
  ['a need of itself', probe(ask, 'needs: [s/p]'), 5, /needs itself: s\/p -> s\/p/],
];

const axes: readonly Case[] = [
  ['an axis that is a number', probe(ask, 'vary: { max_tokens: 5 }'), 5, /expected a list or a mapping/],
  ['an axis without points', probe(ask, 'vary: { max_tokens: [] }'), 5, /must not be empty/],
  ['an invalid label', probe(ask, 'vary: { x: { "a b": 1 } }'), 5, /"a b" is not a label/, /letters/],
  ['a listed value that is not a valid label', probe(ask, 'vary: { x: [ok, "a,b"] }'), 5, /"a,b" is not a label/],
  ['a label of 65 letters', probe(ask, `vary: { x: [${'a'.repeat(65)}] }`), 5, /not a label/],
  ['an empty label', probe(ask, 'vary: { x: { "": 1 } }'), 5, /not a label/],
  ['a listed object', probe(ask, 'vary: { x: [{ a: 1 }] }'), 5, /expected .*found a mapping/],
  ['a label twice', probe(ask, 'vary: { x: [512, "512"] }'), 5, /label 512 twice/],
  ['an axis name with a comma', probe(ask, 'vary: { "a,b": [1] }'), 5, /"a,b" does not fit/],
  ['a pointer without slash', probe(ask, 'vary: { x: { at: a/b, points: { on: 1 } } }'), 5, /not a JSON Pointer/],
  [
    'a pointer that leads nowhere',
    probe(ask, 'vary: { x: { at: /messages/3/content, points: { on: 1 } } }'),
    5,
    /leads nowhere/,
  ],
  [
    'a pointer into a text',
    probe(ask, 'vary: { x: { at: /messages/0/content/a, points: { on: 1 } } }'),
    5,
    /leads nowhere/,
  ],
  ['two axes on one field', probe(ask, 'vary:', '  a: { at: /x, points: { on: 1 } }', '  x: [1]'), 7, /both set \/x/],
  [
    'settings beside another key',
    probe(ask, 'vary: { x: { settings: thinking, a: 4 } }'),
    5,
    /"settings" cannot be a label/,
  ],
  [
    'a pointer without points',
    probe(ask, 'vary: { x: { at: /x, point: { on: 1 } } }'),
    5,
    /"at" cannot be a label/,
    /points/,
  ],
  [
    'an excluded axis that does not exist',
    probe(ask, 'vary: { user: [a] }', 'exclude: [{ usr: a }]'),
    6,
    /no axis "usr"/,
    /did you mean "user"/,
  ],
  [
    'an excluded label that does not exist',
    probe(ask, 'vary: { x: [alpha, beta] }', 'exclude: [{ x: alpah }]'),
    6,
    /no label "alpah"/,
    /"alpha"/,
  ],
  ['an included axis without axes', probe(ask, 'include: [{ x: a }]'), 5, /no axis "x"/, /varies nothing/],
  [
    'an included label that does not exist',
    probe(ask, 'vary: { x: [1, 2] }', 'include: [{ x: 3 }]'),
    6,
    /no label "3"/,
    /labels: 1, 2/,
  ],
  [
    'a label in when that does not exist',
    probe(ask, 'vary: { x: [1, 2] }', 'when: [{ point: { x: 9 }, expect: {} }]'),
    6,
    /no label "9"/,
  ],
  ['when without point', probe(ask, 'when: [{ expect: {} }]'), 5, /"point" is missing/],
  [
    'the searched axis as a point',
    probe(ask, 'find: { axis: max_tokens, from: 1, to: 9 }', 'exclude: [{ max_tokens: 5 }]'),
    6,
    /no axis "max_tokens"/,
  ],
];

const languages: readonly Case[] = [
  [
    'an unknown name',
    `vars: { buyer: Li }\n${probe(says('{{byuer}}'))}`,
    5,
    /unknown name "byuer"/,
    /did you mean "buyer"/,
  ],
  ['an unknown name in expect', probe(ask, `expect: { tool_call: '{{nobody}}' }`), 5, /unknown name "nobody"/],
  [
    'an unknown member',
    `vars: { buyer: { name: Li } }\n${probe(says('{{buyer.nme}}'))}`,
    5,
    /vars has no "buyer.nme"/,
    /"name"/,
  ],
  [
    'an object as text',
    `vars: { buyer: { name: Li } }\n${probe(says('{{buyer}}'))}`,
    5,
    /object, not text/,
    /json buyer/,
  ],
  [
    'an unknown name in the defaults',
    `defaults: { request: { user: '{{who}}' } }\n${probe(ask)}`,
    1,
    /unknown name "who"/,
  ],
  ['an unknown name in a point', probe(ask, `vary: { user: { a: '{{who}}' } }`), 5, /unknown name "who"/],
  ['an unknown name in capability', `vars: { a: 1 }\n${probe(ask, `capability: 'x.{{a}}'`)}`, 6, /unknown name "a"/],
  ['braces left open', probe(says('{{buyer')), 4, /without "}}"/, /\\\{\{/],
  ['an open block', probe(says('{{#if nickname}}x')), 4, /ends before/],
  ['blocks that cross', probe(says('{{#if nickname}}{{/each}}')), 4, /do not match/],
  ['a partial', probe(says('{{> secrets}}')), 4, /partials/],
  ['a helper that does not exist', probe(says('{{upper nickname}}')), 4, /no helper "upper"/],
  ['json of two values', probe(says('{{json nickname nickname}}')), 4, /json takes one/],
  [
    'a template that is nested too deeply',
    probe(says(`${'{{#if nickname}}'.repeat(3000)}${'{{/if}}'.repeat(3000)}`)),
    4,
    /template/,
  ],
  [
    'JSONata that is nested too deeply',
    probe(ask, `expect: { rules: [{ id: a, assert: "${'('.repeat(20_000)}" }] }`),
    5,
    /not JSONata/,
  ],
  ['steps outside of a flow', probe(says('{{steps.a.result}}')), 4, /unknown name "steps"/],
  ['the prototype', probe(says('{{constructor}}')), 4, /unknown name "constructor"/],
  [
    'JSONata that does not parse',
    probe(ask, `expect: { rules: [{ id: a, assert: "value.total = = 3" }] }`),
    5,
    /rule "a" is not JSONata/,
  ],
  [
    'a name that no rule knows, which every answer would pass',
    probe(ask, `expect: { rules: [{ id: a, assert: "$not($exists(valeu.error))" }] }`),
    5,
    /rule "a" uses valeu, but a rule knows only value, vars, request, reply, steps$/,
  ],
  ['JSONata with a bracket open', probe(ask, `expect: { rules: [{ id: a, assert: "$sum(value" }] }`), 5, /not JSONata/],
  [
    'a rule twice',
    probe(ask, 'expect:', '  rules:', '    - { id: a, assert: "true" }', '    - { id: a, assert: "false" }'),
    8,
    /two rules are called "a" \(the first on line 7\)/,
  ],
  [
    'a behaviour that does not parse',
    'suite: s\nbehaviours:\n  - { id: b, title: t, advice: a, when: "$works(" }\n',
    3,
    /when of "b" is not JSONata/,
  ],
  [
    'a behaviour twice',
    'suite: s\nbehaviours:\n  - { id: b, title: t, advice: a, when: "1" }\n  - { id: b, title: t, advice: a, when: "1" }\n',
    4,
    /behaviour "b" exists already: .*line 3/,
  ],
  [
    'a family below a family',
    `families: [{ name: a.b, order: 1 }]\n${probe(ask)}`,
    1,
    /"a.b" does not fit/,
    /first dot/,
  ],
  ['a family without order', `families: [{ name: a }]\n${probe(ask)}`, 1, /"order" is missing/],
  [
    'a family twice',
    `families:\n  - { name: a, order: 1 }\n  - { name: a, order: 2 }\n${probe(ask)}`,
    3,
    /family "a" exists already: .*line 2/,
  ],
  [
    'a form of no need',
    `forms: [{ need: structure, order: 1, capability: s.p }]\n${probe(ask)}`,
    1,
    /not allowed/,
    /"structured"/,
  ],
  [
    'a form twice',
    `forms:\n${'  - { need: structured, order: 1, capability: s.p }\n'.repeat(2)}${probe(ask)}`,
    3,
    /form s\.p of structured exists already: .*line 2/,
  ],
  [
    'a schema with an unknown type',
    probe(schemaIs('{ type: strng }')),
    4,
    /not a JSON Schema/,
    /did you mean "string"/,
  ],
  [
    'a malformed schema whose refusal is expected, but which is not named as deliberate',
    probe(schemaIs('{ type: strng }'), 'expect: { rejected: { status: [400] } }'),
    4,
    /not a JSON Schema/,
  ],
  [
    'a schema with required as text',
    probe(schemaIs('{ type: object, required: a }')),
    4,
    /not a JSON Schema: required must be array/,
  ],
  ['a schema with a bad pattern', probe(schemaIs('{ type: string, pattern: "(" }')), 4, /cannot be used/],
  ['a schema that refers to nothing', probe(schemaIs('{ $ref: "#/$defs/none" }')), 4, /leads nowhere/],
  ['a schema on the network', probe(schemaIs('{ $ref: "https://example.com/s.json" }')), 4, /leads nowhere/],
  ['a schema in expect', probe(ask, 'expect: { schema: { type: 5 } }'), 5, /not a JSON Schema/],
  [
    'a schema in a tool',
    probe(
      'request: { messages: [], tools: [{ type: function, function: { name: f, parameters: { type: objekt } } }] }',
    ),
    4,
    /not a JSON Schema/,
    /"object"/,
  ],
  [
    'a schema in a point',
    probe(ask, 'vary: { response_format: { a: { type: json_schema, json_schema: { schema: { type: nul } } } } }'),
    5,
    /not a JSON Schema/,
    /"null"/,
  ],
];

const steps = (...lines: readonly string[]) => probe('steps:', ...lines.map((line) => `  ${line}`));
const flows: readonly Case[] = [
  ['no steps', probe('steps: []'), 4, /must not be empty/],
  ['a step without id', steps(`- { ${ask} }`), 5, /"id" is missing/],
  [
    'a step twice',
    steps(`- { id: a, ${ask} }`, `- { id: a, ${ask} }`),
    6,
    /two steps are called "a" \(the first on line 5\)/,
  ],
  ['a step that does nothing', steps(`- { id: a, ${ask} }`, '- { id: b }'), 6, /does nothing/],
  ['a step that does both', steps(`- { id: a, ${ask}, run: { result: 1 } }`), 5, /has both request and run/],
  [
    'a tool before any request',
    steps('- { id: t, run: { result: 1 } }', `- { id: a, ${ask} }`),
    5,
    /before any request/,
  ],
  [
    "an expectation for the client's own tool",
    steps(`- { id: a, ${ask} }`, '- { id: t, run: { result: 1 }, expect: {} }'),
    6,
    /cannot have expect/,
  ],
  [
    'a later step',
    steps(`- { id: a, ${says('{{json steps.b.value}}')} }`, `- { id: b, ${ask} }`),
    5,
    /no earlier step "b"/,
  ],
  [
    'a misspelt key in a step',
    steps(`- { id: call, ${ask} }`, `- { id: b, ${says('{{steps.cal.value}}')} }`),
    6,
    /no earlier step "cal"/,
    /"call"/,
  ],
  [
    'a member that steps do not have',
    steps(`- { id: call, ${ask} }`, `- { id: b, ${says('{{steps.call.argument.x}}')} }`),
    6,
    /has no "argument"/,
    /"arguments"/,
  ],
  ['steps and a request', probe(ask, `steps: [{ id: a, ${ask} }]`), 4, /request and steps cannot be combined/],
  ['steps and expect', probe('expect: {}', `steps: [{ id: a, ${ask} }]`), 4, /expect and steps/],
];

const refs: readonly Case[] = [
  ['a missing file', probe('request: { $ref: ./none.json }'), 4, /leads to no file/],
  ['a file outside', probe('request: { $ref: ../outside.json }'), 4, /leaves the project/],
  [
    'a file outside that does not exist',
    probe('request: { $ref: ../../../../etc/none.json }'),
    4,
    /leaves the project/,
  ],
  ['an absolute path', probe('request: { $ref: /etc/hosts.json }'), 4, /not a relative path/],
  ['a file address', probe('request: { $ref: "file:///etc/x.json" }'), 4, /not a relative path/],
  [
    'a link that leads outside',
    probe('request: { $ref: ./link.json }'),
    4,
    /leaves the project/,
    undefined,
    { 'link.json -> ../outside.json': '' },
  ],
  [
    'a name without ./',
    probe('request: { $ref: body.json }'),
    4,
    /names no file/,
    /"\.\/body\.json"/,
    { 'body.json': '{}' },
  ],
  ['another kind of file', probe('request: { $ref: ./body.txt }'), 4, /no \.json/, undefined, { 'body.txt': '{}' }],
  [
    'members beside it',
    probe('request: { $ref: ./body.json, max_tokens: 5 }'),
    4,
    /members beside it/,
    undefined,
    { 'body.json': '{}' },
  ],
  [
    'JSON that does not parse',
    probe('request: { $ref: ./body.json }'),
    4,
    /cannot be used: this is not JSON.*line 2/,
    undefined,
    { 'body.json': '{\n  "a": ,\n}' },
  ],
  ['an empty file', probe('request: { $ref: ./body.json }'), 4, /empty/, undefined, { 'body.json': '' }],
  [
    'a key twice in JSON',
    probe('request: { $ref: ./body.json }'),
    4,
    /appears twice/,
    undefined,
    { 'body.json': '{"a":1,"a":2}' },
  ],
  ['a folder', probe('request: { $ref: ./x.json }'), 4, /folder/, undefined, { 'x.json/y': '' }],
  [
    'deep JSON',
    probe('request: { $ref: ./body.json }'),
    4,
    /nested too deeply/,
    undefined,
    { 'body.json': '['.repeat(100_000) },
  ],
  [
    'nothing at the pointer',
    probe('request: { $ref: "./body.json#/b" }'),
    4,
    /nothing at #\/b/,
    undefined,
    { 'body.json': '{"a":{}}' },
  ],
  ['samples that are missing', probe(ask, 'samples: none.jsonl'), 5, /there is no file "none.jsonl"/],
  ['samples outside', probe(ask, 'samples: ../none.jsonl'), 5, /leaves the project/],
  ['samples of another kind', probe(ask, 'samples: rows.csv'), 5, /"rows.csv" does not fit/, /JSON Lines/],
  [
    'a name that some rows lack',
    probe(says('{{text}}'), 'samples: r.jsonl'),
    4,
    /row 2 of the samples has no "text"/,
    undefined,
    { 'r.jsonl': '{"text":"a"}\n{"txt":"b"}\n' },
  ],
];

describe.each([
  ['the shape', shape],
  ['how to ask', asking],
  ['axes and points', axes],
  ['templates, rules and schemas', languages],
  ['flows', flows],
  ['references and samples', refs],
])('hostile suites: %s', (_group, cases) => {
  for (const [name, text, line, message, hint, files] of cases) {
    test(name, async () => {
      const { problems, folder } = await load({ 's.yaml': text, ...files });
      const errors = problems.filter(({ severity }) => severity === 'error');
      expect(errors.map((error) => error.message)).toHaveLength(1);
      const [error] = errors;
      expect(error).toMatchObject({ place: { file: join(folder, 's.yaml'), line } });
      expect(error!.message).toMatch(message);
      expect(error!.message).not.toMatch(/\n|\bat \w+ \(|undefined|\[object/);
      if (hint !== undefined) expect(error!.hint).toMatch(hint);
      if (text !== '') expect(error!.frame).toContain(`> ${line} |`);
    });
  }
});

describe('problems in other files', () => {
  test.each([
    ['a row that is not JSON', '{"text":"a"}\n{"text":\n', 2, /not JSON/],
    ['a row that is not an object', '{"text":"a"}\n[1]\n', 2, /JSON object/],
    ['no rows', '\n\n', 1, /empty/],
  ])('%s', async (_name, rows, line, message) => {
    const { problems, folder } = await load({ 's.yaml': probe(says('{{text}}'), 'samples: r.jsonl'), 'r.jsonl': rows });
    expect(problems).toMatchObject([{ place: { file: join(folder, 'r.jsonl'), line } }]);
    expect(problems[0]!.message).toMatch(message);
  });

  test('an invalid schema is reported in its own file, once for all its users', async () => {
    const schema = '{\n  "type": "object",\n  "properties": { "a": { "type": "int" } }\n}\n';
    const two = `suite: s\nprobes:\n  p:\n    ${schemaIs('{ $ref: ./schemas/a.json }')}\n  q:\n    ${schemaIs('{ $ref: ./schemas/a.json }')}\n`;
    const { problems, folder } = await load({ 's.yaml': two, 'schemas/a.json': schema });
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { place: { file: join(folder, 'schemas/a.json'), line: 3, column: 34 } },
    ]);
  });

  test('a cycle of references is one problem that shows the cycle', async () => {
    const { problems, folder } = await load({
      's.yaml': probe('request: { $ref: ./a.json }'),
      'a.json': '{ "x": { "$ref": "./b.json" } }',
      'b.json': '{ "y": { "$ref": "./a.json" } }',
    });
    expect(problems).toMatchObject([{ severity: 'error', place: { file: join(folder, 'b.json'), line: 1 } }]);
    expect(problems[0]!.message).toMatch(/back to itself/);
    expect(problems[0]!.hint).toMatch(/a\.json -> .*b\.json -> .*a\.json/);
  });

  test('a suite that refers to itself', async () => {
    const { problems } = await load({ 's.yaml': probe('request: { $ref: ./s.yaml }') });
    expect(problems.map(({ message }) => message)).toEqual(['this $ref leads back to itself']);
  });

  test('references that multiply do not blow up', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => {
        const next = n === 19 ? '1' : `{ "$ref": "./f${n + 1}.json" }`;
        return [`f${n}.json`, `[${Array<string>(10).fill(next).join(', ')}]`];
      }),
    );
    const { problems } = await load({ 's.yaml': probe('request: { x: { $ref: ./f0.json } }'), ...files });
    expect(problems.map(({ message }) => message)).toEqual(['the $refs of this file expand to far too much data']);
  });
});

describe('entries of the config', () => {
  test.each([
    ['a pattern that matches nothing', 'suites/*.yaml', /matches no file/],
    ['a file that does not exist', 'suites/a.yaml', /there is no file suites\/a.yaml/],
    ['a folder', '.', /is a folder/],
    ['an unknown built-in suite', 'builtin:cor', /no built-in suites called "cor"/],
  ])('%s', async (_name, pattern, message) => {
    const { problems } = await load({}, [pattern]);
    expect(problems).toMatchObject([{ severity: 'error', place: { line: 9, column: 11 } }]);
    expect(problems[0]!.message).toMatch(message);
  });

  test('a suite name that is taken names both places', async () => {
    const { problems, folder } = await load({ 'a.yaml': probe(ask), 'b.yaml': probe(ask) });
    expect(problems).toMatchObject([{ place: { file: join(folder, 'b.yaml'), line: 1, column: 8 } }]);
    expect(problems[0]!.message).toContain(`${join(folder, 'a.yaml')}, line 1`);
  });

  test('a composite splits into probes with enforce', async () => {
    const enforce = 'enforce: { keyword: type, schema: { type: string }, valid: a, invalid: 1, split: [s/q] }';
    const { problems } = await load({ 'a.yaml': `suite: s\nprobes: { p: { ${enforce} }, q: { ${ask} } }\n` });
    expect(problems).toMatchObject([{ severity: 'error', message: 's/q is not a probe with enforce' }]);
  });

  test('a cycle of needs over two suites is one problem', async () => {
    const { problems } = await load({
      'a.yaml': `suite: a\nprobes: { p: { needs: [b/p], ${ask} } }\n`,
      'b.yaml': `suite: b\nprobes: { p: { needs: [a/p], ${ask} } }\n`,
    });
    expect(problems.map(({ message }) => message)).toEqual(['b/p needs itself: a/p -> b/p -> a/p']);
  });

  test('a broken file does not make the others look wrong', async () => {
    const { problems } = await load({ 'a.yaml': 'suite: [', 'b.yaml': probe(ask, 'needs: [a/p]') });
    expect(problems.map(({ place }) => place!.file.slice(-6))).toEqual(['a.yaml']);
  });
});

describe('no error', () => {
  const fine: readonly (readonly [string, string])[] = [
    [
      'a malformed schema that is sent on purpose',
      probe(schemaIs('{ type: strng }'), 'deliberate: [/response_format/json_schema/schema]'),
    ],
    ['a schema with templates', `vars: { t: string }\n${probe(schemaIs(`{ type: '{{t}}' }`))}`],
    ['a name that only models define', probe(says('Hello {{nickname}}'))],
    ['escaped braces', probe(says('\\{{not}}'))],
    ['an axis as a name', probe(says('{{x}}'), 'vary: { x: [1] }')],
    ['schema references inside a schema', probe(schemaIs('{ $ref: "#/$defs/a", $defs: { a: { type: string } } }'))],
    [
      'a property called $ref',
      probe(
        schemaIs(
          '{ type: object, properties: { $ref: { type: string } }, required: [$ref], additionalProperties: false }',
        ),
      ),
    ],
    [
      'a description that no document can break',
      probe('enforce: { keyword: description, schema: { description: x }, valid: a, invalid: b }'),
    ],
    [
      'a schema beyond the advised subset',
      probe(schemaIs('{ type: object, properties: { a: { type: string, pattern: "^a$" } } }')),
    ],
    ['defaults that hold the whole request', `defaults: { request: { messages: [] } }\n${probe('title: x')}`],
    [
      'a find axis that the request sets',
      probe('request: { messages: [], window: 5 }', 'find: { axis: window, from: 1, to: 9 }'),
    ],
  ];
  test.each(fine)('%s', async (_name, text) => {
    const { problems } = await load({ 's.yaml': text });
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  test('warns where a schema leaves the advised subset, each at its place', async () => {
    const { problems } = await load({
      's.yaml': probe(
        'request:',
        '  messages: []',
        '  response_format:',
        '    json_schema:',
        '      schema:',
        '        type: object',
        '        flavour: [a]',
        '        properties:',
        '          a: { type: string, pattern: "^a$" }',
        '          b: { anyOf: [{ type: string }, { type: number }] }',
        `          c: { enum: [${Array.from({ length: 60 }, (_, n) => n).join(', ')}] }`,
      ),
    });
    expect(problems.every(({ severity }) => severity === 'warning')).toBe(true);
    expect(
      problems.map(
        ({ place, message, hint }) =>
          `${place!.line} ${message}${hint?.includes('ignores') === true ? ` ${hint}` : ''}`,
      ),
    ).toEqual([
      '10 JSON Schema has no keyword "flavour" JSON Schema ignores it',
      '8 an object should set additionalProperties: false',
      '8 an object should list all its fields in required; not listed: a, b, c',
      '12 the keyword pattern is outside the advised subset',
      '13 the keyword anyOf is outside the advised subset',
      '14 an enum of 60 values is very long; use with caution',
    ]);
  });

  test('accepts a schema inside the advised subset silently', async () => {
    expect((await load({ 's.yaml': probe(schemaIs(object)) })).problems).toEqual([]);
  });
});
