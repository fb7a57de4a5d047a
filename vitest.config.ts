import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['src/**/*.test.ts'] } },
      { test: { name: 'integration', include: ['test/integration/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'], testTimeout: 120_000 } },
    ],
  },
});
