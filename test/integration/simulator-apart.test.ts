import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { startApart } from '../../src/simulator/start-apart.js';
import { builtFolder } from '../support/cli.js';

const builtThread = pathToFileURL(join(builtFolder, 'simulator', 'simulator-thread.js'));

/** What another process gets, while this one can do nothing. */
function statusSeenElsewhere(url: string, limitMs: number): string {
  const program = `fetch(${JSON.stringify(url)}, { signal: AbortSignal.timeout(${limitMs}) }).then(
    ({ status }) => status, (error) => error.name).then((seen) => { console.log(seen); process.exit(); })`;
  return spawnSync(process.execPath, ['-e', program], { encoding: 'utf8' }).stdout.trim();
}

test('the embedded service of a run answers while the run is busy', async () => {
  const simulator = await startApart({ seed: 1, log: 0 }, builtThread);
  onTestFinished(() => simulator.close());
  expect(statusSeenElsewhere(`${simulator.baseUrl}/models`, 120_000)).toBe('200');
});

test('where its thread cannot begin, it answers in that of the run', async () => {
  const simulator = await startApart({ seed: 1, log: 0 }, new URL('no-such-thread.js', builtThread));
  onTestFinished(() => simulator.close());
  expect(statusSeenElsewhere(`${simulator.baseUrl}/models`, 1000)).toBe('TimeoutError');
  expect((await fetch(`${simulator.baseUrl}/models`)).status).toBe(200);
});

test('it is gone when it is closed', async () => {
  const simulator = await startApart({ seed: 1, log: 0 }, builtThread);
  await simulator.close();
  await expect(fetch(`${simulator.baseUrl}/models`)).rejects.toThrow('fetch failed');
});
