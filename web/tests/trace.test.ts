import { expect, test } from "vitest";
import { told } from "../src/panels/trace";
import type { RuleInfo } from "../src/protocol/generated";

const rule = (name: string, kind: RuleInfo["kind"], change: Partial<RuleInfo> = {}): RuleInfo => ({ name, kind, mode: "enforced", printed: "enforced", on: [], text: "", ...change });
const rules = [rule("Only one's own", "law"), rule("Last Seed", "side-effect"), rule("Mine", "law", { printed: "off" })];
const line = (depth: number, words: string) => ({ depth, words });

test("seeds that go from hole to hole are one line, and rules that say the same again are counted", () => {
  const trace = [line(0, "sow to hole 5"), line(1, "“Only one's own”"), line(1, "seed to hole 6 left 2 origin hole 5"), line(2, "seed to hole 7 left 1 origin hole 5"), line(3, "“Last Seed”"), line(2, "“Last Seed”")];
  expect(told(trace, rules).map(({ is, words, times }) => [is, words, times])).toEqual([
    ["message", "sow to hole 5", 1],
    ["law", "“Only one's own”", 1],
    ["message", "seed to hole 6 left 2 origin hole 5, hole 7", 2],
    ["side-effect", "“Last Seed”", 2],
  ]);
});

test("a refusal and a rule that is not of the print are told apart", () => {
  const trace = [line(1, "“Mine”"), line(1, "“Only one's own” refuses: Not yours.")];
  expect(told(trace, rules).map(({ is, house }) => [is, house])).toEqual([["law", true], ["refused", false]]);
});
