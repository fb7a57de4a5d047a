import { defineConfig } from 'vitest/config';

/** Apart from `npm test`, because these tests need a chromium on the machine. */
export default defineConfig({
  // All cores: most of the time, a test waits for its browser.
  test: {
    maxWorkers: '100%',
    name: 'browser',
    globalSetup: 'test/support/deviating-run-setup.ts',
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
