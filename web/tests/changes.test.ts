import { expect, test } from "vitest";
import { asVariant, back, type Print } from "../src/panels/changes";
import type { Change } from "../src/protocol/generated";

const law = '#law "Not twice" on place\n  (require (not mark) "No.")';
const print: Print = {
  rules: [{ name: "Only empty cells", kind: "law", mode: "enforced", on: ["place"], text: '#law "Only empty cells" on place (require (not mark))' }],
  settings: [{ name: "size", value: "3", printed: "3", about: "" }],
};
const off: Change = { kind: "mode", rule: "Only empty cells", mode: "off" };

test("a switch goes back to the one before it, and in the end to the print", () => {
  const advised: Change = { ...off, mode: "advised" };
  expect(back([advised, off], print)).toEqual(advised);
  expect(back([off], print)).toEqual({ ...off, mode: "enforced" });
});

test("a setting goes back to its printed value, a text to the printed one, a new rule is switched off", () => {
  expect(back([{ kind: "setting", name: "size", value: "5" }], print)).toEqual({ kind: "setting", name: "size", value: "3" });
  expect(back([{ kind: "text", text: '#law "Only empty cells" on place (require nil)' }], print)).toEqual({ kind: "text", text: print.rules[0]!.text });
  expect(back([{ kind: "text", text: law }], print)).toEqual({ kind: "mode", rule: "Not twice", mode: "off" });
});

test("what leads nowhere is not offered", () => {
  expect(back([], print)).toBeNull();
  expect(back([{ kind: "text", text: "#entity stone" }], print)).toBeNull();
});

test("a variant says everything once, as it stands in the end", () => {
  const changes: Change[] = [off, { kind: "setting", name: "size", value: "4" }, { kind: "text", text: law }, { ...off, mode: "advised" }];
  expect(asVariant("Ours", changes)).toBe(`#variant "Ours"\n#set size 4\n${law}\n#rule "Only empty cells" advised\n`);
});
