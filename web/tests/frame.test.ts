import { expect, test } from "vitest";
import { beneath } from "../src/board/beneath";
import { around, board, facts, plate, upright } from "../src/board/frame";
import type { Graphic } from "../src/protocol/generated";
import { drawn } from "../src/table/scene.svelte";

const graphic = (id: string, more: Partial<Graphic>): Graphic => ({ id, layer: "places", shape: { is: "rectangle" }, at: [0, 0], size: [100, 100], ...more });
const text = (words: string) => ({ is: "text", text: words, align: "middle", font: "plain" }) as const;

const scene = [
  graphic("b0", { layer: "ground", at: [500, 400], size: [600, 200] }),
  graphic("s0", { layer: "writing", at: [500, 700], thing: 4 }),
  graphic("s0.s", { layer: "writing", at: [450, 700], shape: { is: "image", name: "disc" } }),
  graphic("s0.w", { layer: "writing", at: [520, 700], shape: text("prisoners 3") }),
  graphic("turn0", { layer: "writing", at: [450, 700], shape: { is: "circle" } }),
  graphic("g0.n", { layer: "writing", at: [500, 600], shape: text("round 2") }),
].map(drawn);
const whole = { width: 1000, height: 800 };

test("names and facts of a scene stand beside the board, which gets their room", () => {
  const shown = board(scene);
  expect(shown.map((one) => one.id)).toEqual(["b0"]);
  expect(around(shown, whole)).toEqual({ x: 192, y: 292, w: 616, h: 216 });
  expect(plate(scene, 0)).toMatchObject({ words: "prisoners 3", thing: 4, mark: { id: "s0.s" } });
  expect(facts(scene)).toEqual(["round 2"]);
});

test("cards around a cloth keep the names of those who hold them", () => {
  const cards = [...scene, drawn(graphic("cloth", { layer: "ground", at: [500, 400], size: [940, 740] }))];
  expect(board(cards)).toEqual(cards);
  expect(facts(cards)).toEqual([]);
  expect(around(cards, whole)).toEqual({ x: 22, y: 22, w: 956, h: 756 });
  expect(upright(cards, around(cards, whole), { width: 390, height: 600 })).toBe(false);
});

test("a game that is nothing but names is shown by them", () => {
  const names = scene.slice(1);
  expect(board(names)).toEqual(names);
});

test("a long board stands upright on a narrow screen only", () => {
  const frame = around(board(scene), whole);
  expect(upright(scene, frame, { width: 390, height: 600 })).toBe(true);
  expect(upright(scene, frame, { width: 900, height: 600 })).toBe(false);
});

test("what lies beside a board lies beneath it on a narrow screen, each with what belongs to it", () => {
  const map = graphic("b0", { layer: "ground", at: [300, 300], size: [600, 600] });
  const deck = [graphic("h7.0", { at: [700, 100], on: 7 }), graphic("n7", { at: [700, 140], size: [20, 20] }), graphic("x7", { at: [700, 170], size: [60, 24], shape: text("bag") })];
  const sack = [graphic("o1", { at: [660, 400], size: [34, 34] }), graphic("h9.0", { at: [760, 400], on: 9 })];
  const before = [map, graphic("t3", { at: [100, 100], thing: 3 }), ...deck, ...sack].map(drawn);
  const after = beneath(before);
  const place = (id: string) => after.find((one) => one.id === id)!;
  expect([place("b0"), place("t3")]).toEqual([before[0], before[1]]);
  expect([place("h7.0").x, place("h7.0").y, place("x7").y - place("h7.0").y]).toEqual([50, 674, 70]);
  expect(place("h9.0").x - place("o1").x).toBe(100);
  expect(place("h9.0").y).toBe(674);
  const frame = around(after, { width: 1000, height: 640 });
  expect([frame.w <= 616, frame.h]).toEqual([true, 756]);
  expect(beneath(before.slice(0, 2))).toEqual(before.slice(0, 2));
});

test("boards side by side lie under each other on a narrow screen, each with what stands on it", () => {
  const sea = (id: string, x: number) => [graphic(id, { layer: "ground", at: [x, 600], size: [1000, 1000] }), graphic(`${id}.n`, { at: [x, 50], size: [200, 60] })];
  const before = [...sea("b0", 500), ...sea("b1", 1540), graphic("t9", { at: [1640, 700], thing: 9, on: 4 })].map(drawn);
  const after = beneath(before);
  const place = (id: string) => after.find((one) => one.id === id)!;
  expect([place("b0").x, place("b0").y]).toEqual([500, 600]);
  expect([place("b1").x, place("b1").y - place("b0").y]).toEqual([500, 1104]);
  expect([place("t9").x - place("b1").x, place("t9").y - place("b1").y]).toEqual([100, 100]);
  expect([place("b1.n").x, place("b1").y - place("b1.n").y]).toEqual([500, 550]);
  // Where there is more room across than down they stay as they are.
  expect(beneath(before, { width: 374, height: 190 })).toEqual(before);
});

test("one's own cards lie in rows under the cloth of a narrow screen, upright and larger", () => {
  const card = (n: number, x: number, turn: number) => [
    graphic(`t${n}`, { layer: "things", at: [x, 650], size: [100, 140], thing: n, on: 7, turn }),
    graphic(`t${n}.r`, { layer: "things", at: [x, 600], size: [30, 30], thing: n, on: 7, turn, shape: text("7") }),
  ];
  const hand = Array.from({ length: 9 }, (_, n) => card(20 + n, 100 + 80 * n, 0)).flat();
  const before = [graphic("cloth", { layer: "ground", at: [500, 400], size: [960, 760] }), graphic("s1", { at: [500, 60] }), ...hand, graphic("s0", { at: [500, 760] })].map(drawn);
  const after = beneath(before);
  const place = (id: string) => after.find((one) => one.id === id);
  expect([place("s0"), place("s1")!.y]).toEqual([undefined, 60]);
  const [first, last] = [place("t20")!, place("t28")!];
  expect(first.w).toBeGreaterThan(150);
  // Five in the first row, four in the second, none over another.
  expect([first.y, place("t24")!.y, last.y > first.y + first.h]).toEqual([first.y, first.y, true]);
  expect(place("t21")!.x - first.x).toBeGreaterThan(first.w);
  expect((first.y - place("t20.r")!.y) / 50).toBeCloseTo(first.w / 100);
  expect(around(after, { width: 1000, height: 800 }).h).toBeGreaterThan(900);
});
