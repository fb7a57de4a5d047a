import { defineConfig } from 'vitest/config';

/** Apart from `npm test`, because these tests need a chromium on the machine. */
export default defineConfig({
  // All cores: most of the time, a test waits for its browser.
  test: {
    maxWorkers: '100%',
    name: 'browser',
    globalSetup: 'test/support/deviating-run-setup.ts',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
