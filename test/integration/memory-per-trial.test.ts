import { expect, test } from 'vitest';
import { aModel, aPlan, aTarget } from '../support/build.js';
import { driveOptions, runTicket, servedCompletion } from '../support/fake-run.js';
import { diskSpool } from '../../src/report/gather/failure-spool.js';
import { openGathering } from '../../src/report/gather/gather.js';
import { drive } from '../../src/run/drive.js';
import { systemClock } from '../../src/run/clock.js';
import type { RunTarget } from '../../src/run/target-state.js';
import { heldMemory } from '../support/held-memory.js';
import { tempFolder } from '../support/temp-folder.js';

const trials = 50_000;
const cells = 10;

/** Answers at once and refuses every fifth request. */
function promptTarget(): RunTarget {
  let asked = 0;
  return {
    config: aTarget('t', { baseUrl: 'http://fake/v1', limits: { concurrency: 32 } }),
    simulator: false,
    send: async (body) => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return {
        request: { url: 'http://fake/v1/chat/completions', headers: {}, body },
        answer: { status: asked % 5 === 0 ? 400 : 200, headers: {}, body: [servedCompletion()], failure: null },
        timing: { started_at: new Date(0).toISOString(), headers_ms: 1, total_ms: 1 },
      };
    },
  };
}

test('a run keeps only a few bytes of each trial', { timeout: 60_000 }, async () => {
  const folder = await tempFolder();
  const model = aModel('t/m');
  const tickets = Array.from({ length: cells }, (_, cell) => runTicket(model, `p${cell}`, trials / cells));
  const gathering = openGathering(diskSpool(() => folder));
  const heldAt: number[] = [];
  let ended = 0;
  for await (const event of drive(driveOptions(aPlan(tickets), [promptTarget()], systemClock))) {
    gathering.onEvent(event);
    if (event.type === 'trial' && ++ended % (trials / 10) === 0) heldAt.push(heldMemory());
  }
  const named = [...gathering.gathered().cells.values()].flatMap(({ exchanges }) => [...exchanges]);
  expect(new Set(named).size).toBe(trials);
  gathering.failures.close();
  // A few bytes for each trial; keeping an id as a string would take thirty. Until the third tenth, code is still compiled.
  expect((heldAt[8]! - heldAt[2]!) / (0.6 * trials)).toBeLessThan(15);
});
