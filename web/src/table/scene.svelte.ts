// What is seen, kept up to date by changes. A screen draws `drawn` in its order.
import type { Graphic, GraphicPatch, Scene, SceneChange, Shape } from "../protocol/generated";
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
  };
}

function patched(graphic: Graphic, patch: GraphicPatch): Graphic {
  const { stroke, thing, on, ...plain } = patch;
  const after: Graphic = { ...graphic, ...plain };
  const none = (id: number) => (id < 0 ? undefined : id);
  if (stroke !== undefined) after.stroke = stroke.width === 0 ? undefined : stroke;
  if (thing !== undefined) after.thing = none(thing);
  if (on !== undefined) after.on = none(on);
  return after;
}

export class SceneModel {
  width = $state(100);
  height = $state(100);
  #graphics = new Map<string, Graphic>();
  #drawn = new Map<string, Drawn>();
  drawn: Drawn[] = $state.raw([]);

  show(scene: Scene): void {
    [this.width, this.height] = scene.size;
    this.#graphics = new Map(scene.graphics.map((graphic) => [graphic.id, graphic]));
    this.#drawn = new Map(scene.graphics.map((graphic) => [graphic.id, drawn(graphic)]));
    this.#order();
  }

  /** Carries changes out and says what is to be heard. What speaks of graphics that are not there is passed over. */
  apply(changes: SceneChange[]): string[] {
    const heard: string[] = [];
    for (const change of changes) {
      if ("made" in change) this.#put(change.made);
      else if ("changed" in change) {
        const before = this.#graphics.get(change.changed.id);
        if (before !== undefined) this.#put(patched(before, change.changed));
      } else if ("gone" in change) {
        this.#graphics.delete(change.gone);
        this.#drawn.delete(change.gone);
      } else if ("sized" in change) [this.width, this.height] = change.sized;
      else if ("heard" in change) heard.push(change.heard);
    }
    if (changes.length > 0) this.#order();
    return heard;
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
