import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { include: ["tests/browser/**/*.spec.ts"], testTimeout: 90_000, hookTimeout: 60_000, fileParallelism: false },
});
