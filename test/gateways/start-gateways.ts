import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answering, freePort, runToEnd, startProgram } from '../support/started-programs.js';

/** Where Python packages are kept from one call to the next. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/chatspec-gateways');

/** @returns null: the machine has no nginx, and cannot install it */
export function nginx(): string | null {
  const found = (): boolean => spawnSync('nginx', ['-v']).status === 0;
  if (!found() && process.getuid?.() === 0) spawnSync('apt-get', ['install', '-y', '-qq', 'nginx-light']);
  return found() ? 'nginx' : null;
}

/** Installs LiteLLM from PyPI into a virtual environment of its own, and starts its proxy. */
export async function startLiteLlm(config: object): Promise<string> {
  const python = join(cache, 'bin', 'python');
  const proxy = join(cache, 'bin', 'litellm');
  if (!existsSync(proxy)) {
    await mkdir(cache, { recursive: true });
    runToEnd('python3', ['-m', 'venv', cache]);
    runToEnd(python, ['-m', 'pip', 'install', '--quiet', 'litellm[proxy]']);
  }
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-litellm-'));
  // YAML reads JSON.
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config));
  const port = await freePort();
  const args = ['--config', join(folder, 'config.yaml'), '--host', '127.0.0.1', '--port', String(port)];
  startProgram(proxy, args, { LITELLM_LOCAL_MODEL_COST_MAP: 'True' });
  return answering(`http://127.0.0.1:${port}`, '/health/liveliness');
}

/** Installs Portkey's gateway from npm, without its install scripts, and starts it. */
export async function startPortkey(): Promise<string> {
  const folder = join(cache, 'portkey');
  const program = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(program)) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    runToEnd('npm', ['install', '--silent', '--ignore-scripts', '--prefix', folder, '@portkey-ai/gateway@1.15.2']);
  }
  const port = await freePort();
  startProgram(process.execPath, [program, `--port=${port}`, '--headless'], {});
  return answering(`http://127.0.0.1:${port}`, '/');
}

export async function startNginx(upstream: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-nginx-'));
  const port = await freePort();
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`);
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; pid ${folder}/pid; error_log ${folder}/error.log;
events {}
http { access_log off; ${paths.join(' ')}
  server { listen 127.0.0.1:${port}; location / { proxy_pass ${upstream}; proxy_buffering off; proxy_http_version 1.1; } }
}
`,
  );
  startProgram('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {});
  return answering(`http://127.0.0.1:${port}`, '/v1/models');
}
