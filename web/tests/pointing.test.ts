import { expect, test } from "vitest";
import { point, targets, wholeAlready, type Way } from "../src/table/pointing";

const KING = 1, ROOK = 2, A1 = 10, B1 = 11, C1 = 12;
const moves: Way[] = [{ points: [KING, A1] }, { points: [KING, B1] }, { points: [ROOK, A1] }];

test("one thing to point at is one click", () => {
  expect(point([{ points: [A1] }, { points: [B1] }], [], [B1])).toEqual({ is: "choice", choice: 1 });
});

test("a piece is picked, then its target plays", () => {
  expect(point(moves, [], [KING, C1])).toEqual({ is: "picked", picked: [KING] });
  expect(point(moves, [KING], [B1])).toEqual({ is: "choice", choice: 1 });
});

test("a target under another piece is found by its place", () => {
  expect(point(moves, [KING], [99, A1])).toEqual({ is: "choice", choice: 0 });
});

test("the same piece again lets go, another one changes over", () => {
  expect(point(moves, [KING], [KING, C1])).toEqual({ is: "picked", picked: [] });
  expect(point(moves, [KING], [ROOK])).toEqual({ is: "picked", picked: [ROOK] });
});

test("what no way begins with is nothing", () => {
  expect(point(moves, [], [C1])).toEqual({ is: "nothing" });
  expect(point(moves, [KING], [C1])).toEqual({ is: "nothing" });
});

test("choices that look the same are told apart by words", () => {
  const promotions: Way[] = [{ points: [KING, A1], words: "queen" }, { points: [KING, A1], words: "rook" }];
  expect(point(promotions, [KING], [A1])).toEqual({ is: "several", choices: [0, 1], picked: [KING, A1] });
});

test("targets are what can be pointed at next", () => {
  expect([...targets(moves, [])]).toEqual([KING, ROOK]);
  expect([...targets(moves, [KING])]).toEqual([A1, B1]);
  expect([...targets([{ points: [] }], [])]).toEqual([]);
});

test("a choice that needs no further pointing is known", () => {
  expect(wholeAlready([{ points: [A1] }, { points: [A1, B1] }, { points: [], words: "pass" }], [A1])).toEqual([0]);
  expect(wholeAlready([{ points: [A1] }, { points: [], words: "pass" }], [])).toEqual([1]);
});
