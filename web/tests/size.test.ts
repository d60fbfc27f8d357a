// How much script a browser fetches before the first page, and before a table, stands there.
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../dist");

/** A script and all that it imports without being asked, in bytes as they are sent. */
function sent(files: string[]): { bytes: number; files: string[] } {
  const known = new Set<string>();
  const open = [...files];
  let bytes = 0;
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (known.has(file)) continue;
    known.add(file);
    const text = readFileSync(join(DIST, file), "utf8");
    bytes += gzipSync(text, { level: 9 }).length;
    for (const found of text.matchAll(/(?:from|import)\s*["'](\.[^"']+\.js)["']/g)) open.push(normalize(join(dirname(file), found[1]!)));
  }
  return { bytes, files: [...known] };
}

const index = readFileSync(join(DIST, "index.html"), "utf8");
const entry = [...index.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((found) => found[1]!);

/** The script of a page that is fetched when it is opened. */
function page(name: string): string {
  const main = readFileSync(join(DIST, entry[0]!), "utf8");
  const chunk = new RegExp(`\\./(${name}-[\\w-]+\\.js)`).exec(main)?.[1];
  expect(chunk, name).toBeDefined();
  return `assets/${chunk}`;
}

test.each(["Library", "Table", "Game", "Replay"])("the page %s needs less than 60 kB of script when it is the first", (name) => {
  const first = sent([...entry, page(name)]);
  expect(first.files.some((file) => file.includes("CodeEditor"))).toBe(false);
  expect(first.bytes).toBeLessThan(60_000);
});
