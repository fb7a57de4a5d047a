import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', '{test/{integration,contract,conformance},bench/worlds}/**/*.test.ts'],
    setupFiles: ['test/support/setup.ts'],
    // No test replaces a module, and to load the same ones again for each file takes longer than most tests.
    isolate: false,
    // More than cores: a third of the time, a file waits for a time-out, a pause or another process.
    maxWorkers: availableParallelism() + 2,
    // They only end what hangs: a machine may be busy with something else.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
