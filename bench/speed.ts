import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { Pool } from 'undici';
import type { Json } from '../src/json/json.js';
import type { Simulator } from '../src/simulator/index.js';
import { driveService, planOf, service } from './drive-service.js';
import { modelNames, writeNights } from './http-nights.js';
import { printTable } from './print-table.js';

const concurrency = 16;
const rounds = 5;

/** The same requests without chatspec: nothing but undici in a loop, and the answer parsed. */
async function bareLoop(bodies: readonly Json[], simulator: Simulator): Promise<number> {
  const { origin, pathname } = new URL(`${simulator.baseUrl}/chat/completions`);
  const pool = new Pool(origin, { connections: concurrency });
  const limit = pLimit(concurrency);
  const headers = { 'content-type': 'application/json' };
  const begun = performance.now();
  await Promise.all(
    bodies.map((body) =>
      limit(async () => {
        const answer = await pool.request({ path: pathname, method: 'POST', headers, body: JSON.stringify(body) });
        await answer.body.json();
      }),
    ),
  );
  const elapsed = performance.now() - begun;
  await pool.close();
  return elapsed;
}

const folder = await mkdtemp(join(tmpdir(), 'chatspec-bench-'));
const { suite } = await writeNights(folder, 12, 60);
const work = await planOf(suite, folder, modelNames(12), { seed: 1, concurrency });
const simulator = await service(folder, 1);
const rows: string[][] = [];
try {
  // The first round warms both up and is not shown.
  for (let round = 0; round <= rounds; round++) {
    const begun = performance.now();
    const events = await driveService(work, simulator);
    const chatspec = performance.now() - begun;
    const bodies = events.flatMap((event) => (event.type === 'exchange' ? [event.exchange.request.body] : []));
    const bare = await bareLoop(bodies, simulator);
    const each = (elapsed: number) => `${(elapsed / bodies.length).toFixed(2)} ms`;
    if (round > 0)
      rows.push([`${round}`, `${bodies.length}`, each(chatspec), each(bare), (chatspec / bare).toFixed(2)]);
  }
} finally {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
}
printTable(['round', 'requests', 'chatspec, a request', 'bare loop, a request', 'ratio'], rows);
