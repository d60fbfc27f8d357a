import { expect, test } from "vitest";
import { de } from "../src/words/de";
import { now } from "../src/words/en";
import { later } from "../src/words/en.later";
import { fill, known } from "../src/words/index.svelte";

const en = { ...now, ...later };

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

test("what the first page and a table say comes with them", () => {
  const sources = import.meta.glob<string>(["../src/**/*.svelte", "../src/**/*.ts"], { query: "?raw", import: "default", eager: true });
  const found = (path: string) => [path, `${path}.ts`, `${path}.svelte.ts`, `${path}.svelte`].find((one) => one in sources);
  const first = new Set<string>();
  const open = ["../src/main.ts", "../src/App.svelte", "../src/pages/Library.svelte", "../src/pages/Table.svelte", "../src/panels/Moves.svelte"];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (first.has(path) || path.startsWith("../src/words/")) continue;
    first.add(path);
    for (const [, from] of sources[path]!.matchAll(/^\s*import\s+(?!type\b)(?:[^"';]*?from\s*)?"(\.[^"]+)"/gm)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      const next = found(new URL(from!, `file:///${folder.slice(3)}/`).pathname.replace(/^\//, "../"));
      if (next !== undefined) open.push(next);
    }
  }
  expect(first.size).toBeGreaterThan(25);
  for (const [path, text] of Object.entries(sources)) {
    if (path.startsWith("../src/words/")) continue;
    const late = Object.keys(later).filter((key) => text.includes(`"${key}"`));
    if (first.has(path)) expect(late, path).toEqual([]);
    else expect(text.includes('words/index.svelte"'), path).toBe(false);
  }
});
