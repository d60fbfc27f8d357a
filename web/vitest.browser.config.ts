import { defineConfig } from "vitest/config";

// `--mode screenshots` and `--mode figures` run one file that shows or measures instead of asserting.
const included: Record<string, string> = {
  screenshots: "tests/browser/screenshots.ts",
  figures: "tests/browser/figures.ts",
};

export default defineConfig(({ mode }) => ({
  test: {
    include: [included[mode] ?? "tests/browser/**/*.spec.ts"],
    testTimeout: mode in included ? 600_000 : 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
}));
