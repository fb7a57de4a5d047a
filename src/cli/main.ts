#!/usr/bin/env node
import { printBug } from './errors/print-bug.js';
import { terminal } from './terminal/io.js';
import { runCli } from './program.js';
import { keepHeapSmall } from './small-heap.js';

keepHeapSmall();

// A reader that closes early (`chatspec list | head`) is no error of ours; data that cannot be written is lost.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') io.err(`chatspec: error: standard output cannot be written: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : 3);
});
// Progress that nobody can read must never end a run.
process.stderr.on('error', () => undefined);

const io = terminal(process);
process.on('uncaughtException', (error) => {
  void printBug(error, io).then((code) => process.exit(code));
});
process.exitCode = await runCli(process.argv.slice(2), io);
