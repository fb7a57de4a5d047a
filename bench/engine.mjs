// What 20,000 requests cost beside a minimal client that sends the same ones to the same stub service.
import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chatspec, measuredProcess, median } from './measured-process.mjs';

const rounds = 3;
const concurrency = 50;
const trials = 2000;
const models = Array.from({ length: 10 }, (_, index) => `engine-${index}`);
const requests = trials * models.length;
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
/** Random, as keys are: one made of words that answers hold, too, would be searched for in each of them. */
const env = { ENGINE_KEY: `sk-${createHash('sha256').update('no real key').digest('base64url')}` };

/** A project with one probe on ten models, and the request of that probe as the bare loop sends it. */
function writeProject(folder, origin) {
  const schema = readFileSync(here('../fixtures/schemas/invoice.json'), 'utf8');
  const messages = [
    { role: 'system', content: 'Extract the invoice as JSON.' },
    { role: 'user', content: 'INV-2026-0501, Huang Trading Ltd., 3 keyboards at 299 CNY, 2 mice at 99.50 CNY.' },
  ];
  const asking = (of) => ({
    messages,
    response_format: { type: 'json_schema', json_schema: { name: 'invoice', strict: true, schema: of } },
  });
  const target = { base_url: `${origin}/v1`, api_key_env: 'ENGINE_KEY', limits: { concurrency }, models };
  const files = {
    'chatspec.yaml': { targets: { stub: target }, suites: ['suite.yaml'], max_unmeasured: 0 },
    'suite.yaml': { suite: 'engine', probes: { invoice: { request: asking({ $ref: './schemas/invoice.json' }) } } },
    'request.json': { model: models[0], ...asking(JSON.parse(schema)) },
  };
  mkdirSync(join(folder, 'schemas'));
  writeFileSync(join(folder, 'schemas/invoice.json'), schema);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), JSON.stringify(content));
}

/** Both sides, one after the other. */
async function measureRound() {
  const folder = mkdtempSync(join(tmpdir(), 'chatspec-engine-'));
  const stub = fork(here('engine/stub.mjs'));
  try {
    const [{ origin }] = await once(stub, 'message');
    writeProject(folder, origin);
    const run = ['run', '--trials', String(trials), '--out', 'run'];
    const side = await measuredProcess([chatspec, ...run], { cwd: folder, env });
    const report = JSON.parse(readFileSync(join(folder, 'run/report.json'), 'utf8'));
    const passed = report.cells.filter(({ verdict, trials: { total } }) => verdict === 'pass' && total === trials);
    // A broken run may end sooner.
    if (passed.length !== models.length) throw new Error(`${passed.length} of ${models.length} cells passed`);
    const bareArgs = [here('engine/bare.mjs'), origin, join(folder, 'request.json'), requests, concurrency].map(String);
    return { chatspec: side, bare: await measuredProcess(bareArgs, { cwd: folder, env }) };
  } finally {
    stub.disconnect();
    rmSync(folder, { recursive: true });
  }
}

const measured = [];
for (let round = 0; round < rounds; round += 1) measured.push(await measureRound());
const middle = (of) => median(measured.map(of));
for (const side of ['chatspec', 'bare'])
  console.log(
    `  ${side.padEnd(8)}  ${Math.round(requests / middle((round) => round[side].wall))} requests a second, ` +
      `${Math.round((1e6 * middle((round) => round[side].cpu)) / requests)} µs of CPU a request, ` +
      `${Math.round(middle((round) => round[side].peak))} MB at most`,
  );
console.log(`  CPU, chatspec to bare: ${middle((round) => round.chatspec.cpu / round.bare.cpu).toFixed(1)}`);
