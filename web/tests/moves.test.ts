import { expect, test } from "vitest";
import type { LogLine } from "../src/protocol/generated";
import { told } from "../src/table/choosing";
import { chosen, entries, rows } from "../src/table/moves";

let n = 0;
const chose = (move: number, seat: number, words: string): LogLine => ({ n: ++n, is: "chose", move, seat, words }) as LogLine;
const undone = (moves: number): LogLine => ({ n: ++n, is: "undone", steps: 1, moves }) as LogLine;
const redone = (moves: number): LogLine => ({ n: ++n, is: "redone", steps: 1, moves }) as LogLine;
const held = (log: LogLine[]) => entries(log).flatMap((entry) => (entry.is === "move" && !entry.taken ? [entry.words] : []));

test("a move taken back stays in the list, and does not hold", () => {
  const log = [chose(1, 0, "e5"), chose(2, 1, "c6"), undone(1), chose(2, 1, "d4")];
  expect(held(log)).toEqual(["e5", "d4"]);
  expect(entries(log)).toHaveLength(3);
});

test("what is done again holds again, and only that", () => {
  expect(held([chose(1, 0, "a"), chose(2, 1, "b"), undone(0), redone(1)])).toEqual(["a"]);
  expect(held([chose(1, 0, "a"), undone(0), chose(1, 0, "b"), undone(0), redone(1)])).toEqual(["b"]);
});

test("two seats in turn share a row", () => {
  const shown = rows(entries([chose(1, 0, "e5"), chose(2, 1, "c6"), chose(3, 0, "c5")]), 2);
  expect(shown.map((row) => (row.is === "pair" ? row.cells.map((cell) => cell?.words) : row.is))).toEqual([["e5", "c6"], ["c5"]]);
});

test("a seat that moves twice begins a row of its own", () => {
  const shown = rows(entries([chose(1, 0, "a"), chose(2, 0, "b"), chose(3, 1, "c"), chose(4, 1, "d")]), 2);
  expect(shown.map((row) => (row.is === "pair" ? row.cells.map((cell) => cell?.words ?? null) : row.is))).toEqual([["a"], ["b", "c"], [null, "d"]]);
});

test("what was chosen in secret is told when it comes again with its words", () => {
  const secret = (move: number, seat: number): LogLine => ({ n: ++n, is: "chose", move, seat }) as LogLine;
  expect(held([secret(1, 0), chose(2, 1, "scissors"), chose(1, 0, "paper")])).toEqual(["paper", "scissors"]);
  // A number that was taken back and chosen anew is another move.
  expect(held([secret(1, 0), undone(0), secret(1, 0), chose(1, 0, "rock")])).toEqual(["rock"]);
});

test("what chance has drawn in one go is one line", () => {
  const chance = (words: string): LogLine => ({ n: ++n, is: "chance", words }) as LogLine;
  const shown = rows(entries([chance("3"), chance("1"), chose(1, 0, "point 6 3"), chance("5")]), 2);
  expect(shown.map((row) => (row.is === "note" && row.line.is === "chance" ? row.line.words : row.is))).toEqual(["3, 1", "pair", "5"]);
});

test("a rematch begins an empty list", () => {
  expect(held([chose(1, 0, "a"), { n: ++n, is: "began", match: 2 } as LogLine, chose(1, 1, "b")])).toEqual(["b"]);
});

test("a choice that was told shorter is a line like any other, with words or without", () => {
  expect(chosen([1, 7, "e2"])).toEqual({ is: "chose", seat: 1, move: 7, words: "e2" });
  expect(chosen([0, 8])).toEqual({ is: "chose", seat: 0, move: 8 });
});

test("ways are told whole, by points, in pairs, or by what differs", () => {
  const old = told({ seat: 0, points: [3, 4, 5] }, []);
  expect(old).toEqual([[3], [4], [5]]);
  expect(told({ seat: 0, differ: { go: [1], come: [[2, 9]] } }, old)).toEqual([[3], [5], [9]]);
  expect(told({ seat: 0, pairs: [[1, [2, 3]]] }, old)).toEqual([[1, 2], [1, 3]]);
  expect(told({ seat: 0, ways: [[], [1, 2, 3]] }, old)).toEqual([[], [1, 2, 3]]);
});
