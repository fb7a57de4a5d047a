import { defineConfig } from 'vitest/config';

/** Apart from `npm test`, because these tests need a chromium on the machine. */
export default defineConfig({
  test: { name: 'browser', include: ['test/browser/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
