// Compares the cost of a chatspec run with that of a minimal client that sends the same requests.
//   npm run build && node bench/engine/engine.mjs [--requests 20000] [--rounds 1] [--dist DIR] [--json]
// --dist is another build of chatspec, so that before and after can be compared; with --json, the last line is an object
// of the medians. Each side is a process that is measured from start to end; the service is a third one. Compare the CPU
// ratio: times depend on the machine and its load.
import { fork, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { middleRatios, middleRound, printHead, printMiddle, printRound } from './table.mjs';

const concurrency = 50;
const models = Array.from({ length: 10 }, (_, index) => `engine-${index}`);
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const schemaFile = here('../../fixtures/schemas/invoice.json');

/** Random, as keys are: one made of words that answers hold, too, would be searched for in each of them. */
const key = `sk-${createHash('sha256').update('no real key').digest('base64url')}`;
/** Preloaded into both sides. */
const usage = new URL('usage.mjs', import.meta.url).href;
/** The journal and every kind of report. */
const written = ['journal.jsonl', 'failures.jsonl', 'index.html', 'junit.xml', 'report.md'];

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '1' },
    dist: { type: 'string', default: here('../../dist') },
    json: { type: 'boolean', default: false },
  },
});
const roundsAsked = count('rounds');
const trials = Math.ceil(count('requests') / models.length);
const requests = trials * models.length;

function count(option) {
  const number = Number(values[option]);
  if (Number.isInteger(number) && number > 0) return number;
  console.error(`--${option} must be a whole number from 1, not "${values[option]}"`);
  process.exit(2);
}

/** A project with one probe on ten models, and the request of that probe as the bare loop sends it. */
async function writeProject(folder, origin) {
  const messages = [
    { role: 'system', content: 'Extract the invoice as JSON.' },
    { role: 'user', content: 'INV-2026-0501, Huang Trading Ltd., 3 keyboards at 299 CNY, 2 mice at 99.50 CNY.' },
  ];
  const asking = (schema) => ({
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema } },
  });
  const schema = JSON.parse(await readFile(schemaFile, 'utf8'));
  const probes = { invoice: { request: asking({ $ref: './schemas/invoice.json' }) } };
  const target = { base_url: `${origin}/v1`, api_key_env: 'ENGINE_KEY', limits: { concurrency }, models };
  await mkdir(join(folder, 'schemas'));
  await copyFile(schemaFile, join(folder, 'schemas', 'invoice.json'));
  await writeFile(join(folder, 'suite.yaml'), JSON.stringify({ suite: 'engine', probes }));
  await writeFile(
    join(folder, 'chatspec.yaml'),
    JSON.stringify({ targets: { stub: target }, suites: ['suite.yaml'], max_unmeasured: 0 }),
  );
  await writeFile(join(folder, 'request.json'), JSON.stringify({ model: models[0], ...asking(schema) }));
}

/** Runs a script to its end and returns the usage of its process. A script that takes far too long is killed. */
async function measure(folder, script, args) {
  const file = join(folder, 'usage.json');
  const begun = performance.now();
  const child = spawn(process.execPath, ['--import', usage, script, ...args], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    // No other variables of the environment: a proxy, or options for Node, would distort the measurement.
    env: { PATH: process.env.PATH, ENGINE_KEY: key, USAGE_FILE: file },
    timeout: 60_000 + 20 * requests,
    killSignal: 'SIGKILL',
  });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  const [code, signal] = await once(child, 'close');
  const wall = (performance.now() - begun) / 1000;
  if (code !== 0) throw new Error(`${script} ended with ${code ?? signal}:\n${stderr}`);
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  const [user, system] = [userCPUTime / 1e6, systemCPUTime / 1e6];
  const cpu = user + system;
  return { cpu, user, system, wall, peak: maxRSS / 1024, rate: requests / wall, each: (1e6 * cpu) / requests };
}

/** Both sides, one after the other. */
async function measureRound() {
  const folder = await mkdtemp(join(tmpdir(), 'chatspec-engine-'));
  const stub = fork(here('stub.mjs'));
  try {
    const [{ origin }] = await once(stub, 'message');
    await writeProject(folder, origin);
    const main = join(resolve(values.dist), 'cli', 'main.js');
    const chatspec = await measure(folder, main, ['run', '--trials', String(trials), '--out', 'run']);
    const served = await servedBy(stub);
    await check(join(folder, 'run'), served);
    const bareArgs = [origin, join(folder, 'request.json'), String(requests), String(concurrency)];
    const bare = await measure(folder, here('bare.mjs'), bareArgs);
    const more = (await servedBy(stub)) - served;
    if (more !== requests) throw new Error(`the bare loop sent ${more} requests, not ${requests}`);
    const { size } = await stat(join(folder, 'run', 'journal.jsonl'));
    return { chatspec, bare, journal: size / requests };
  } finally {
    if (stub.connected) stub.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

async function servedBy(stub) {
  stub.send('requests');
  const [{ requests: served }] = await once(stub, 'message');
  return served;
}

/** A broken run may end sooner, so a run counts only if it sent everything, wrote everything, and every cell passed. */
async function check(run, served) {
  const report = JSON.parse(await readFile(join(run, 'report.json'), 'utf8'));
  const passed = report.cells.filter(({ verdict, trials: { total } }) => verdict === 'pass' && total === trials);
  // Each model gets one more request, which checks that it answers at all.
  const expected = requests + models.length;
  if (passed.length !== models.length || report.run.requests !== expected || served !== expected)
    throw new Error(
      `${passed.length} of ${models.length} cells passed ${trials} trials; ` +
        `requests: ${expected} expected, ${report.run.requests} reported, ${served} served`,
    );
  const missing = written.filter((file) => !existsSync(join(run, file)));
  if (missing.length > 0) throw new Error(`the run did not write ${missing.join(', ')}`);
}

const work = `${requests} requests, ${concurrency} at once`;
const machine = `Node ${process.versions.node}, ${availableParallelism()} cores, load ${loadavg()[0].toFixed(1)}`;
console.log(`${work}; ${machine}; ${resolve(values.dist)}\n`);
printHead();
const rounds = [];
for (let number = 1; number <= roundsAsked; number++) {
  const round = await measureRound();
  printRound(String(number), round);
  rounds.push(round);
}
printMiddle(rounds);
console.log(`journal, bytes a request: ${rounds.at(-1).journal.toFixed(0)}`);
if (values.json) console.log(JSON.stringify({ ratios: middleRatios(rounds), ...middleRound(rounds) }));
