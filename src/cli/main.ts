#!/usr/bin/env node
import { tellCrash } from './crash.js';
import { terminal } from './io.js';
import { runCli } from './program.js';
import { keepHeapSmall } from './small-heap.js';

keepHeapSmall();

// A reader that closes early (`chatspec list | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

const io = terminal(process);
process.on('uncaughtException', (error) => {
  void tellCrash(error, io).then((code) => process.exit(code));
});
process.exitCode = await runCli(process.argv.slice(2), io);
