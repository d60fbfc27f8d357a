import { expect, test } from "vitest";
import { apart } from "../src/table/study.svelte";

test("a difference is told in units of its own error", () => {
  expect(apart({ mean: 10, error: 3 }, { mean: 15, error: 4 })).toEqual({ by: 1, error: 1, sure: 1 });
  expect(apart({ mean: 1, error: 0 }, { mean: 1, error: 0 })).toEqual({ by: 0, error: 0, sure: 0 });
  expect(apart({ mean: 1, error: 0 }, { mean: 0, error: 0 })).toEqual({ by: -3, error: 0, sure: -Infinity });
});

test("what is drawn stays within the picture, and the largest difference stays the largest", () => {
  const [far, farther] = [apart({ mean: 0, error: 0.1 }, { mean: 10, error: 0.1 }), apart({ mean: 0, error: 0.1 }, { mean: 100, error: 0.1 })];
  expect([far.by, farther.by]).toEqual([3, 3]);
  expect(farther.sure).toBeGreaterThan(far.sure);
});
