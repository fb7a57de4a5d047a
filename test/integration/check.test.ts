import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { shippedSchema } from '../../src/files/shipped-schema.js';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { randomFrom } from '../support/random.js';
import { tempFolder } from '../support/temp-folder.js';

/** What check says of models whose faults are known. */

const invoice = await readFile(new URL('../../fixtures/schemas/invoice.json', import.meta.url), 'utf8');
const prompt =
  'Extract the invoice: Bright Office Ltd, 12 Harbour Road, Shenzhen 518000, China. INV-42 of 2026-05-01: 3 keyboards at 199.00 CNY. Total 597.00 CNY.';

const commands = await readFile(new URL('../../fixtures/hostile/commands.yaml', import.meta.url), 'utf8');
const { cannot_check: cannotCheck } = parse(commands) as { cannot_check: Readonly<Record<string, string>> };
const schemaOfA =
  '{ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"], "additionalProperties": false }';

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
  await writeFiles(folder, { 'invoice.json': invoice, 'prompt.txt': `${prompt}\n` });
});

/** A line without quotes; what stands behind it may have blanks. */
const run = (line: string, ...more: string[]) => chatspec([...line.split(' '), ...more], { cwd: folder });
const at = '--base-url simulator --schema invoice.json';
const ask = (model: string, ...more: string[]) => run(`check ${at} --model ${model} --prompt @prompt.txt`, ...more);

/** The address of a service that answers each body with this message. */
async function answering(message: (body: string) => object): Promise<string> {
  const service = await serveHttp((_, response, body) => {
    const choices = [{ index: 0, message: { role: 'assistant', ...message(body) }, finish_reason: 'stop' }];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '1', choices }));
  });
  onTestFinished(() => service.close());
  return service.baseUrl;
}

interface Said {
  readonly verdict: string;
  readonly summary: string;
  readonly recommended: null | {
    readonly form: string;
    readonly settings: Record<string, string>;
    readonly max_tokens: number;
    readonly request: Record<string, unknown>;
  };
  readonly forms: readonly {
    readonly form: string;
    readonly settings: Record<string, string>;
    readonly max_tokens: number;
    readonly holds: boolean;
    readonly confirms: boolean;
    readonly trials: { total: number; passed: number };
    readonly detail: string | null;
    readonly cell: string;
  }[];
  readonly run: { readonly folder: string; readonly requests: number };
}

async function said(model: string, ...more: string[]): Promise<Said & { readonly code: number | null }> {
  const { code, stdout } = await ask(model, '--json', ...more);
  const data = JSON.parse(stdout) as Said;
  const valid = await shippedSchema('check');
  expect(valid(data), JSON.stringify(valid.errors)).toBe(true);
  return { ...data, code };
}

describe('what can be relied on', () => {
  test.each([
    ['sim-reference', 'json_schema', { strict: 'true' }, []],
    ['sim-object-500', 'json_schema', { strict: 'true' }, ['tools object: HTTP 500']],
    ['sim-schema-only', 'json_schema', { strict: 'true' }, ['tools required: HTTP 400', 'json_object : HTTP 400']],
    [
      'sim-rf-empty',
      'tools',
      { tool_choice: 'required' },
      ['json_schema : the content is empty', 'json_object : the content is empty'],
    ],
    [
      'sim-unsteady',
      'tools',
      { tool_choice: 'required' },
      ['json_schema : the content must NOT have additional properties'],
    ],
  ])('%s: %s %j', async (model, form, settings, failing) => {
    const { code, verdict, recommended, forms } = await said(model);
    expect({ code, verdict }).toEqual({ code: 0, verdict: 'reliable' });
    expect(recommended).toMatchObject({ form, settings, max_tokens: 256 });
    const best = forms.filter((one) => one.form === form && one.holds && isDeepStrictEqual(one.settings, settings));
    expect(best).toMatchObject([
      { confirms: true, max_tokens: 256, trials: { total: 40, passed: 40 } },
      { confirms: false, max_tokens: 4096, trials: { total: 10, passed: 10 } },
    ]);
    for (const what of failing) {
      const [name, why] = what.split(': ') as [string, string];
      const found = forms.filter((one) => `${one.form} ${one.settings['tool_choice'] ?? ''}` === name && !one.holds);
      expect(
        found.map(({ detail }) => detail?.startsWith(why)),
        what,
      ).toContain(true);
    }
    expect(
      forms.filter(({ holds }) => !holds).every(({ form: name }) => failing.some((what) => what.startsWith(name))),
    ).toBe(true);
  });

  test('finds the smallest cap that leaves room for reasoning', async () => {
    const { recommended, summary } = await said('sim-budget');
    expect(recommended).toMatchObject({ form: 'json_schema', max_tokens: 2048, request: { max_tokens: 2048 } });
    expect(summary).toContain('json_schema (strict true) with max_tokens 2048: 40 of 40');
    const exactly = await said('sim-budget', '--max-tokens', '512', '--trials', '2');
    const capped = exactly.forms.filter(({ form }) => form === 'json_schema');
    expect(capped.every(({ holds, max_tokens }) => !holds && max_tokens === 512)).toBe(true);
  });

  test('nothing: exit 1 and the reason of each form', async () => {
    const { code, verdict, recommended, forms } = await said('sim-always-refused');
    expect({ code, verdict, recommended }).toEqual({ code: 1, verdict: 'unreliable', recommended: null });
    expect(forms.every(({ holds, detail }) => !holds && detail !== null)).toBe(true);
    const { stdout } = await ask('sim-always-refused');
    expect(stdout).toContain('Rely on no form of sim-always-refused');
    expect(stdout).not.toContain('curl');
  });

  test.each([
    ['sim-auth', [], /does not answer a plain request: HTTP 401.* Check the key/],
    ['sim-model-gone', [], /is unknown to the service: HTTP 404/],
    ['sim-max-tokens-refused', [], /does not answer a plain request: HTTP 400.* Use 'max_completion_tokens' instead/],
    ['sim-reference', ['--budget-requests', '9'], /the budget of 9 requests was spent before a form was decided/],
  ])('%s %j: not measured, exit 3', async (model, more, why) => {
    const { code, verdict, summary } = await said(model, ...more);
    expect({ code, verdict }).toEqual({ code: 3, verdict: 'unmeasured' });
    expect(summary).toMatch(why);
  });
});

test.each([1, 2, 3])('a model that breaks the schema in one answer of six is flaky, seed %i', async (seed) => {
  const random = randomFrom(seed);
  const service = await serveHttp((_, response, body) => {
    const { tools } = JSON.parse(body) as { tools?: unknown };
    const text = random() < 1 / 6 ? '{"a":"x"}' : '{"a":1}';
    const call = { id: 'c', type: 'function', function: { name: 'a', arguments: text } };
    const message = {
      role: 'assistant',
      ...(tools === undefined ? { content: text } : { content: null, tool_calls: [call] }),
    };
    const choice = { index: 0, message, finish_reason: tools === undefined ? 'stop' : 'tool_calls' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ id: '1', choices: [choice] }));
  });
  onTestFinished(() => service.close());
  await writeFiles(folder, {
    'a.json': schemaOfA,
  });
  const line = `check --base-url ${service.baseUrl} --model m --schema a.json --json`;
  const { code, stdout } = await run(line, '--prompt', prompt);
  const { verdict, recommended, forms } = JSON.parse(stdout) as Said;
  expect({ code, verdict, recommended }).toEqual({ code: 1, verdict: 'unreliable', recommended: null });
  const all = forms.map(({ trials }) => trials);
  expect(all.some(({ passed, total }) => passed > 0 && passed < total)).toBe(true);
});

test('tries the settings of the config when nothing holds without them', async () => {
  const baseUrl = await answering((body) => {
    const { thinking, tools } = JSON.parse(body) as { thinking?: { type: string }; tools?: unknown };
    const content = thinking?.type === 'disabled' && tools === undefined ? '{"a":1}' : 'Let me think.';
    return { content };
  });
  await writeFiles(folder, {
    'a.json': schemaOfA,
    'chatspec.yaml': `targets:
  demo:
    base_url: ${baseUrl}
    settings: { thinking: { default: ~, enabled: { thinking: { type: enabled } }, disabled: { thinking: { type: disabled } } } }
    models: [m]
`,
  });
  const { code, stdout } = await chatspec(['check', '--schema', 'a.json', '--prompt', prompt, '--json'], {
    cwd: folder,
  });
  expect(code).toBe(0);
  const { recommended, forms } = JSON.parse(stdout) as Said;
  expect(recommended).toMatchObject({
    form: 'json_schema',
    settings: { strict: 'true', thinking: 'disabled' },
    request: { thinking: { type: 'disabled' } },
  });
  expect(forms.filter(({ holds, settings }) => holds && settings['thinking'] !== 'disabled')).toEqual([]);
  expect(forms.some(({ settings }) => settings['thinking'] === 'enabled')).toBe(true);
});

test('braces in schema and prompt are sent as they stand, and the prompt may come from standard input', async () => {
  const seen: string[] = [];
  const content = JSON.stringify({ note: '{{x}}' });
  const baseUrl = await answering((body) => {
    seen.push(body);
    return { content };
  });
  const schema = { type: 'object', properties: { note: { type: 'string', description: 'such as {{name}} or {{{' } } };
  await writeFiles(folder, { 'braces.json': JSON.stringify(schema) });
  const line = `check --base-url ${baseUrl} --model m --schema braces.json --trials 1`;
  const { code } = await run(line, '--prompt', 'Write \\{{this}} {{');
  expect(code).toBe(0);
  const bodies = seen.map(
    (body) =>
      JSON.parse(body) as { messages: { content: string }[]; response_format?: { json_schema?: { schema: object } } },
  );
  expect(bodies.map(({ messages }) => messages.at(-1)!.content)).toContain('Write \\{{this}} {{');
  expect(bodies.map(({ response_format }) => response_format?.json_schema?.schema)).toContainEqual(schema);
});

describe('what cannot be asked is said before anything is sent', () => {
  test.each(Object.entries(cannotCheck))('%s', async (line, message) => {
    await writeFiles(folder, {
      'list.json': '[]',
      'typo.json': '{ "type": "object", "properties": { "a": { "type": "strnig" } } }',
      'two.yaml': 'targets: { demo: { base_url: simulator, models: [sim-reference, sim-wobbly] } }\n',
    });
    const { code, stdout, stderr } = await run(line);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(new RegExp(message));
  });

  test('a schema outside the advised subset is only a warning', async () => {
    await writeFiles(folder, {
      'choice.json':
        '{ "type": "object", "properties": { "a": { "oneOf": [{ "type": "string" }, { "type": "null" }] } }, "required": ["a"], "additionalProperties": false }',
    });
    const { code, stderr } = await run(
      'check --base-url simulator --model sim-reference --schema choice.json --prompt x --trials 1',
    );
    expect(code).toBe(0);
    expect(stderr).toMatch(/choice\.json:1:\d+: warning: .*oneOf/);
  });
});
