// Where things, slots and links of a workspace are drawn. No screen: what comes out are numbers and paths.
import type { Entry, Lane, Looks, ModelEntry, Picture, Row, Span } from "./types";
import { containers, ids, type Path } from "./values";

/** A thing without a picture is as large as this. */
export const USUAL = 64;
/** How far what is dragged is rounded. */
const GRID = 5;
const NEAR = 4;

export interface Thing {
  name: string;
  model: string;
  at: Span;
  x: number;
  y: number;
  order: number;
  image: string;
  tint: string;
  opacity: number;
  layer: string | null;
  isProtected: boolean;
  looks: Looks;
  /** Whether its model knows where its things stand. */
  hasPlace: boolean;
  slots: Slot[];
  rows: Row[];
}

export interface Slot {
  relation: string;
  /** The model that says on which lane it lies. */
  of: string;
  lane: Lane;
  layer: string | null;
  row: Row;
  shown: boolean;
  isProtected: boolean;
}

export interface Link {
  from: string;
  relation: string;
  path: Path;
  to: string;
  /** Its slot's number among those of its thing. */
  slot: number;
  nested: boolean;
  isProtected: boolean;
}

export interface Plane {
  things: Thing[];
  links: Link[];
  width: number;
  height: number;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A model and its parents, the nearest first. */
export function chain(models: Map<string, ModelEntry>, name: string): string[] {
  const found: string[] = [];
  for (let model = models.get(name); model !== undefined && !found.includes(model.name); model = models.get(model.parent ?? "")) found.push(model.name);
  return found;
}

const number = (row: Row | undefined) => (row?.held.kind === "number" ? Number(row.held.text) : 0);
const text = (row: Row | undefined) => (row?.held.kind === "text" ? row.held.text : "");

/** What is to be drawn of a document; what lies on a hidden layer is not. */
export function plane(picture: Picture): Plane {
  const { workspace } = picture;
  const models = new Map(picture.models.map((model) => [model.name, model]));
  const layers = new Map(workspace.layers.map((layer) => [layer.name, layer]));
  const puts = new Map(workspace.puts);
  const drawn = new Map(workspace.slots.map((slot) => [`${slot.of}\n${slot.relation}`, slot]));
  const hidden = (layer: string | null) => layer !== null && layers.get(layer)?.visible === false;
  const isProtected = (layer: string | null) => layer !== null && layers.get(layer)?.protected === true;
  const lines = new Map<string, string[]>();
  const lineOf = (model: string) => {
    const known = lines.get(model) ?? chain(models, model);
    lines.set(model, known);
    return known;
  };
  const named = new Set<string>();
  const things: Thing[] = [];
  for (const entry of picture.things) {
    if (entry.what !== "entity" || entry.at === null || entry.name === entry.of || named.has(entry.name)) continue;
    named.add(entry.name);
    const layer = puts.get(entry.name) ?? null;
    if (!hidden(layer)) things.push(thing(entry, layer));
  }
  function thing(entry: Entry, layer: string | null): Thing {
    const model = entry.of ?? "thing";
    const looks = models.get(model)?.looks ?? { x: "Bild X", y: "Bild Y", image: "Bild Dateiname", order: "Bild Z-Order", tint: "Bild Farbton", opacity: "Bild Deckkraft" };
    const rows = new Map(entry.values.map((row) => [row.name, row]));
    const line = lineOf(model);
    const slots = entry.values.filter((row) => row.role === "relation").map((row): Slot => {
      const said = line.map((one) => drawn.get(`${one}\n${row.name}`)).find((one) => one !== undefined);
      const on = said?.layer ?? null;
      return { relation: row.name, of: row.from, lane: said?.lane ?? "top", layer: on, row, shown: !hidden(on), isProtected: isProtected(on) };
    });
    const opacity = rows.get(looks.opacity);
    return {
      name: entry.name, model, at: entry.at!, layer, isProtected: isProtected(layer), looks, slots, rows: entry.values,
      x: number(rows.get(looks.x)), y: number(rows.get(looks.y)), order: number(rows.get(looks.order)), image: text(rows.get(looks.image)), tint: text(rows.get(looks.tint)),
      opacity: opacity?.held.kind === "number" ? Math.min(1, Math.max(0, Number(opacity.held.text))) : 1,
      hasPlace: rows.has(looks.x) && rows.has(looks.y),
    };
  }
  const seen = new Set(things.map((one) => one.name));
  const links: Link[] = [];
  for (const one of things) {
    one.slots.forEach((slot, nth) => {
      if (!slot.shown) return;
      for (const { path, to } of ids(slot.row.held)) if (seen.has(to)) links.push({ from: one.name, relation: slot.relation, path, to, slot: nth, nested: path.length > 1, isProtected: slot.isProtected });
    });
  }
  // Equal order stands in the order of the text.
  things.sort((one, other) => one.order - other.order);
  const [width, height] = workspace.size ?? [Math.max(640, ...things.map((one) => one.x + 2 * USUAL)), Math.max(440, ...things.map((one) => one.y + 2 * USUAL))];
  return { things, links, width, height };
}

/** Where a slot lies on the edge of its thing: those of one lane side by side. */
export function slotAt(one: Thing, nth: number, box: Box): { x: number; y: number } {
  const { lane } = one.slots[nth]!;
  const beside = one.slots.filter((slot) => slot.lane === lane && slot.shown);
  const at = (beside.indexOf(one.slots[nth]!) + 1) / (beside.length + 1);
  if (lane === "top") return { x: box.x + box.width * at, y: box.y };
  if (lane === "bottom") return { x: box.x + box.width * at, y: box.y + box.height };
  if (lane === "left") return { x: box.x, y: box.y + box.height * at };
  return { x: box.x + box.width, y: box.y + box.height * at };
}

const NORMAL: Record<Lane, { x: number; y: number }> = { top: { x: 0, y: -1 }, bottom: { x: 0, y: 1 }, left: { x: -1, y: 0 }, right: { x: 1, y: 0 } };
/** A line ends so far before the edge, where its arrow head points at it. */
const HEAD = 4;

/** A line from a slot to the edge of a thing that is nearest to it. */
export function route(from: { x: number; y: number }, lane: Lane, to: Box): string {
  const middles: [Lane, { x: number; y: number }][] = [
    ["left", { x: to.x, y: to.y + to.height / 2 }],
    ["right", { x: to.x + to.width, y: to.y + to.height / 2 }],
    ["top", { x: to.x + to.width / 2, y: to.y }],
    ["bottom", { x: to.x + to.width / 2, y: to.y + to.height }],
  ];
  const out = NORMAL[lane];
  // A line does not turn back where it can help it.
  const far = ([side, at]: [Lane, { x: number; y: number }]) => Math.hypot(at.x - from.x, at.y - from.y) + (NORMAL[side].x * out.x + NORMAL[side].y * out.y > 0 ? 20 : 0);
  const centre = { x: to.x + to.width / 2, y: to.y + to.height / 2 };
  const n = (value: number) => Math.round(value * 10) / 10;
  if ((centre.x - from.x) * out.x + (centre.y - from.y) * out.y < 0) {
    // What lies behind the slot is reached in an arc over what lies between.
    const over = middles.filter(([side]) => NORMAL[side].x * out.x + NORMAL[side].y * out.y === 0);
    const [side, end] = over.reduce((best, one) => (far(one) < far(best) ? one : best));
    const up = NORMAL[side];
    const tip = { x: end.x + up.x * HEAD, y: end.y + up.y * HEAD };
    const facing = (from.x - tip.x) * up.x + (from.y - tip.y) * up.y;
    if (facing > 20) {
      // The edge looks at the slot already: nothing lies between that an arc would have to clear.
      const bend = Math.min(70, facing * 0.6);
      return `M${n(from.x)} ${n(from.y)}C${n(from.x + out.x * 40)} ${n(from.y + out.y * 40)} ${n(tip.x + up.x * bend)} ${n(tip.y + up.y * bend)} ${n(tip.x)} ${n(tip.y)}`;
    }
    const lift = 30 + Math.min(30, Math.hypot(tip.x - from.x, tip.y - from.y) / 5);
    return `M${n(from.x)} ${n(from.y)}C${n(from.x + out.x * 22 + up.x * (lift + 20))} ${n(from.y + out.y * 22 + up.y * (lift + 20))} ${n(tip.x + up.x * lift)} ${n(tip.y + up.y * lift)} ${n(tip.x)} ${n(tip.y)}`;
  }
  const [side, end] = middles.reduce((best, one) => (far(one) < far(best) ? one : best));
  const back = NORMAL[side];
  const reach = Math.min(70, Math.max(14, Math.hypot(end.x - from.x, end.y - from.y) * 0.4));
  const tip = { x: end.x + back.x * HEAD, y: end.y + back.y * HEAD };
  return `M${n(from.x)} ${n(from.y)}C${n(from.x + out.x * reach)} ${n(from.y + out.y * reach)} ${n(tip.x + back.x * reach)} ${n(tip.y + back.y * reach)} ${n(tip.x)} ${n(tip.y)}`;
}

/** A line from a slot back to the thing it belongs to: a bow outside of it. */
export function bow(from: { x: number; y: number }, lane: Lane): string {
  const out = NORMAL[lane];
  const n = (value: number) => Math.round(value * 10) / 10;
  const at = (along: number, away: number) => `${n(from.x + out.x * away - out.y * along)} ${n(from.y + out.y * away + out.x * along)}`;
  return `M${at(0, 0)}C${at(-16, 44)} ${at(40, 44)} ${at(24, HEAD)}`;
}

/** Where something that is dragged comes to lie: at an edge of another thing that is near, else on the grid. */
export function snapped(at: { x: number; y: number }, others: { x: number; y: number }[], free: boolean): { x: number; y: number } {
  if (free) return { x: Math.round(at.x), y: Math.round(at.y) };
  const to = (value: number, edges: number[]) => {
    const near = edges.reduce<number | null>((best, edge) => (Math.abs(edge - value) <= NEAR && (best === null || Math.abs(edge - value) < Math.abs(best - value)) ? edge : best), null);
    return near ?? Math.round(value / GRID) * GRID;
  };
  return { x: to(at.x, others.map((other) => other.x)), y: to(at.y, others.map((other) => other.y)) };
}

/** Places inside the value of a relation into which a link can be laid: an ID, a list, a dictionary, and those inside. */
export function places(row: Row): { path: Path; kind: "id" | "list" | "dictionary" }[] {
  const found = containers(row.held);
  return found.length > 0 ? found : [{ path: [], kind: "id" }];
}

/** The next name of a row of names: “Loch 3” after “Loch 2”. */
export function nextName(name: string, taken: Set<string>): string {
  const [, head, digits] = /^(.*?)(\d*)$/.exec(name)!;
  let n = digits === "" ? 2 : Number(digits) + 1;
  const before = digits === "" ? `${head} ` : head!;
  while (taken.has(`${before}${n}`)) n += 1;
  return `${before}${n}`;
}
