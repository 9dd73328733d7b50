import { defineConfig } from "vitest/config";

// One Chromium for all files, one page after the other.
export default defineConfig({
  test: { include: ["test/browser/**/*.test.ts"], testTimeout: 120_000, hookTimeout: 240_000, fileParallelism: false },
});
