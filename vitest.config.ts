import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** They measure memory or time, which files before them in the same process could change, or replace what others have loaded. */
const measuring = [
  ...['judge-within', 'linear-time', 'read-once', 'jsonata/linear-expression', 'jsonata/rules'].map(
    (name) => `src/judge/${name}.test.ts`,
  ),
  ...['linear-pattern', 'needs-guard'].map((name) => `src/judge/schema/${name}.test.ts`),
  'src/cli/terminal/progress/progress.test.ts',
  'src/journal/journal.test.ts',
  ...['gather', 'repeated-answers'].map((name) => `src/report/gather/${name}.test.ts`),
  'src/report/safe/runner-commands.test.ts',
  'src/chat/stream/linear-assembling.test.ts',
];
/** Rooms that keep nothing outside of their values, and whose tests replace no module. */
const rooms = [
  ...['json', 'stats', 'errors', 'cell', 'capabilities', 'files', 'body', 'chat', 'masking', 'suite', 'config'],
  ...['baseline', 'plan', 'decide', 'estimate', 'matrix', 'report', 'simulator', 'shapes', 'assemble'],
  ...['judge', 'run', 'journal', 'clients', 'cli', 'options'],
];
const pure = rooms.map((room) => `src/${room}/**/*.test.ts`);

/** They set or measure what a process has only once, such as its environment and its memory, or leave much in it. */
const alone = [
  ...['canary', 'canary-spellings', 'cli-hostile-inputs', 'client-shapes'],
  ...['doc-pages', 'enforce-babble', 'example-report', 'hostile-answers', 'hostile-output'],
  ...['kill-resume', 'long-judgements', 'memory-per-trial', 'openai-client', 'shapes'],
].map((name) => `test/integration/${name}.test.ts`);

// No test measures time by its limit: a machine may be busy with something else.
export default defineConfig({
  test: {
    // The projects have a server each, which would transform the same modules again.
    experimental: { fsModuleCache: true },
    // More than cores: a third of the time, a file waits for a time-out, a pause or another process.
    maxWorkers: availableParallelism() + 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [`src/!(${rooms.join('|')})/**/*.test.ts`, 'src/*.test.ts', ...measuring],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      // To start a process and load the same modules again for each of their files takes longer than most of their tests.
      {
        test: {
          name: 'unit-pure',
          include: pure,
          exclude: measuring,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: alone,
          // Most of them run commands in a folder of their own, so what they load need be loaded only once.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: { name: 'integration-alone', include: alone, testTimeout: 120_000, hookTimeout: 60_000 },
      },
      {
        test: {
          name: 'contract',
          include: ['test/contract/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts', 'test/worlds/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
