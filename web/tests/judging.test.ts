import { expect, test } from "vitest";
import type { Hint } from "../src/protocol/generated";
import { judged, settled } from "../src/table/judging.svelte";

const hint: Hint = {
  seat: 1,
  choice: 0,
  words: "b2",
  value: 0.5,
  line: [],
  considered: [
    { words: "b2", visits: 90, value: 0.5 },
    { words: "a1", visits: 9, value: 0.3 },
    { words: "c3", visits: 1, value: -0.4 },
  ],
};

test("a move is called by how much less it is worth than the best", () => {
  expect(judged(hint, 3, "b2")).toEqual({ move: 3, seat: 1, value: 0.5, made: 0.5, best: "b2", verdict: null });
  expect(judged(hint, 3, "a1").verdict).toBe("?!");
  expect(judged(hint, 3, "c3").verdict).toBe("??");
});

test("of a move that was not looked at nothing is said", () => {
  expect(judged(hint, 3, "a3")).toMatchObject({ made: null, verdict: null });
  expect(judged({ ...hint, considered: [] }, 3, "b2")).toMatchObject({ made: 0.5, verdict: null });
});

test("between two, the position after a move says what it was worth", () => {
  const unknown = judged(hint, 3, "a3");
  const next = judged({ ...hint, seat: 0, value: 0.9, considered: [] }, 4, "b2");
  expect(settled([unknown, next], 2)[0]).toMatchObject({ made: -0.9, verdict: "??" });
  expect(settled([unknown, next], 3)[0]).toMatchObject({ made: null, verdict: null });
});
