import { defineConfig } from 'vitest/config';

// No test measures time by its limit: a machine may be busy with something else.
export default defineConfig({
  test: {
    // All cores: with one less, as is the default, a machine of two would run one file at a time.
    maxWorkers: '100%',
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 30_000 } },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 240_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
