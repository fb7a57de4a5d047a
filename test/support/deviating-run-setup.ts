import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type DeviatingRun, deviatingRun } from './deviating-run.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A run that the browser tests look at from several sides, and change nothing of. */
    deviatingRun: DeviatingRun;
  }
}

/** Asks the models once for all files of the browser tests: a nightly run of six models takes as long as many of their tests. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const run = await deviatingRun('nightly');
  provide('deviatingRun', run);
  return () => rm(run.folder, { recursive: true });
}
