import { expect, test } from "vitest";
import { offset, place } from "../src/parts/editing";

test("places and offsets lead to each other", () => {
  const text = "#law\n  (♠ 😀)\n";
  for (let at = 0; at <= text.length; at++) expect(offset(text, place(text, at))).toBe(at);
  expect(offset(text, { line: 0, character: 99 })).toBe(4);
  expect(offset(text, { line: 9, character: 0 })).toBe(text.length);
});
