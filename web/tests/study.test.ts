import { expect, test } from "vitest";
import { apart } from "../src/table/study.svelte";

test("a difference is told in units of its own error", () => {
  expect(apart({ mean: 10, error: 3 }, { mean: 15, error: 4 })).toEqual({ by: 1, error: 1 });
  expect(apart({ mean: 0, error: 0.1 }, { mean: 100, error: 0.1 }).by).toBe(3);
  expect(apart({ mean: 1, error: 0 }, { mean: 1, error: 0 })).toEqual({ by: 0, error: 0 });
  expect(apart({ mean: 1, error: 0 }, { mean: 0, error: 0 })).toEqual({ by: -3, error: 0 });
});
