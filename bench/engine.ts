// The cost of a run over a minimal client that sends the same requests: bench/engine/engine.mjs, in processes of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { track } from './tracked-ratios.js';

const child = spawn(process.execPath, ['bench/engine/engine.mjs', '--rounds', '5', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(child, 'close');
let last = '';
for await (const line of createInterface({ input: child.stdout })) {
  if (last !== '') console.log(last);
  last = line;
}
const [code] = (await ended) as [number | null];
if (code !== 0) throw new Error(`bench/engine/engine.mjs ended with ${code}`);
const { cpu, rate } = JSON.parse(last) as { readonly cpu: number; readonly rate: number };
track('engine/CPU time, chatspec to bare', cpu, 'lower is better');
track('engine/requests a second, bare to chatspec', rate, 'lower is better');
