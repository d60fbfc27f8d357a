import { expect, test } from "vitest";
import { asTable, effort } from "../src/studio/effort.svelte";

test("steps are counted, and pauses are not", () => {
  const noted = [
    { at: 0, act: "step" as const, what: "Added: cell" },
    { at: 30_000, act: "refused" as const, what: 'It says "cell".' },
    { at: 36_000, act: "undone" as const, what: "Added: cell" },
    { at: 3_636_000, act: "step" as const, what: "Typing" },
  ];
  expect(effort(noted)).toEqual({ steps: 2, undone: 1, refused: 1, minutes: 1.6 });
  expect(asTable(noted).split("\n")[2]).toBe('30.0,refused,"It says ""cell""."');
  expect(effort([])).toEqual({ steps: 0, undone: 0, refused: 0, minutes: 0 });
});
