import { expect, test } from "vitest";
import { de } from "../src/words/de";
import { en } from "../src/words/en";
import { fill, known } from "../src/words/index.svelte";

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

test("every word is said somewhere", () => {
  const sources = Object.values(import.meta.glob<string>(["../src/**/*.svelte", "../src/**/*.ts", "!../src/words/*"], { query: "?raw", import: "default", eager: true })).join("\n");
  const begun = [...sources.matchAll(/`([a-z]+\.)\$\{/g)].map((match) => match[1]!);
  expect(Object.keys(en).filter((key) => !sources.includes(`"${key}"`) && !begun.some((family) => key.startsWith(family)))).toEqual([]);
});

test("a language is known by its file and calls itself by its own name", () => {
  expect(known).toEqual([{ code: "de", name: "Deutsch" }, { code: "en", name: "English" }]);
});
