// Preloaded into what bench/engine.mjs measures: says in the file USAGE_FILE what the process has taken when it ends.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load this too, but what they take is counted in the usage of their process.
if (isMainThread) {
  process.on('exit', () => writeFileSync(process.env.USAGE_FILE, JSON.stringify(process.resourceUsage())));
}
