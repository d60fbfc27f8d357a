import { expect, test } from "vitest";
import { diagnostic, offset, place } from "../src/parts/editing";
import { characters } from "../src/parts/marks";

test("places and offsets lead to each other", () => {
  const text = "#law\n  (♠ 😀)\n";
  for (let at = 0; at <= text.length; at++) expect(offset(text, place(text, at))).toBe(at);
  expect(offset(text, { line: 0, character: 99 })).toBe(4);
  expect(offset(text, { line: 9, character: 0 })).toBe(text.length);
});

test("what the language server finds is what the checker says: with its place in bytes, and the hint by itself", () => {
  const text = '#law "Größe" on place\n  (require (not marc))';
  const range = { start: { line: 1, character: 16 }, end: { line: 1, character: 20 } };
  const one = diagnostic(text, { range, severity: 1, code: "name/unknown", message: "Nothing here is called `marc`.\nHint: Did you mean `mark`?" });
  expect([one.severity, one.title, one.hint]).toEqual(["error", "Nothing here is called `marc`", "Did you mean `mark`?"]);
  expect(diagnostic(text, { range, severity: 1, message: "A name twice\nThere is another one.\nIt is older." })).toMatchObject({ title: "A name twice", label: "There is another one. It is older." });
  expect(characters(text, one.place!.start)).toBe(text.indexOf("marc"));
  expect(characters(text, one.place!.end)).toBe(text.indexOf("marc") + 4);
});
