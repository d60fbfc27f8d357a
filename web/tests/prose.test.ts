import { expect, test } from "vitest";
import { blocks } from "../src/parts/prose";

test("paragraphs, headings, lists and code are told apart", () => {
  expect(blocks("# Hex\n\nTwo lines\nof one.\n\n## End\n- a **b**\n- c\n  d\n\n```\n x\n```\n")).toEqual([
    { is: "paragraph", text: "Two lines of one." },
    { is: "heading", text: "End" },
    { is: "list", items: ["a b", "c d"] },
    { is: "code", text: " x" },
  ]);
});

test("markup stays text", () => {
  expect(blocks("<script>alert(1)</script>")).toEqual([{ is: "paragraph", text: "<script>alert(1)</script>" }]);
});
