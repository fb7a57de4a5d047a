// Kills a run on the embedded service a hundred times (or as often as the first argument says), resumes it each time,
// and compares the report with that of an undisturbed run. The seed (second argument) decides when it is killed.
import { spawnSync } from 'node:child_process';

const [kills = '100', seed = '7'] = process.argv.slice(2);
const test = [
  'vitest',
  'run',
  '--project',
  'integration-alone',
  'test/integration/kill-resume.test.ts',
  '-t',
  'that is killed',
];
const { status } = spawnSync('npx', test, {
  stdio: 'inherit',
  env: { ...process.env, CHATSPEC_KILLS: kills, CHATSPEC_KILL_SEED: seed },
});
process.exitCode = status ?? 1;
