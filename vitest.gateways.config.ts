import { defineConfig } from 'vitest/config';

/** Through real gateways, which the tests install: see the head of test/gateways/gateways.test.ts. */
export default defineConfig({
  test: { name: 'gateways', include: ['test/gateways/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 900_000 },
});
