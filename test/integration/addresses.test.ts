import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { chatspec, writeFiles } from '../support/cli.js';
import { serveHttp } from '../support/loopback.js';
import { tempFolder } from '../support/temp-folder.js';

/** What is asked at which address, and what is said when nothing is there. */

const suite = `suite: shop
probes:
  hello: { request: { messages: [{ role: user, content: Say hello. }] } }
`;
const completion = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});

let folder: string;
beforeEach(async () => {
  folder = await tempFolder();
});

/** A service that answers at one path and has a 404 for every other. */
async function serviceAt(path: string, nothing: string) {
  const asked: { path: string; authorization: string | undefined }[] = [];
  const service = await serveHttp((request, response) => {
    asked.push({ path: request.url ?? '', authorization: request.headers.authorization });
    const found = request.url === path;
    response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found ? completion : nothing);
  });
  onTestFinished(() => service.close());
  return { asked, host: `http://127.0.0.1:${service.port}` };
}

const config = (address: string) =>
  `targets: { real: { base_url: ${address}, api_key_env: KEY, models: [m] } }\nsuites: [shop.yaml]\n`;
const env = { KEY: 'sk-test-1234567' };

test.each(['', '/api/paas/v4', '/v1beta/openai/'])(
  'requests go to the path %j of the vendor and nothing else',
  async (path) => {
    const endpoint = `${path.replace(/\/+$/, '')}/chat/completions`;
    const { asked, host } = await serviceAt(endpoint, '{}');
    await writeFiles(folder, { 'chatspec.yaml': config(`"${host}${path}"`), 'shop.yaml': suite });
    expect(await chatspec(['doctor'], { cwd: folder, env })).toMatchObject({ code: 0 });
    const { code } = await chatspec(['run', '--out', 'r', '--fail-on', 'never'], { cwd: folder, env });
    expect(code).toBe(0);
    expect(new Set(asked.map((request) => request.path))).toEqual(new Set([endpoint]));
  },
);

describe('nothing at the address', () => {
  const pages = ['{"detail":"Not Found"}', '404 page not found'];

  test.each(pages)('a host without a path: doctor and run name the address to write (%j)', async (page) => {
    const { asked, host } = await serviceAt('/v1/chat/completions', page);
    await writeFiles(folder, { 'chatspec.yaml': config(host), 'shop.yaml': suite });
    expect(await chatspec(['validate'], { cwd: folder, env })).toMatchObject({ code: 0, stderr: '' });
    expect(asked).toEqual([]);
    const right = `base_url has no path, and ${host}/chat/completions is answered with 404: write base_url: ${host}/v1`;
    const doctor = await chatspec(['doctor'], { cwd: folder, env });
    expect(doctor).toMatchObject({ code: 3 });
    expect(doctor.stdout).toContain(right);
    const run = await chatspec(['run', '--out', 'r'], { cwd: folder, env });
    expect(run).toMatchObject({ code: 3 });
    expect(run.stdout.replace(/\s+/g, ' ')).toContain(right);
  });

  test('a host with another path: it is only said what was asked', async () => {
    const { host } = await serviceAt('/v1/chat/completions', '{"detail":"Not Found"}');
    await writeFiles(folder, { 'chatspec.yaml': config(`${host}/api`), 'shop.yaml': suite });
    const { stdout } = await chatspec(['doctor'], { cwd: folder, env });
    expect(stdout).toContain(`Check base_url: ${host}/api/chat/completions is answered with 404.`);
    expect(stdout).not.toContain('has no path');
  });

  test('a model that the host does not know says nothing about the address', async () => {
    const unknown = '{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}';
    const { host } = await serviceAt('/v1/chat/completions', unknown);
    await writeFiles(folder, { 'chatspec.yaml': config(host), 'shop.yaml': suite });
    expect((await chatspec(['doctor'], { cwd: folder, env })).stdout).not.toContain('base_url has no path');
  });
});

describe('.env', () => {
  test('is read in the working folder and beside the config; the latter wins, and the environment over both', async () => {
    const { asked, host } = await serviceAt('/v1/chat/completions', '{}');
    await writeFiles(folder, {
      'work/.env': `CHAT_URL=http://127.0.0.1:1/v1\nKEY=sk-of-the-folder\nCHAT_MODELS=m\n`,
      'etc/.env': `CHAT_URL=${host}/v1\nKEY=sk-of-the-config\n`,
      'etc/chatspec.yaml':
        'targets: { real: { base_url: { env: CHAT_URL }, api_key_env: KEY, models: { env: CHAT_MODELS } } }\nsuites: [shop.yaml]\n',
      'etc/shop.yaml': suite,
    });
    const place = { cwd: `${folder}/work` };
    const line = ['doctor', '--config', '../etc/chatspec.yaml'];
    expect(await chatspec(line, place)).toMatchObject({ code: 0 });
    expect(await chatspec(line, { ...place, env: { KEY: 'sk-of-the-shell' } })).toMatchObject({ code: 0 });
    expect(asked.map(({ authorization }) => authorization)).toEqual([
      'Bearer sk-of-the-config',
      'Bearer sk-of-the-shell',
    ]);
  });

  test('an address of the environment stands in the reports, and a secret header nowhere', async () => {
    const { host } = await serviceAt('/v1/chat/completions', '{}');
    await writeFiles(folder, {
      'chatspec.yaml':
        'targets: { real: { base_url: { env: CHAT_URL }, headers: { x-token: { env: TOKEN } }, models: { env: CHAT_MODELS } } }\nsuites: [shop.yaml]\n',
      'shop.yaml': suite,
    });
    const given = { CHAT_URL: `${host}/v1`, CHAT_MODELS: 'm', TOKEN: 'team-token-4711' };
    const line = ['run', '--out', 'r', '--fail-on', 'never', '--json'];
    const { code, stdout } = await chatspec(line, { cwd: folder, env: given });
    expect(code).toBe(0);
    expect(stdout).toContain(`"base_url": "${host}/v1"`);
    expect(stdout).not.toContain('team-token-4711');
  });
});
