#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { terminal } from './terminal/io.js';
import { runCli } from './program.js';

// By default, the heap grows to four times the live data before garbage is collected: 20,000 requests take 220 MB then,
// and 160 MB with this.
setFlagsFromString('--heap-growing-percent=40');

// A reader that closes early (`chatspec list | head`) is not an error; any other failure loses data.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') io.err(`chatspec: error: cannot write to standard output: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : 3);
});
// A run must not end because nobody can read its progress.
process.stderr.on('error', () => undefined);

const io = terminal(process);
process.on('uncaughtException', (error) => {
  void import('./terminal/errors.js').then(({ printBug }) => printBug(error, io)).then((code) => process.exit(code));
});
process.exitCode = await runCli(process.argv.slice(2), io);
