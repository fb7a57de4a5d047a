#!/usr/bin/env node
import { setFlagsFromString } from 'node:v8';
import { printBug } from './errors/print-bug.js';
import { terminal } from './terminal/io.js';
import { runCli } from './program.js';

// By default, the heap grows to four times the live data before garbage is collected. A run keeps little and discards
// much, so collecting sooner lets a night of a hundred thousand trials take no more memory than a short run.
setFlagsFromString('--heap-growing-percent=40');
// undici reads answers with WebAssembly. To optimize that takes 35 MB and 0.1 s of CPU, and what is gained is too little to
// be seen in 20,000 requests.
setFlagsFromString('--liftoff-only');
// A process that ends soon spends up to a fifth of its CPU time on optimizing functions whose optimized code then hardly
// runs. So they have to be four times as busy at first, and V8's own measure holds for what takes longer. Later versions of
// Node optimize late by themselves, and do not know the flag.
if (process.versions.node.startsWith('20.')) {
  setFlagsFromString('--interrupt-budget=270336');
  setTimeout(() => setFlagsFromString('--interrupt-budget=67584'), 700).unref();
}

// A reader that closes early (`chatspec list | head`) is not an error; any other failure loses data.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') io.err(`chatspec: error: cannot write to standard output: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : 3);
});
// A run must not end because nobody can read its progress.
process.stderr.on('error', () => undefined);

const io = terminal(process);
process.on('uncaughtException', (error) => {
  void printBug(error, io).then((code) => process.exit(code));
});
process.exitCode = await runCli(process.argv.slice(2), io);
