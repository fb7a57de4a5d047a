/** Files and a command line that hold a key where none belongs. */
export interface Mistake {
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
}

const yaml = (data: unknown): string => JSON.stringify(data, null, 1);
const request = { messages: [{ role: 'user', content: 'hello' }] };
const suiteOf = (probe: object, more: object = {}): string => yaml({ suite: 's', ...more, probes: { p: probe } });

/** A config with one target; its second target names the variable of the key. */
const config = (target: object, more: object = {}): string =>
  yaml({
    targets: {
      t: { base_url: 'simulator', models: ['sim-reference'], ...target },
      owner: { base_url: 'http://127.0.0.1:9/v1', api_key_env: 'OTHER_KEY', models: ['m'] },
    },
    suites: ['s.yaml'],
    ...more,
  });

const run = ['run', '--out', 'r', '--models', 't/*'];
const fine = suiteOf({ request });

/** Places where a key may be written by mistake, by name. */
export const mistakes: Readonly<Record<string, (key: string) => Mistake>> = {
  'a header': (key) => ({
    files: { 'chatspec.yaml': config({ headers: { 'x-team': key } }), 's.yaml': fine },
    args: run,
  }),
  'a header, in base64': (key) => ({
    files: {
      'chatspec.yaml': config({ headers: { 'x-team': `Basic ${Buffer.from(`u:${key}`).toString('base64')}` } }),
      's.yaml': fine,
    },
    args: run,
  }),
  'the name of a header': (key) => ({
    files: { 'chatspec.yaml': config({ headers: { [key]: 'x' } }), 's.yaml': fine },
    args: run,
  }),
  'the query of base_url': (key) => ({
    files: { 'chatspec.yaml': config({ base_url: `http://127.0.0.1:9/v1?key=${key}` }), 's.yaml': fine },
    args: run,
  }),
  'the path of base_url': (key) => ({
    files: {
      'chatspec.yaml': config({ base_url: `http://127.0.0.1:9/${encodeURIComponent(key)}/v1` }),
      's.yaml': fine,
    },
    args: run,
  }),
  'the variable': (key) => ({ files: { 'chatspec.yaml': config({ api_key_env: key }), 's.yaml': fine }, args: run }),
  api_key: (key) => ({ files: { 'chatspec.yaml': config({ api_key: key }), 's.yaml': fine }, args: run }),
  'the id of a model': (key) => ({
    files: { 'chatspec.yaml': config({ models: ['sim-reference', key] }), 's.yaml': fine },
    args: run,
  }),
  'the request of a model': (key) => ({
    files: {
      'chatspec.yaml': config({ models: [{ id: 'sim-reference', request: { user: key, temperatur: 0 } }] }),
      's.yaml': fine,
    },
    args: run,
  }),
  'a name in the request of a model': (key) => ({
    files: {
      'chatspec.yaml': config({ models: [{ id: 'sim-reference', request: { [key]: 1 } }] }),
      's.yaml': fine,
    },
    args: run,
  }),
  redact: (key) => ({
    files: { 'chatspec.yaml': config({}, { redact: [key, `(${key}`] }), 's.yaml': fine },
    args: run,
  }),
  'a config that does not parse': (key) => ({
    files: { 'chatspec.yaml': `${config({})}\n}\nnote: "${key}"\n`, 's.yaml': fine },
    args: run,
  }),
  'a comment beside an error': (key) => ({
    files: { 'chatspec.yaml': `# ${key}\ntargets: { t: { base_urll: x, api_key_env: OTHER_KEY, models: [m] } }\n` },
    args: run,
  }),
  'a prompt': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({ request: { messages: [{ role: 'user', content: `It is ${key}.` }] } }),
    },
    args: run,
  }),
  'a prompt, in base64': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({
        request: { messages: [{ role: 'user', content: Buffer.from(`u:${key}`).toString('base64') }] },
      }),
    },
    args: run,
  }),
  'a prompt beside an error': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({ titel: key, request: { messages: [{ role: 'user', content: key }] } }),
    },
    args: run,
  }),
  'the parts of a prompt': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({
        request: {
          messages: [
            { role: 'user', content: [key.slice(0, 7), key.slice(7)].map((text) => ({ type: 'text', text })) },
          ],
        },
      }),
    },
    args: run,
  }),
  'the label of an axis': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({ request, vary: { user: { [key.replaceAll(' ', '+')]: 'x', other: 'y' } } }),
    },
    args: run,
  }),
  'the value of an axis': (key) => ({
    files: { 'chatspec.yaml': config({}), 's.yaml': suiteOf({ request, vary: { user: { a: key, other: 'y' } } }) },
    args: run,
  }),
  'the title of a probe': (key) => ({
    files: { 'chatspec.yaml': config({}), 's.yaml': suiteOf({ title: key, request }) },
    args: run,
  }),
  'the title of a suite': (key) => ({
    files: { 'chatspec.yaml': config({}), 's.yaml': suiteOf({ request }, { title: key }) },
    args: run,
  }),
  'a template that puts it together': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({
        vars: { one: key.slice(0, 5), two: key.slice(5) },
        request: { messages: [{ role: 'user', content: '{{one}}{{two}}' }] },
      }),
    },
    args: run,
  }),
  'a sample': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({ samples: 's.jsonl', request: { messages: [{ role: 'user', content: '{{text}}' }] } }),
      's.jsonl': `${JSON.stringify({ text: key })}\n`,
    },
    args: run,
  }),
  'a sample beside an error': (key) => ({
    files: {
      'chatspec.yaml': config({}),
      's.yaml': suiteOf({ samples: 's.jsonl', request: { messages: [{ role: 'user', content: '{{text}}' }] } }),
      's.jsonl': `{"text": ${JSON.stringify(key)}, oh}\n`,
    },
    args: run,
  }),
  'the baseline': (key) => ({
    files: {
      'chatspec.yaml': config({}, { baseline: 'b.yaml' }),
      's.yaml': fine,
      'b.yaml': yaml({ covers: [`s/${key}`], expect: [], oops: key }),
    },
    args: run,
  }),
  'a note in the baseline': (key) => ({
    files: {
      'chatspec.yaml': config({}, { baseline: 'b.yaml' }),
      's.yaml': fine,
      'b.yaml': yaml({
        covers: [{ cells: '*', trials: 10 }],
        expect: [{ key: 's/p@t/sim-reference', verdict: 'fail', class: 'empty', date: '2026-01-01', note: key }],
      }),
    },
    args: run,
  }),
  ...Object.fromEntries(
    ['--only', '--skip', '--models', '--out', '--trials', '--config', '--profile', '--nonsense'].map((option) => [
      `the argument ${option}`,
      (key: string): Mistake => ({
        files: { 'chatspec.yaml': config({}), 's.yaml': fine },
        args: ['run', '--out', 'r', option, key],
      }),
    ]),
  ),
  'an unknown command': (key) => ({ files: { 'chatspec.yaml': config({}), 's.yaml': fine }, args: [key] }),
  'the folder of a run': (key) => ({ files: { 'chatspec.yaml': config({}), 's.yaml': fine }, args: ['report', key] }),
  'a cell that evidence is asked for': (key) => ({
    files: { 'chatspec.yaml': config({}), 's.yaml': fine },
    args: ['evidence', 'r', key],
  }),
};
