import { defineConfig } from "vitest/config";

// `--mode screenshots` and `--mode figures` run one file that shows or measures instead of asserting.
const included: Record<string, string> = {
  screenshots: "tests/browser/screenshots.ts",
  figures: "tests/browser/figures.ts",
};

export default defineConfig(({ mode }) => ({
  test: {
    include: [included[mode] ?? "tests/browser/**/*.spec.ts"],
    // Long, because other work may keep the computer busy; nothing waits without a reason.
    testTimeout: mode in included ? 1_800_000 : 180_000,
    hookTimeout: 120_000,
    // A test that fails is told and tried once more: in hundreds of clicks one may come a moment before its page is ready.
    retry: 1,
    fileParallelism: false,
  },
}));
