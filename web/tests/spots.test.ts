import { expect, test } from "vitest";
import { reachable } from "../src/board/spots";
import { drawn } from "../src/table/scene.svelte";
import type { Graphic } from "../src/protocol/generated";

const graphic = (id: string, change: Partial<Graphic>) => drawn({ id, layer: "places", shape: { is: "circle" }, at: [0, 0], size: [10, 10], fill: "", ...change } as Graphic);

test("a place is told with what stands on it, and with the mark that it bears itself", () => {
  const spots = reachable([
    graphic("a1", { thing: 1, label: "a1" }),
    graphic("b1", { thing: 2, label: "b1" }),
    graphic("c1", { thing: 3, label: "c1" }),
    // A stone that is a thing of its own, and a sign that is only a property of its cell.
    graphic("rook", { thing: 9, on: 1, label: "white rook", layer: "things" }),
    graphic("sign", { on: 2, label: "X", layer: "things" }),
  ]);
  expect(spots.map((spot) => [spot.label, spot.holds])).toEqual([["a1, white rook", true], ["b1, X", true], ["c1", false]]);
});

test("a sheet is outlined, where a ring would hide what is written on it", () => {
  const ring = { paint: "paper-target", across: 8, ring: true };
  const sheet = { shape: { is: "rectangle", round: 12 }, size: [40, 20], target: ring } as Partial<Graphic>;
  const spots = reachable([
    graphic("sheet", { ...sheet, thing: 1, label: "sheet" }),
    graphic("square", { ...sheet, size: [20, 20], thing: 2, label: "square" }),
    graphic("tray", { ...sheet, thing: 3, label: "tray" }),
    graphic("piece", { thing: 9, on: 3, label: "piece", layer: "things", target: ring }),
  ]);
  expect(spots.map((spot) => spot.outline)).toEqual([12, null, null]);
});
