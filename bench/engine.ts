// The cost of a run over a minimal client that sends the same requests: bench/engine/engine.mjs, in processes of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { measuredOn } from './measured.js';
import { markdownTable, printTable } from './print-table.js';
import { track } from './tracked-ratios.js';
import { writeTable } from './write-table.js';

const rounds = 5;
const child = spawn(process.execPath, ['bench/engine/engine.mjs', '--rounds', String(rounds), '--json'], {
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

interface Side {
  /** Requests a second. */
  readonly rate: number;
  /** Microseconds of CPU of all threads, the start and the reports included, a request. */
  readonly each: number;
  /** Megabytes. */
  readonly peak: number;
}
const { ratios, chatspec, bare } = JSON.parse(last) as Readonly<Record<'chatspec' | 'bare', Side>> & {
  readonly ratios: Readonly<Record<'cpu' | 'rate', number>>;
};
track('engine/CPU time, chatspec to bare', ratios.cpu, 'lower is better');
track('engine/requests a second, chatspec to bare', ratios.rate, 'higher is better');

const whole = (number: number) => Math.round(number).toLocaleString('en');
const row = (name: string, { rate, each, peak }: Side) => [name, whole(rate), `${whole(each)} µs`, `${whole(peak)} MB`];
const head = ['20,000 requests, 50 at once', 'requests a second', 'CPU a request', 'peak memory'];
const rows = [
  row('a bare loop: undici, JSON.parse, Ajv', bare),
  row('chatspec: judged, journal, all reports', chatspec),
  ['goal', `${whole(0.5 * bare.rate)} (0.5 of the bare loop)`, '', '200 MB'],
  ['chatspec / bare loop', ratios.rate.toFixed(2), ratios.cpu.toFixed(1), ''],
];
printTable(head, rows);
const machine = measuredOn(rounds);
console.log(machine);
if (process.argv.includes('--write')) {
  writeTable('docs/performance.md', 'engine', `${markdownTable(head, rows)}\n\n${machine}`);
}
