import { expect, test } from "vitest";
import type { Spot } from "../src/board/spots";
import { read } from "../src/panels/reading";

const spot = (label: string): Spot => ({ id: label, x: 0, y: 0, w: 1, h: 1, things: [], name: label.split(",")[0]!, label, holds: true, target: null, outline: null, click: null });

test("a board is read by what stands on it, and empty places are not told", () => {
  expect(read([spot("a1, white rook"), spot("b1"), spot("h1, white rook"), spot("e8, black king")])).toEqual([
    { what: "white rook", where: ["a1", "h1"] },
    { what: "black king", where: ["e8"] },
  ]);
});
