#!/usr/bin/env node
import { terminal } from './io.js';
import { runCli } from './program.js';
import { keepHeapSmall } from './small-heap.js';

keepHeapSmall();

// A reader that closes early (`chatspec list | head`) is no error of ours.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
});

process.exitCode = await runCli(process.argv.slice(2), terminal(process));
