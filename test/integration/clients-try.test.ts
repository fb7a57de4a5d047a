import { beforeEach, expect, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { tempFolder } from '../support/temp-folder.js';

/** `clients try` with a client that a test can change. */

interface Way {
  readonly effect: string;
  readonly model: string | null;
  readonly said: string | null;
}
interface Trial {
  readonly compared: boolean;
  readonly tried: readonly (Way & { readonly name: string; readonly noticed: number; readonly ways: readonly Way[] })[];
}

const env = { PATH: process.env['PATH'] ?? '' };
const ask = `
const ask = async (body) => {
  const address = process.env.OPENAI_BASE_URL + '/chat/completions';
  const headers = { 'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ model: 'my-model', messages: [{ role: 'user', content: 'Hello' }], ...body }) });
  if (!response.ok) throw new Error('HTTP ' + response.status);
  return response.text();
};
`;
const streaming = `${ask}
let said = '';
const lines = (await ask({ stream: true })).split('\\n').filter((line) => line.startsWith('data: {'));
for (const line of lines) said += JSON.parse(line.slice(6)).choices[0]?.delta.content ?? '';
console.log(said);
console.log(process.hrtime.bigint() + ' is no value');
`;

let cwd: string;
beforeEach(async () => {
  cwd = await tempFolder();
});
async function attempt(program: string, ...options: string[]) {
  await writeFiles(cwd, { 'app.mjs': program });
  return chatspec(['clients', 'try', ...options, '--', 'node', 'app.mjs'], { cwd, env });
}

test('says what works, fails, comes out wrong, and what was not met', async () => {
  const names = ['choices_missing_in_chunk', 'content_blocks', 'done_missing', 'arguments_object', 'http_error'];
  const { code, stdout, stderr } = await attempt(streaming, '--quirks', names.join());
  expect(code).toBe(0);
  expect(stderr).toMatch(/^chatspec: one run [^]*; \d+ more runs, \d+ at a time, each for at most 20 s\n/);
  expect(stdout).toContain('With the reference: exit code 0, 1 request.\n');
  expect(stdout).toMatch(
    / {2}prints something else \(1\)\n {4}content_blocks \(sim-content-blocks\): \[object Object\]/,
  );
  expect(stdout).toMatch(
    / {2}fails \(1\)\n {4}choices_missing_in_chunk \(sim-chunk-without-choices\): TypeError: Cannot read/,
  );
  expect(stdout).toMatch(
    / {2}works \(1\)\n {4}done_missing \(sim-no-done\)\n {2}not met by its requests \(1\)\n {4}arguments_object\n/,
  );
  const failing = async (...more: string[]) => (await attempt(streaming, '--quirks', ...more)).code;
  expect(await failing(names.join(), '--fail-on', 'wrong')).toBe(1);
  expect(await failing('choices_missing_in_chunk,http_error', '--fail-on', 'wrong')).toBe(0);
  expect(await failing('choices_missing_in_chunk', '--fail-on', 'throws')).toBe(1);
  expect(await failing('done_missing,http_error', '--fail-on', 'throws')).toBe(0);
  expect(stdout).toMatch(
    /Outcome classes[^]* {2}fails \(1\)\n {4}http_error \(\d+ ways, such as sim-[\w-]+\): Error: HTTP \d{3}\n/,
  );
});

const trialOf = async (program: string, quirks: string, ...more: string[]): Promise<Trial['tried']> => {
  const { stdout } = await attempt(program, '--quirks', quirks, '--json', ...more);
  return (JSON.parse(stdout) as Trial).tried;
};
const calling = (print: string): string => `${ask}
const tool = { type: 'function', function: { name: 'order', parameters: { type: 'object', properties: { item: { type: 'string' }, total: { type: 'number' } }, required: ['item', 'total'] } } };
const text = await ask({ tools: [tool], tool_choice: 'required' });
const calls = JSON.parse(text).choices[0].message.tool_calls.map((call) => call.function);
${print}
`;

test('of two calls, both may be printed, and none may be lost', async () => {
  const effects = async (print: string) => (await trialOf(calling(print), 'tool_call_id_repeated'))[0];
  expect(await effects('for (const call of calls) console.log(call.name, call.arguments)')).toMatchObject({
    effect: 'works',
  });
  expect(await effects('console.log(JSON.stringify(calls))')).toMatchObject({ effect: 'works' });
  expect(await effects('console.log(calls[0].name, calls[0].arguments)')).toMatchObject({
    ...{ effect: 'wrong_value', said: 'prints fewer than 2 calls' },
  });
});

test('a class is tried in each of its ways', async () => {
  const [violation] = await trialOf(
    calling(`if (!('item' in JSON.parse(calls[0].arguments))) throw new RangeError('no item'); console.log('ordered')`),
    'schema_violation',
    ...['--jobs', '3'],
  );
  const effectOf = (id: string) => violation!.ways.find(({ model }) => model === id)?.effect;
  expect(effectOf('sim-arguments-double')).toBe('throws');
  expect(effectOf('sim-missing-argument')).toBe('works');
  expect(violation!.ways.filter(({ effect }) => effect === 'throws')).toHaveLength(violation!.noticed);
  expect(violation!.noticed).toBe(1);
  expect(violation).toMatchObject({ effect: 'works', said: null });
});

const looping = `${ask}
const order = { type: 'function', function: { name: 'order', parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] } } };
const messages = [{ role: 'user', content: 'Please order a keyboard.' }];
const said = async () => JSON.parse(await ask({ tools: [order], messages })).choices[0].message;
const first = await said();
if (first.tool_calls?.length > 0) {
  const results = first.tool_calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'sold' }));
  messages.push(first, ...results);
  console.log((await said()).content);
} else console.log(first.content);
`;

test('a loop that goes on after a wrong call did not ask again', async () => {
  const [wrong] = await trialOf(looping, 'wrong_function');
  expect(wrong!.ways.length).toBeGreaterThan(0);
  expect(wrong).toMatchObject({ noticed: 0 });
  expect(wrong!.ways.map(({ effect }) => effect)).not.toContain('recovers');
});

test('a quirk is tried by models that show no other, where there are some', async () => {
  const fragments = `${ask}
const tool = { type: 'function', function: { name: 'order', parameters: { type: 'object', properties: {} } } };
console.log((await ask({ tools: [tool], tool_choice: 'required', stream: true })).includes('order'));
`;
  const [choice, call] = await trialOf(fragments, 'choice_index_missing,tool_call_index_missing');
  expect(choice!.ways.map(({ model }) => model)).toEqual(['sim-no-choice-index']);
  expect(call!.ways.map(({ model }) => model)).toEqual(['sim-no-call-index']);
});

test('a library that asks again gets the right answer', async () => {
  const again = `${ask} const patient = () => ask({}).catch((error) => (error.message === 'HTTP 429' ? ask({}) : Promise.reject(error)));
console.log(JSON.parse(await patient()).choices[0].message.content);`;
  const [refused] = await trialOf(again, 'http_error');
  expect(refused!.ways.find(({ model }) => model === 'sim-limited-once')).toMatchObject({ effect: 'recovers' });
  expect(refused!.ways.find(({ said }) => said === 'Error: HTTP 500')).toMatchObject({ effect: 'throws' });
  expect(refused!.noticed).toBe(refused!.ways.length);
});

test('a failure of the connection is one that breaks', async () => {
  const [transport] = await trialOf(streaming, 'transport');
  expect(transport!.ways.map(({ model }) => model)).toContain('sim-always-cut');
  expect(transport!.ways.map(({ model }) => model)).not.toContain('sim-stream-cut');
});

test('a program that has named its error and does not end has failed', async () => {
  const program = `${ask} const text = await ask({}); if (!('created' in JSON.parse(text))) { console.error(new RangeError('no time').stack); setInterval(() => {}, 1000); } console.log(1);`;
  const [created] = await trialOf(program, 'created_missing', '--time-limit', '4');
  expect(created).toMatchObject({ effect: 'throws', said: 'RangeError: no time', exit_code: null });
});

test('--fail-on makes it a gate', async () => {
  const codeOf = async (failOn: string, quirks: string) =>
    (await attempt(streaming, '--fail-on', failOn, '--quirks', quirks)).code;
  expect(await codeOf('wrong', 'content_blocks')).toBe(1);
  expect(await codeOf('wrong', 'choices_missing_in_chunk,done_missing')).toBe(0);
  expect(await codeOf('throws', 'choices_missing_in_chunk')).toBe(1);
  expect(await codeOf('throws', 'done_missing,http_error'), 'to fail at a wrong answer is right').toBe(0);
  expect(await codeOf('sometimes', 'done_missing')).toBe(2);
});

test('--baseline lets pass what its own earlier answers show', async () => {
  const quirks = ['--quirks', 'content_blocks,choices_missing_in_chunk'];
  const before = await attempt(streaming, ...quirks, '--json');
  await writeFiles(cwd, { 'clients.json': before.stdout });
  const gate = ['--baseline', 'clients.json', '--fail-on', 'throws'];
  const same = await attempt(streaming, ...quirks, ...gate);
  expect(same.code).toBe(0);
  expect(same.stderr).toMatch(/chatspec: since clients\.json: nothing changed\n$/);
  const worse = await attempt(
    streaming.replace('console.log(said)', "if (said.includes('[object')) process.exit(3); console.log(said)"),
    ...quirks,
    ...gate,
  );
  expect(worse.code).toBe(1);
  expect(worse.stderr).toContain('content_blocks: prints something else -> fails');
  expect((await attempt(streaming, ...quirks, ...gate, '--quirks', 'done_missing')).stderr).toContain(
    'done_missing: not tried -> works',
  );
  await writeFiles(cwd, { 'clients.json': '{"tried": 1}' });
  const damaged = await attempt(streaming, ...quirks, ...gate);
  expect([damaged.code, damaged.stderr]).toEqual([2, expect.stringContaining('clients.json:1:') as string]);
});

test('a program that does not end is stopped', async () => {
  const program = `${ask} const text = await ask({}); if (!('created' in JSON.parse(text))) setInterval(() => {}, 1000);`;
  const { code, stdout } = await attempt(program, '--quirks', 'created_missing', '--time-limit', '8', '--json');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ tried: [{ name: 'created_missing', effect: 'hangs', exit_code: null }] });
});

test.each([
  [
    'fails with right answers',
    `${ask} await ask({}); throw new TypeError('no good');`,
    '60',
    'ended with exit code 1 with the reference: TypeError: no good',
  ],
  ['fails and says nothing', 'process.exit(3)', '60', 'ended with exit code 3 with the reference\n'],
  ['sends nothing', 'console.log(1)', '60', 'sent no request'],
  ['never ends', 'setInterval(() => {}, 1000)', '1', 'did not end within 1 s with the reference'],
])('is not tried where it %s', async (_name, program, seconds, message) => {
  const { code, stdout, stderr } = await attempt(program, '--quirks', 'done_missing', '--time-limit', seconds);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
});

test('no key that the program prints is shown', async () => {
  const live = 'canary0pQ4rS7tU1vW5xY8zA2bC6dE9fG';
  const text = `\${process.env.TEAM_TOKEN} sk-canary-a1b2c3d4e5f6`;
  const told = (when: string) =>
    `${ask} const text = await ask({}); if (${when}) throw new Error(\`no \${text.length > 0} ${text}\`); console.log(1, '\${text}');`;
  const seen = { cwd, env: { ...env, TEAM_TOKEN: live } };
  for (const when of ["!text.includes('created')", 'true']) {
    await writeFiles(cwd, { 'app.mjs': told(when) });
    for (const form of [[], ['--json']]) {
      const command = ['--', 'node', 'app.mjs', 'sk-canary-a1b2c3d4e5f6'];
      const { stdout, stderr } = await chatspec(
        ['clients', 'try', '--quirks', 'created_missing', ...form, ...command],
        seen,
      );
      expect(stdout + stderr).toMatch(/Error: no true \*\*\*/);
      expect(stdout + stderr).not.toContain('canary');
    }
  }
});

test.each([
  ['nothing', ''],
  ['only lines that change', 'console.log(process.hrtime.bigint())'],
])('a program that prints %s cannot be compared', async (_name, print) => {
  const program = `${ask} await ask({ stream: true }); ${print}`;
  const { stdout } = await attempt(program, '--quirks', 'done_missing,empty_content');
  expect(stdout).toContain('Nothing that it prints can be compared, so wrong values are not looked for.');
  expect(stdout).toMatch(/ {2}ends with exit code 0 \(1\)\n {4}done_missing \(sim-no-done\)\n/);
  expect(stdout).not.toMatch(/works \(|prints the same/);
  const { compared, tried } = JSON.parse(
    (await attempt(program, '--quirks', 'done_missing', '--json')).stdout,
  ) as Trial;
  expect({ compared, tried }).toMatchObject({ compared: false, tried: [{ effect: 'not_compared', exit_code: 0 }] });
});

test('refuses what it does not know', async () => {
  expect((await attempt(streaming, '--quirks', 'done_mising')).stderr).toContain('did you mean "done_missing"?');
  expect((await attempt(streaming, '--quirks', 'message_missing')).stderr).toContain('see the class truncated');
  expect(await chatspec(['clients', 'tyr', '--', 'node'], { cwd, env })).toMatchObject({ code: 2 });
  expect((await chatspec(['clients', 'try'], { cwd, env })).stderr).toContain(
    'the command that makes the requests is missing',
  );
  expect((await chatspec(['clients', 'try', '--', 'no-such-program'], { cwd, env })).stderr).toContain(
    'cannot be started',
  );
});
