import { expect, test } from "vitest";
import { nextName, plane, route, slotAt, snapped } from "../src/studio/plane";
import type { Entry, Held, ModelEntry, Picture, Row } from "../src/studio/types";
import { ids, typed, written } from "../src/studio/values";

const id = (text: string): Held => ({ kind: "id", text });
const n = (value: number): Held => ({ kind: "number", text: String(value) });
const row = (name: string, role: Row["role"], held: Held): Row => ({ name, role, value: null, held, from: "a", changed: false, inherited: false, at: null, value_at: null });
const looks = { x: "X", y: "Y", image: "I", order: "Z", tint: "T", opacity: "O" };
const model = (name: string, parent: string | null): ModelEntry => ({ name, parent, at: null, rows: [], states: [], defines: [], looks, there: null, n_errors: 0, n_warnings: 0 });
const thing = (name: string, values: Row[]): Entry => ({ what: "entity", name, of: "b", at: { start: 0, end: 1 }, mode: null, values, inside: [], there: null, n_errors: 0, n_warnings: 0 });

const picture = (workspace: Partial<Picture["workspace"]>): Picture => ({
  version: 1, title: "", play: [], game: [], variants: [], messages: [],
  models: [model("a", null), model("b", "a")],
  things: [
    thing("one", [row("X", "appearance", n(10)), row("Y", "appearance", n(20)), row("Z", "appearance", n(2)), row("next", "relation", id("two"))]),
    thing("two", [row("X", "appearance", n(100)), row("Y", "appearance", n(20)), row("next", "relation", id(""))]),
  ],
  workspace: { size: null, layers: [], slots: [], puts: [], groups: [], ...workspace },
});

test("what lies on a hidden layer is not drawn, and a hidden slot hides its links alone", () => {
  const layer = (name: string, visible: boolean) => ({ name, visible, protected: false, at: null, name_at: null });
  const all = plane(picture({}));
  // Higher order is drawn later.
  expect(all.things.map((one) => one.name)).toEqual(["two", "one"]);
  expect(all.links).toEqual([{ from: "one", relation: "next", path: [], to: "two", slot: 0, nested: false, isProtected: false }]);
  const without = plane(picture({ layers: [layer("l", false)], puts: [["two", "l"]] }));
  expect([without.things.length, without.links.length]).toEqual([1, 0]);
  // The slot is set on the parent, and holds for the things of its children.
  const slots = plane(picture({ layers: [layer("l", false)], slots: [{ relation: "next", of: "a", lane: "right", layer: "l" }] }));
  expect([slots.things.length, slots.links.length, slots.things[0]!.slots[0]!.lane]).toEqual([2, 0, "right"]);
});

test("slots share an edge, and a line ends before the edge it points at", () => {
  const one = plane(picture({ slots: [{ relation: "next", of: "a", lane: "right", layer: null }] })).things[1]!;
  expect(slotAt(one, 0, { x: 10, y: 20, width: 64, height: 64 })).toEqual({ x: 74, y: 52 });
  expect(route({ x: 74, y: 52 }, "right", { x: 100, y: 20, width: 64, height: 64 })).toMatch(/^M74 52C.* 96 52$/);
});

test("a line to what lies beside the way out of a slot does not turn away from it first", () => {
  const [start, , ...rest] = [...route({ x: 74, y: 52 }, "right", { x: 10, y: 140, width: 64, height: 64 }).matchAll(/-?[\d.]+/g)].map((found) => Number(found[0]));
  expect(start).toBe(74);
  expect(Math.min(...rest.filter((_, nth) => nth % 2 === 1))).toBe(52);
  expect(rest.slice(-2)).toEqual([42, 136]);
  // What lies behind it in the same row is reached in an arc.
  expect(route({ x: 174, y: 52 }, "right", { x: 10, y: 20, width: 64, height: 64 })).toMatch(/^M174 52C196 -/);
});

test("what is dragged comes to lie on the grid or at the edge of another, or anywhere with Alt", () => {
  expect(snapped({ x: 33, y: 58 }, [{ x: 36, y: 200 }], false)).toEqual({ x: 36, y: 60 });
  expect(snapped({ x: 33.4, y: 58 }, [{ x: 36, y: 200 }], true)).toEqual({ x: 33, y: 58 });
});

test("names go on counting", () => {
  expect(nextName("Loch 9", new Set(["Loch 10"]))).toBe("Loch 11");
  expect(nextName("Elm", new Set())).toBe("Elm 2");
});

test("values are written as the language reads them", () => {
  const held: Held = { kind: "dictionary", text: "", entries: [{ key: 'a "b"', held: { kind: "list", text: "", entries: [{ held: id("Loch 1") }, { held: { kind: "text", text: "{x}" } }] } }] };
  expect(written(held)).toBe('(dictionary "a \\"b\\"" (list (entity "Loch 1") "{{x}"))');
  expect(ids(held)).toEqual([{ path: ['a "b"', "0"], to: "Loch 1" }]);
  expect(typed(n(4), "3,5", [])).toEqual({ kind: "number", text: "3.5" });
  expect(typed(n(4), "oben", [])).toEqual({ kind: "text", text: "oben" });
  expect(typed({ kind: "text", text: "a" }, "(b)", [])).toEqual({ kind: "text", text: "(b)" });
});
