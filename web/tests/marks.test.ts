import { expect, test } from "vitest";
import { characters, marks } from "../src/parts/marks";
import type { Diagnostic } from "../src/protocol/generated";

test("bytes of a text with signs of all widths are counted as characters", () => {
  const text = "aé♠😀b";
  expect([0, 1, 3, 6, 10, 11].map((bytes) => characters(text, bytes))).toEqual([0, 1, 2, 3, 5, 6]);
});

test("a message without a place marks nothing, one at the end marks something that can be seen", () => {
  const said: Diagnostic = { severity: "error", code: "", title: "Unknown name", label: "Nothing is called so.", drawn: "" };
  expect(marks([said], "abc")).toEqual([]);
  const placed = { ...said, place: { file: "typed", line: 1, column: 1, start: 0, end: 0 } };
  expect(marks([placed], "abc")).toEqual([{ from: 0, to: 1, severity: "error", message: "Unknown name Nothing is called so." }]);
});
