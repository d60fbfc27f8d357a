import { expect, test } from "vitest";
import type { Graphic, Yours } from "../src/protocol/generated";
import { read } from "../src/protocol/socket";
import { told, withWords } from "../src/table/choosing";
import { paint, SceneModel } from "../src/table/scene.svelte";

const graphic = (id: string, change: Partial<Graphic> = {}): Graphic => ({ id, layer: "things", shape: { is: "circle" }, at: [0, 0], size: [10, 10], thing: 3, ...change });

test("graphics are drawn by layer, then height, then name", () => {
  const scene = new SceneModel();
  scene.show({ size: [100, 50], graphics: [graphic("a", { layer: "targets" }), graphic("b", { z: 2 }), graphic("c"), graphic("d", { layer: "ground" })] });
  expect(scene.drawn.map((one) => one.id)).toEqual(["d", "c", "b", "a"]);
  expect([scene.width, scene.height]).toEqual([100, 50]);
});

test("changes make, change and take away, and are heard", () => {
  const scene = new SceneModel();
  scene.show({ size: [100, 100], graphics: [graphic("a"), graphic("b", { stroke: { paint: "ink", width: 2 } })] });
  const heard = scene.apply({
    gone: ["a"],
    changed: [{ id: "b", thing: -1, stroke: { paint: "", width: 0 } }, { id: "zzz" }],
    moved: [["b", 5, 6, 4]],
    made: [graphic("c")],
    alike: [["d", "b", 7, 8, -1, 9, "new"], ["e", "zzz", 0, 0, -1, -1, ""]],
    turned: [["zzz", "b"]],
  });
  // Marks come and go in silence.
  expect(heard).toEqual([]);
  expect(scene.drawn.map((one) => one.id)).toEqual(["b", "c", "d"]);
  expect(scene.byId("b")).toMatchObject({ x: 5, y: 6, things: [4], stroke: null });
  // As it looked before the change.
  expect(scene.byId("d")).toMatchObject({ x: 7, y: 8, things: [9], label: "new", stroke: "var(--ink)" });
  scene.apply({ turned: [["b", "d"]] });
  expect(scene.byId("b")).toMatchObject({ x: 5, stroke: "var(--ink)", label: "" });
});

test("what is new looks like something that is gone, and of a text the words alone are another", () => {
  const scene = new SceneModel();
  const text = graphic("n", { shape: { is: "text", text: "Red", align: "left", font: "bold" } });
  scene.show({ size: [100, 100], graphics: [graphic("m1", { fill: "seat-2" }), text] });
  scene.apply({ gone: ["m1"] });
  scene.apply({ alike: [["m2", "m1", 7, 8, -1, 9]], changed: [{ id: "n", text: "Red · won" }] });
  expect(scene.byId("m2")).toMatchObject({ x: 7, things: [9], fill: "var(--seat-2)" });
  expect(scene.byId("n")?.shape).toEqual({ is: "text", text: "Red · won", align: "left", font: "bold" });
  // A scene that is told whole begins anew.
  scene.show({ size: [100, 100], graphics: [] });
  scene.apply({ alike: [["m3", "m1", 7, 8, -1, 9]] });
  expect(scene.byId("m3")).toBeUndefined();
});

test("what is played is heard", () => {
  const scene = new SceneModel();
  scene.show({ size: [100, 100], graphics: [graphic("m1", { on: 1, label: "Red" }), graphic("m2", { on: 2 }), graphic("d1", { class: "die" })] });
  expect(scene.apply({ alike: [["m3", "m1", 0, 0, -1, 3]] })).toEqual(["placed"]);
  expect(scene.byId("m3")).toMatchObject({ label: "Red", things: [3] });
  expect(scene.apply({ moved: [["m1", 5, 5, 4]], gone: ["m2"] })).toEqual(["moved", "captured"]);
  // Pushed aside, it lies where it lay; taken off the board, it lies nowhere.
  expect(scene.apply({ moved: [["m1", 6, 5, 4]] })).toEqual([]);
  expect(scene.apply({ moved: [["m1", 6, 5]], changed: [{ id: "d1", label: "6" }] })).toEqual(["moved", "dice"]);
  expect(scene.byId("m1")).toMatchObject({ things: [3] });
});

test("a colour is a name of the theme or a number, and nothing else", () => {
  expect(paint("seat-2")).toBe("var(--seat-2)");
  expect(paint("#ff0000")).toBe("#ff0000");
  expect(paint("url(javascript:x)")).toBeNull();
  expect(paint("red; x: y")).toBeNull();
});

test("ways are told whole or as a difference", () => {
  const differ = { seat: 0, differ: { go: [0, 2], come: [[1, 9], [3, 8]] } } as unknown as Yours;
  expect(told(differ, [[1], [2], [3], [4]])).toEqual([[2], [9], [4], [8]]);
  expect(told({ seat: 0, ways: [[7]] } as unknown as Yours, [[1]])).toEqual([[7]]);
  expect(withWords([[1], []], [[1, "pass"]])).toEqual([{ points: [1] }, { points: [], words: "pass" }]);
});

test("an update is told without the word", () => {
  expect(read('{"n":3,"gone":["a"],"asked":[1],"done":7}')).toEqual({ is: "update", n: 3, gone: ["a"], asked: [1], done: 7 });
  expect(read('{"is":"done","id":3}')).toEqual({ is: "done", id: 3 });
});
