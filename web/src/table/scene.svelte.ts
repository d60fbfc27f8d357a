// What is seen, kept up to date by changes. A screen draws `drawn` in its order.
import type { Graphic, GraphicPatch, Scene, SceneChange, Shape, Target } from "../protocol/generated";
import type { Thing } from "./pointing";

export type Layer = Graphic["layer"];

/** A graphic as a screen needs it: nothing missing, colours as CSS writes them. */
export interface Drawn {
  id: string;
  layer: Layer;
  z: number;
  shape: Shape;
  x: number;
  y: number;
  w: number;
  h: number;
  turn: number;
  fill: string | null;
  ink: string | null;
  stroke: string | null;
  strokeWidth: number;
  dashed: boolean;
  opacity: number;
  class: string;
  label: string;
  motion: "still" | "glide" | "fade" | "drop";
  /** The thing it shows, then where that lies. */
  things: Thing[];
  clickable: boolean;
  /** How it is marked where a choice can begin at its thing. */
  target: Target | null;
}

const LAYERS: Layer[] = ["ground", "places", "writing", "traces", "things", "targets"];

/** A name of the theme, or a colour of its own; what is neither is not drawn, so that nothing else gets into a style. */
export function paint(word: string | undefined): string | null {
  if (word === undefined || word === "") return null;
  if (/^#[0-9a-f]{6}$/i.test(word)) return word;
  return /^[a-z][a-z0-9-]*$/.test(word) ? `var(--${word})` : null;
}

export function drawn(graphic: Graphic): Drawn {
  return {
    id: graphic.id,
    layer: graphic.layer,
    z: graphic.z ?? 0,
    shape: graphic.shape,
    x: graphic.at[0],
    y: graphic.at[1],
    w: graphic.size[0],
    h: graphic.size[1],
    turn: graphic.turn ?? 0,
    fill: paint(graphic.fill),
    ink: paint(graphic.ink),
    stroke: paint(graphic.stroke?.paint),
    strokeWidth: graphic.stroke?.width ?? 0,
    dashed: graphic.stroke?.dashed ?? false,
    opacity: graphic.opacity ?? 100,
    class: graphic.class ?? "",
    label: graphic.label ?? "",
    motion: graphic.motion ?? "still",
    things: [graphic.thing, graphic.on].filter((thing) => thing !== undefined),
    clickable: graphic.clickable ?? false,
    target: graphic.target ?? null,
  };
}

/** What a change of a scene sounds like. */
export type Sound = "placed" | "moved" | "captured" | "dice";

/** Numbers, marks and backs come and go without being played. */
const isPiece = (graphic: Graphic) => graphic.layer === "things" && /^[tmv]/.test(graphic.id);
const isSeed = (graphic: Graphic) => graphic.shape.is === "image" && graphic.shape.name === "seed";

const none = (id: number) => (id < 0 ? undefined : id);

function patched(graphic: Graphic, patch: GraphicPatch): Graphic {
  const { stroke, thing, on, target, text, ...plain } = patch;
  const after: Graphic = { ...graphic, ...plain };
  if (text !== undefined) after.shape = { ...after.shape, text } as Shape;
  if (stroke !== undefined) after.stroke = stroke.width === 0 ? undefined : stroke;
  if (target !== undefined) after.target = target.across === 0 ? undefined : target;
  if (thing !== undefined) after.thing = none(thing);
  if (on !== undefined) after.on = none(on);
  return after;
}

export class SceneModel {
  width = $state(100);
  height = $state(100);
  #graphics = new Map<string, Graphic>();
  /** As it looked last: new things may be told to look like it. */
  #gone = new Map<string, Graphic>();
  #drawn = new Map<string, Drawn>();
  drawn: Drawn[] = $state.raw([]);

  show(scene: Scene): void {
    [this.width, this.height] = scene.size;
    this.#gone.clear();
    this.#graphics = new Map(scene.graphics.map((graphic) => [graphic.id, graphic]));
    this.#drawn = new Map(scene.graphics.map((graphic) => [graphic.id, drawn(graphic)]));
    this.#order();
  }

  /** Carries a change out and says what is to be heard. What speaks of graphics that are not there is passed over. */
  apply(change: SceneChange): Sound[] {
    const heard = new Set<Sound>();
    const look = (id: string) => this.#graphics.get(id) ?? this.#gone.get(id);
    // Looks are those from before the change: they are fetched before anything becomes another.
    const after: Graphic[] = [...(change.made ?? [])];
    for (const [id, like, x, y, thing, on, label] of change.alike ?? []) {
      const other = look(like);
      if (other !== undefined) after.push({ ...other, id, at: [x, y], thing: none(thing), on: none(on), label: label ?? other.label });
    }
    const turned = (change.turned ?? []).map(([id, like]) => [this.#graphics.get(id), look(like)] as const);
    for (const [graphic, other] of turned) {
      if (graphic === undefined || other === undefined) continue;
      const { id, at, thing, on, label } = graphic;
      this.#put({ ...other, id, at, thing, on, label });
    }
    for (const [id, x, y, on] of change.moved ?? []) {
      const graphic = this.#graphics.get(id);
      if (graphic === undefined) continue;
      if (isPiece(graphic) && on !== graphic.on) heard.add("moved");
      this.#put({ ...graphic, at: [x, y], on });
    }
    for (const patch of change.changed ?? []) {
      const graphic = this.#graphics.get(patch.id);
      if (graphic === undefined) continue;
      if (graphic.class === "die") heard.add("dice");
      this.#put(patched(graphic, patch));
    }
    for (const id of change.gone ?? []) {
      const graphic = this.#graphics.get(id);
      if (graphic !== undefined && isPiece(graphic)) heard.add("captured");
      if (graphic !== undefined) this.#gone.set(id, graphic);
      this.#graphics.delete(id);
      this.#drawn.delete(id);
    }
    for (const graphic of after) {
      if (graphic.class === "die") heard.add("dice");
      else if (isPiece(graphic) || isSeed(graphic)) heard.add("placed");
      this.#gone.delete(graphic.id);
      this.#put(graphic);
    }
    if (change.size !== undefined) [this.width, this.height] = change.size;
    this.#order();
    return [...heard];
  }

  byId(id: string): Drawn | undefined {
    return this.#drawn.get(id);
  }

  #put(graphic: Graphic): void {
    this.#graphics.set(graphic.id, graphic);
    this.#drawn.set(graphic.id, drawn(graphic));
  }

  #order(): void {
    const place = (one: Drawn) => LAYERS.indexOf(one.layer);
    // By id where nothing else is said, so that every screen draws the same.
    this.drawn = [...this.#drawn.values()].sort((a, b) => place(a) - place(b) || a.z - b.z || (a.id < b.id ? -1 : 1));
  }
}
