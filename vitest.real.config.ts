import { defineConfig } from 'vitest/config';

/** Against a real server, which the machine must have: see the head of test/real/real-server.test.ts. */
export default defineConfig({
  test: { name: 'real', include: ['test/real/**/*.test.ts'], testTimeout: 1_800_000, hookTimeout: 1_800_000 },
});
