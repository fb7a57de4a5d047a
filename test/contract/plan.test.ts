import { beforeAll, describe, expect, test } from 'vitest';
import * as facts from './facts.js';
import { project, type Project } from './program.js';

/** What a config and suites plan, and which patterns and options choose of it. Nothing is sent. */

const suite = `suite: grid
defaults: { request: { messages: [{ role: user, content: 'Say hello, as json.' }] } }
probes:
  plain: { tags: [smoke], request: {} }
  product:
    tags: [nightly]
    request: {}
    vary: { max_tokens: [512, 2048], temperature: { cold: 0, warm: 1 } }
    exclude: [{ temperature: warm }]
    include: [{ max_tokens: 2048, temperature: warm }]
  each: { request: {}, vary: { max_tokens: [1, 2], temperature: { cold: 0, warm: 1 } }, combine: each }
  thinking: { request: {}, vary: { thinking: { settings: thinking } } }
  needing: { tags: [nightly], needs: [grid/plain], request: {} }
  anywhere:
    request: {}
    vary: { template: { at: /chat_template_kwargs/enable_thinking, points: { 'on': true, 'off': false } } }
  enforced:
    enforce:
      keyword: enum
      schema: { type: object, properties: { a: { enum: [x] } }, required: [a], additionalProperties: false }
      valid: { a: x }
      invalid: { a: y }
`;
const config = `targets:
  far:
    base_url: http://127.0.0.1:9/v1
    limits: { requests_per_minute: 10 }
    models:
      - { id: vendor/one, price: { prompt: 1, completion: 2 }, settings: { thinking: { default: ~, enabled: { thinking: { type: enabled } } } } }
      - two
suites: [grid.yaml]
`;

let work: Project;
beforeAll(async () => {
  work = await project({ 'chatspec.yaml': config, 'grid.yaml': suite });
});

interface Count {
  readonly expected: number;
  readonly largest: number;
}
interface Listed {
  readonly cells: readonly { readonly key: string; readonly requests: Count; readonly cost: Count | null }[];
  readonly requests: Count;
  readonly tokens: Count;
  readonly cost: Count | null;
  readonly seconds: { readonly expected: number };
}
async function list(...options: string[]): Promise<Listed> {
  const { code, stdout, stderr } = await work.chatspec(['list', '--json', ...options]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as Listed;
}
const keysOf = ({ cells }: Listed): string[] => cells.map(({ key }) => key);

describe('list', () => {
  test('names the planned cells', async () => {
    const keys = keysOf(await list());
    await expect(`${keys.toSorted().join('\n')}\n`).toMatchFileSnapshot('goldens/plan/cells.txt');
  });

  test('counts requests, tokens, cost, and the least time that the limits allow', async () => {
    const listed = await list('--trials', '3', '--only', 'grid/product');
    for (const { requests, cost, key } of listed.cells) {
      expect(requests.expected >= 3 && requests.largest >= requests.expected, key).toBe(true);
      expect(cost !== null, key).toBe(key.endsWith('@far/vendor/one'));
    }
    for (const { expected, largest } of [listed.requests, listed.tokens, listed.cost!])
      expect(0 < expected && expected <= largest).toBe(true);
    // At least 24 requests at ten a minute: the last of them starts in the third minute.
    expect(listed.seconds.expected).toBeGreaterThanOrEqual(60);
  });

  test('is what run --dry-run prints, which writes and sends nothing', async () => {
    const { code, stdout } = await work.chatspec('run --dry-run --json --tags nightly');
    expect(code).toBe(0);
    expect(keysOf(JSON.parse(stdout) as Listed)).toEqual(keysOf(await list('--tags', 'nightly')));
    await expect(work.read('reports/latest/report.json')).rejects.toThrow();
  });

  test('in shards has every cell once', async () => {
    const parts = [await list('--shard', '1/2'), await list('--shard', '2/2')];
    expect(parts.flatMap(keysOf).sort()).toEqual(keysOf(await list()).sort());
  });
});

describe('options that choose', () => {
  const choices = [
    '--only grid/product',
    '--only grid/product[max_tokens=2048,temperature=warm]',
    '--only grid/product[max_tokens=512*',
    '--only *plain@*one',
    '--only grid/plain,grid/each[max_tokens=2,*]',
    '--only grid/each --skip *temperature=warm*,*@far/vendor/one',
    '--models far/vendor/* --suites gr* --tags smoke',
    '--tags smoke,nightly --models two',
    '--only grid/needing@far/two',
    '--only grid/plain@far/two --only grid/needing@far/two',
  ];

  test('and what they choose', async () => {
    const rows: string[][] = [];
    for (const line of choices)
      rows.push(
        [`# ${line}`],
        ...keysOf(await list(...line.split(' ')))
          .sort()
          .map((key) => [key]),
      );
    await expect(facts.table(['cells'], rows)).toMatchFileSnapshot('goldens/plan/choices.txt');
  });

  test.each([
    '--only grid/nothing',
    '--only grid/product[max_tokens=513]',
    '--skip nothing/*',
    '--only grid/plain,grid/nothing',
    '--models three',
    '--shard 3/2',
    '--unknown',
  ])('%s is an error, and nothing is printed', async (line) => {
    const { code, stdout, stderr } = await work.chatspec(`list ${line}`);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });
});

interface Validated {
  readonly valid: boolean;
  readonly problems: readonly {
    readonly severity: string;
    readonly place: { readonly file: string; readonly line: number; readonly column: number };
    readonly hint?: string;
    readonly frame: string;
  }[];
}
interface Mistake {
  readonly of: string;
  readonly file?: 'chatspec.yaml' | 'grid.yaml';
  readonly from: string;
  readonly to: string;
  readonly at?: string;
  readonly meant?: string;
}

describe('validate', () => {
  /** What is written instead, at which line and column the error is, and what was probably meant. */
  const mistakes: readonly Mistake[] = [
    { of: 'a key of the config', file: 'chatspec.yaml', from: 'limits:', to: 'limtis:', at: '4:5', meant: 'limits' },
    {
      of: 'a key in the file',
      file: 'chatspec.yaml',
      from: 'limits: {',
      to: 'api_key: sk-1234567890abcdef, limits: {',
    },
    {
      ...{ of: 'an address with its endpoint', file: 'chatspec.yaml', from: ':9/v1', to: ':9/v1/chat/completions' },
      at: '3:15',
    },
    {
      ...{ of: 'a field of a request', from: 'smoke], request: {}', to: 'smoke], request: { temprature: 1 }' },
      ...{ at: '4:38', meant: 'temperature' },
    },
    {
      ...{ of: 'the type of a field', from: 'smoke], request: {}', to: 'smoke], request: { temperature: hot }' },
      at: '4:51',
    },
    { of: 'a value of a closed list', from: 'role: user', to: 'role: usr', at: '2:43', meant: 'user' },
    {
      ...{ of: 'an undeclared tool', from: 'smoke], request: {}' },
      to: 'smoke], request: { tool_choice: { type: function, function: { name: f } } }',
    },
    { of: 'a key of a probe', from: 'combine: each', to: 'combin: each', meant: 'combine' },
    { of: 'a need that is no probe', from: 'needs: [grid/plain]', to: 'needs: [grid/plane]', meant: 'grid/plain' },
    { of: 'an unknown name', from: 'Say hello', to: 'Say {{helo}}' },
    { of: 'a path out of the project', from: 'schema: { type', to: 'schema: { $ref: ../../../etc/passwd, type' },
  ];

  test.each(mistakes)('finds $of', async ({ file = 'grid.yaml', from, to, at, meant }) => {
    const files = { 'chatspec.yaml': config, 'grid.yaml': suite };
    const text = files[file];
    expect(text).toContain(from);
    const wrong = await project({ ...files, [file]: text.replace(from, to) });
    const { code, stdout } = await wrong.chatspec('validate --json');
    expect(code).toBe(2);
    const { valid, problems } = JSON.parse(stdout) as Validated;
    expect(valid).toBe(false);
    const { place, hint, frame } = problems.find(({ severity }) => severity === 'error')!;
    expect(place.file.endsWith(file)).toBe(true);
    if (at !== undefined) expect(`${place.line}:${place.column}`).toBe(at);
    expect(frame).toContain('^');
    if (meant !== undefined) expect(hint).toContain(`"${meant}"`);
  });

  test('passes what is right, with a warning where a schema leaves the advised subset', async () => {
    const { code, stdout } = await work.chatspec('validate --json');
    expect(code, stdout).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true });
    const strict = 'type: object, required: [a], additionalProperties: false';
    const schema = `{ ${strict}, properties: { a: { type: string, pattern: '^a$' } } }`;
    const format = `{ type: json_schema, json_schema: { name: a, strict: true, schema: ${schema} } }`;
    const loose = await project({
      'chatspec.yaml': config,
      'grid.yaml': suite.replace('smoke], request: {}', () => `smoke], request: { response_format: ${format} }`),
    });
    const warned = await loose.chatspec('validate --json');
    expect(warned.code, warned.stdout).toBe(0);
    const { valid, problems } = JSON.parse(warned.stdout) as Validated;
    expect(valid).toBe(true);
    expect(problems.filter(({ place }) => place.file.endsWith('grid.yaml'))).toMatchObject([{ severity: 'warning' }]);
  });

  test('a mistake in the baseline has a place too', async () => {
    const wrong = await project({
      'chatspec.yaml': `${config}baseline: baseline.yaml\n`,
      'grid.yaml': suite,
      'baseline.yaml':
        'format: chatspec-baseline/1\ncovers: []\nexpect:\n  - { key: grid/plain@far/two, verdict: fails }\n',
    });
    const { code, stderr, stdout } = await wrong.chatspec('validate');
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).toContain('baseline.yaml:4:');
  });
});

describe('before anything is sent', () => {
  test('a missing key and a body with a key end with 2', async () => {
    const text = config.replace('limits:', 'api_key_env: FAR_KEY\n    limits:');
    const keyed = await project({
      'chatspec.yaml': text,
      'grid.yaml': suite.replace('Say hello', 'Say sk-far-0123456789'),
    });
    expect((await keyed.chatspec('run --out run')).code).toBe(2);
    expect((await keyed.chatspec('run --out run', { FAR_KEY: 'sk-far-0123456789' })).code).toBe(2);
    await expect(keyed.read('run/report.json')).rejects.toThrow();
  });

  test('so does a mistake, with its place', async () => {
    const wrong = await project({
      'chatspec.yaml': config,
      'grid.yaml': suite.replace('combine: each', 'combin: each'),
    });
    const { code, stderr } = await wrong.chatspec('run --out run');
    expect(code).toBe(2);
    expect(stderr).toMatch(/grid\.yaml:11:\d+/);
    await expect(wrong.read('run/journal.jsonl')).rejects.toThrow();
  });
});
