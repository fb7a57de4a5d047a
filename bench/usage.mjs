// Preloaded into the processes that measured-process.mjs measures; writes their usage to USAGE_FILE on exit.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load this too, but the usage of the process includes theirs.
if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));
}
