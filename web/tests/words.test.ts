import { expect, test } from "vitest";
import { de } from "../src/words/de";
import { en } from "../src/words/en";
import { fill } from "../src/words/index.svelte";

test("a number chooses the form", () => {
  expect(fill("{n} {n, one:game, other:games}", { n: 1 }, "en")).toBe("1 game");
  expect(fill("{n} {n, one:game, other:games}", { n: 28 }, "en")).toBe("28 games");
});

test("what is not told stays visible as a gap", () => {
  expect(fill("{name} is thinking", {}, "en")).toBe("{name} is thinking");
});

test("every language asks for the same values", () => {
  const gaps = (text: string) => [...new Set([...text.matchAll(/\{(\w+)/g)].map((match) => match[1]))].sort();
  for (const [key, text] of Object.entries(en)) {
    expect(gaps(de[key as keyof typeof de]), key).toEqual(gaps(text));
  }
});
