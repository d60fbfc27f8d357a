// What the graph is drawn of: boxes for models and for the things of each, and what leads from one to the other. No screen.
import type { Box, Arrow } from "./lay";
import type { Diagram, Graph, ModelEntry, Picture } from "./types";

export interface Line {
  text: string;
  value: string;
  how: "own" | "inherited" | "changed" | "behavior";
}

export interface ModelBox {
  name: string;
  lines: Line[];
  more: number;
}

export interface ThingBox {
  name: string;
  x: number;
  y: number;
}

/** The things of one model. Many are only counted. */
export interface Cluster {
  model: string;
  n: number;
  things: ThingBox[];
  width: number;
  height: number;
}

export interface Drawing {
  models: Map<string, ModelBox>;
  clusters: Map<string, Cluster>;
  boxes: Box[];
  arrows: (Arrow & { kind: "is-a" | "relation" | "made"; name: string; many: boolean })[];
  /** Between things, straight. */
  links: { from: string; to: string; name: string; many: boolean }[];
}

export const MODEL = { width: 190, head: 28, line: 20, most: 9 };
export const THING = { width: 74, height: 30, gap: 16, columns: 6, head: 30, pad: 16 };
/** More things of one model are not drawn one by one. */
const MOST_THINGS = 30;

/** Whether anything is said of a model, or it is above one of which something is. */
export function isUsed(model: ModelEntry, picture: Picture): boolean {
  return model.at !== null || model.rows.length > 0 || model.states.length > 0 || model.defines.length > 0 || picture.models.some((other) => other.parent === model.name) || picture.things.some((thing) => thing.of === model.name);
}

function lines(model: ModelEntry): Line[] {
  const rows = model.rows.map((row): Line => ({ text: row.name, value: row.value ?? "", how: row.inherited ? "inherited" : row.changed ? "changed" : "own" }));
  const behaviors = model.states.flatMap((state) => state.behaviors.map((behavior): Line => ({ text: behavior.name, value: state.name === "default" ? "" : state.name, how: "behavior" })));
  return [...rows, ...behaviors];
}

export function drawing(picture: Picture, graph: Graph, entities: boolean, hidden: ReadonlySet<string>): Drawing {
  const led = new Set(graph.relations.flatMap((relation) => relation.to));
  const used = picture.models.filter((model) => isUsed(model, picture) || led.has(model.name));
  const models = new Map<string, ModelBox>();
  const clusters = new Map<string, Cluster>();
  const boxes: Box[] = [];
  const arrows: Drawing["arrows"] = [];
  for (const model of used) {
    const all = lines(model);
    const shown = all.slice(0, MODEL.most);
    models.set(model.name, { name: model.name, lines: shown, more: all.length - shown.length });
    boxes.push({ id: `m ${model.name}`, width: MODEL.width, height: MODEL.head + Math.max(1, shown.length + (all.length > shown.length ? 1 : 0)) * MODEL.line + 8 });
    if (model.parent !== null && models.has(model.parent) === false && !used.some((other) => other.name === model.parent)) continue;
    if (model.parent !== null) arrows.push({ id: `is ${model.name}`, from: `m ${model.parent}`, to: `m ${model.name}`, kind: "is-a", name: model.parent, many: false, weight: 4 });
  }
  for (const relation of graph.relations) {
    if (hidden.has(relation.name)) continue;
    for (const to of relation.to) arrows.push({ id: `r ${relation.model} ${relation.name} ${to}`, from: `m ${relation.model}`, to: `m ${to}`, kind: "relation", name: relation.name, many: relation.many, label: { width: 16 + relation.name.length * 7, height: 20 } });
  }
  const things = picture.things.filter((thing) => thing.what === "entity" && thing.name !== "");
  if (entities) {
    for (const model of new Set(things.map((thing) => thing.of ?? "thing"))) {
      const own = things.filter((thing) => (thing.of ?? "thing") === model);
      const one = own.length <= MOST_THINGS;
      const wide = Math.max(THING.width, ...own.map((thing) => 18 + thing.name.length * 7));
      const columns = one ? Math.min(THING.columns, own.length) : 1;
      const placed = one ? own.map((thing, nth) => ({ name: thing.name, x: THING.pad + (nth % columns) * (wide + THING.gap), y: THING.head + Math.floor(nth / columns) * (THING.height + THING.gap + 8) })) : [];
      const width = Math.max(THING.pad * 2 + columns * (wide + THING.gap) - THING.gap, 60 + model.length * 8 + 80);
      const height = one ? THING.head + Math.ceil(own.length / columns) * (THING.height + THING.gap + 8) : 54;
      clusters.set(model, { model, n: own.length, things: placed, width, height });
      boxes.push({ id: `c ${model}`, width, height });
      if (models.has(model)) arrows.push({ id: `made ${model}`, from: `m ${model}`, to: `c ${model}`, kind: "made", name: "", many: false, weight: 3 });
    }
  }
  const drawn = new Set([...clusters.values()].flatMap((cluster) => cluster.things.map((thing) => thing.name)));
  const links = graph.links.filter((link) => !hidden.has(link.name) && drawn.has(link.from)).flatMap((link) => link.to.filter((to) => drawn.has(to)).map((to) => ({ from: link.from, to, name: link.name, many: link.many })));
  return { models, clusters, boxes, arrows, links };
}

/** How wide a thing is drawn. */
export function thingWidth(cluster: Cluster): number {
  return Math.max(THING.width, ...cluster.things.map((thing) => 18 + thing.name.length * 7));
}

/** Boxes of messages and states, and what leads from one to the other. */
export function diagramBoxes(diagram: Diagram): { boxes: Box[]; arrows: Arrow[] } {
  const boxes = diagram.boxes.map((box, nth) => ({
    id: String(nth),
    width: Math.min(340, Math.max(130, 28 + box.name.length * 8.2, ...box.lines.map((line) => 24 + line.length * 6.6))),
    height: 34 + box.lines.length * 17 + (box.start || box.choice ? 16 : 0),
  }));
  const arrows = diagram.arrows.map((arrow, nth) => ({ id: String(nth), from: String(arrow.from), to: String(arrow.to), ...(arrow.label === "" ? {} : { label: { width: 12 + arrow.label.length * 6.6, height: 18 } }) }));
  return { boxes, arrows };
}
