/**
 * Asks the embedded service directly, through nginx, LiteLLM and Portkey, and looks at every difference.
 * Installs LiteLLM from PyPI, Portkey from npm (once, into node_modules/.cache) and nginx from apt where the machine lets it. Without
 * Python nothing is asked.
 */
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../../src/cli/program.js';
import type { Report } from '../../src/matrix/report-format.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { anIo } from '../support/io.js';
import { hasPython, stopPrograms } from '../support/started-programs.js';
import { nginx, startLiteLlm, startNginx, startPortkey } from './start-gateways.js';

const server = nginx();
if (!hasPython) console.log('test:gateways is skipped: no python3 with venv');
if (server === null) console.log('nginx is left out: it is not installed, and cannot be');

const masterKey = 'sk-gateway-master-key-0001';
const profiles = ['sim-reference', 'sim-object-500', 'sim-quota', 'sim-unknown'];
const suite = `suite: gate
defaults: { request: { max_tokens: 1024 } }
probes:
  hello: { capability: chat, request: { messages: [{ role: user, content: Say hello. }] } }
  again: { capability: chat, request: { messages: [{ role: user, content: Say hello again. }] } }
  order:
    capability: 'tool_choice.{{tool_choice}}'
    request:
      messages: [{ role: user, content: Order 3 keyboards for Li Lei. }]
      tools: [{ type: function, function: { name: create_order, parameters: { type: object, properties: { buyer: { type: string } }, required: [buyer], additionalProperties: false } } }]
    vary: { tool_choice: { auto: auto, object: { type: function, function: { name: create_order } } } }
    when: [{ point: { tool_choice: auto }, expect: { tool_call: optional } }]
`;

describe.skipIf(!hasPython)('behind gateways', () => {
  let simulator: Simulator;
  let folder: string;
  const addresses: Record<string, string> = {};

  beforeAll(async () => {
    simulator = await startSimulator({ seed: 1 });
    folder = await mkdtemp(join(tmpdir(), 'chatspec-gateways-'));
    const to = (id: string, api_base = simulator.baseUrl) => ({
      model_name: id,
      litellm_params: { model: `openai/${id}`, api_base, api_key: 'none', max_retries: 0 },
    });
    const dead = { ...to('sim-reference', 'http://127.0.0.1:9/v1'), model_name: 'dead' };
    addresses['litellm'] = await startLiteLlm({
      model_list: [...profiles.map((id) => to(id)), dead],
      router_settings: { num_retries: 0, allowed_fails: 1, cooldown_time: 5, disable_cooldowns: false },
      general_settings: { master_key: masterKey },
    });
    addresses['direct'] = simulator.baseUrl;
    addresses['portkey'] = await startPortkey();
    if (server !== null) addresses['nginx'] = await startNginx(new URL(simulator.baseUrl).origin);
    await writeFile(join(folder, 'gate.yaml'), suite);
  });
  afterAll(async () => {
    stopPrograms();
    await simulator.close();
  });

  async function run(gateway: string, models: readonly string[], key = masterKey, headers: object = {}) {
    const name = `${gateway}-${models.join('-')}-${key.length}-${Object.values(headers).join('').length}`;
    const target = { base_url: addresses[gateway], api_key_env: 'GATE_KEY', models, headers, limits: { retries: 2 } };
    const config = { targets: { gate: target }, suites: ['gate.yaml'] };
    await writeFile(join(folder, `${name}.yaml`), JSON.stringify(config));
    const io = anIo({ env: { GATE_KEY: key }, cwd: folder });
    const code = await runCli(['run', '--config', `${name}.yaml`, '--out', name], io);
    const report = JSON.parse(await readFile(join(folder, name, 'report.json'), 'utf8')) as Report;
    const journal = await readFile(join(folder, name, 'journal.jsonl'), 'utf8');
    return { code, report, journal };
  }
  const verdicts = ({ report }: { readonly report: Report }) =>
    report.cells.map(({ key, verdict, reason }) => `${key} ${verdict} ${reason ?? ''}`);
  const red = ({ report }: { readonly report: Report }) => report.cells.filter(({ verdict }) => verdict === 'fail');

  test.skipIf(server === null)('nginx changes nothing', async () => {
    expect(verdicts(await run('nginx', profiles))).toEqual(verdicts(await run('direct', profiles)));
  });

  test('a wrong key reaches no model, and makes no cell red', async () => {
    const wrong = await run('litellm', ['sim-reference', 'sim-object-500'], 'sk-wrong-key-of-nobody');
    expect(wrong.code).toBe(3);
    expect(red(wrong)).toEqual([]);
    expect(wrong.report.models.map(({ reachable }) => reachable)).toEqual([false, false]);
  });

  test('a connection that broke behind it is a fault of the gateway', async () => {
    const dead = await run('litellm', ['dead']);
    expect(red(dead)).toEqual([]);
    // Before its cooldown it says what happened; afterwards, that no deployment is available.
    expect(['gateway', 'rate_limited', 'overloaded']).toContain(dead.report.models[0]?.unreachable?.reason);
    expect(dead.journal).toContain('Connection error');
  });

  test('a used-up quota is one, whatever class the gateway gives it', async () => {
    const unpaid = await run('litellm', ['sim-quota']);
    expect(red(unpaid)).toEqual([]);
    expect(unpaid.report.cells.map(({ reason }) => reason)).toContain('quota');
  });

  test('a request that fails with 500 is found through cooldowns, and the sound ones stay green', async () => {
    const found = await run('litellm', ['sim-object-500', 'sim-reference']);
    expect(red(found).map(({ key }) => key)).toEqual(['gate/order[tool_choice=object]@gate/sim-object-500']);
    expect(found.report.cells.filter(({ model, verdict }) => /reference/.test(model) && verdict !== 'pass')).toEqual(
      [],
    );
  });

  test('Portkey changes no verdict', async () => {
    const headers = { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': simulator.baseUrl };
    const through = await run('portkey', profiles, masterKey, headers);
    expect(verdicts(through)).toEqual(verdicts(await run('direct', profiles)));
    expect(through.journal).toContain('x-portkey-trace-id');
  });

  test.each([
    ['no header', {}, 'unknown'],
    ['an unknown provider', { 'x-portkey-provider': 'nobody' }, 'unknown'],
    [
      'a dead service behind it',
      { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': 'http://127.0.0.1:9/v1' },
      'gateway',
    ],
  ])('Portkey with %s reaches no model, and makes no cell red', async (_, headers, reason) => {
    const refused = await run('portkey', ['sim-reference', 'sim-object-500'], masterKey, headers);
    expect([refused.code, red(refused)]).toEqual([3, []]);
    expect(refused.report.models.map(({ reachable, unreachable }) => [reachable, unreachable?.reason])).toEqual([
      [false, reason],
      [false, reason],
    ]);
  });

  test('what names the deployment is kept, and the key is not', async () => {
    const { journal } = await run('litellm', ['sim-reference']);
    expect(journal).toContain('x-litellm-model-id');
    expect(journal).not.toContain(masterKey);
  });
});
