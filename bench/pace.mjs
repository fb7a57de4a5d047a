// How fast a run is on bad days of its service: 30 models on one key, 16 requests at a time, 100 ms an answer, over
// loopback. Planned requests a second, and their ratio to a calm day, or to what the service allows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chatspec } from './measured-process.mjs';

const models = Array.from({ length: 30 }, (_, index) => `m${index}`);
const trials = 3;
/** `cells` of each model; `allowed` requests a second. */
const days = [
  { name: 'calm', title: 'calm', cells: 20 },
  { name: 'noise', title: '2 % 429, 1 % 503, 0.5 % cut connections', cells: 20 },
  { name: 'dead', title: 'one model of 30 answers nothing but 503', cells: 20 },
  { name: 'throttled', title: '4 requests a second, else 429', cells: 2, allowed: 4 },
  { name: 'refusing', title: '20 % refused for a minute', cells: 20 },
];

async function played({ name, cells }) {
  const folder = mkdtempSync(join(tmpdir(), 'chatspec-pace-'));
  const script = new URL('./pace/service.mjs', import.meta.url).pathname;
  const service = spawn(process.execPath, [script, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = await once(service.stdout, 'data');
    const base_url = `http://127.0.0.1:${String(port).trim()}/v1`;
    const request = { max_tokens: 50, messages: [{ role: 'user', content: 'Say hello.' }] };
    const probes = Object.fromEntries(Array.from({ length: cells }, (_, cell) => [`p${cell}`, { trials, request }]));
    const config = { targets: { t: { base_url, limits: { concurrency: 16 }, models } }, suites: ['suite.yaml'] };
    writeFileSync(join(folder, 'chatspec.yaml'), JSON.stringify(config));
    writeFileSync(join(folder, 'suite.yaml'), JSON.stringify({ suite: 'pace', probes }));
    const args = ['run', '--fail-on', 'never', '--quiet', '--out', 'run'];
    const begun = performance.now();
    await once(spawn(process.execPath, [chatspec, ...args], { cwd: folder, stdio: 'ignore' }), 'close');
    const seconds = (performance.now() - begun) / 1000;
    const report = JSON.parse(readFileSync(join(folder, 'run/report.json'), 'utf8'));
    const isRight = ({ model, verdict }) => verdict === (name === 'dead' && model === 't/m7' ? 'inconclusive' : 'pass');
    const wrong = report.cells.filter((cell) => !isRight(cell)).length;
    return { seconds, wrong, requests: report.run.requests, cells: report.cells.length };
  } finally {
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

let calm = Infinity;
for (const day of days) {
  const { seconds, wrong, requests, cells } = await played(day);
  const pace = (models.length * (1 + trials * day.cells)) / seconds;
  if (day.name === 'calm') calm = pace;
  const ratio = (pace / Math.min(calm, day.allowed ?? Infinity)).toFixed(2);
  const what = `${requests} requests in ${seconds.toFixed(1)} s, ${wrong} of ${cells} cells wrong`;
  console.log(`  ${day.title}: ${pace.toFixed(1)} a second, ratio ${ratio}; ${what}`);
}
