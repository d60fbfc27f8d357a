// The places of a board for whoever uses no mouse: where they are, what they are called, which one lies that way.
import type { Thing } from "../table/pointing";
import type { Target } from "../protocol/generated";
import type { Drawn } from "../table/scene.svelte";

export interface Spot {
  id: string;
  x: number;
  y: number;
  w: number;
  h: number;
  /** The piece on top first, then the place under it. */
  things: Thing[];
  name: string;
  label: string;
  /** Something lies here. */
  holds: boolean;
  target: Target | null;
  /** The corners of what is outlined: a sheet that is wider than high, on which a ring would hide what is written. */
  outline: number | null;
  /** The graphic that a view has drawn to be clicked. */
  click: string | null;
}

function outline(one: Drawn): number | null {
  return one.shape.is === "rectangle" && one.layer === "places" && one.target?.ring && one.w !== one.h ? (one.shape.round ?? 0) : null;
}

/** One spot for each place, with what stands there; things that stand nowhere are spots of their own. */
export function reachable(drawn: Drawn[]): Spot[] {
  const spots = new Map<Thing, Spot>();
  for (const one of drawn) {
    const [thing, on] = one.things;
    if (thing === undefined) continue;
    const spot = spots.get(on ?? thing) ?? spots.get(thing);
    if (one.clickable && spot !== undefined) spot.click ??= one.id;
    if (one.label === "") continue;
    const place = on === undefined ? undefined : spots.get(on);
    if (place === undefined) {
      const known = spots.get(thing);
      if (known !== undefined) {
        // What a place bears without a thing lying there: the mark of a player, a stone that is only a property.
        known.holds = true;
        if (!known.label.split(", ").includes(one.label)) known.label += `, ${one.label}`;
      } else {
        spots.set(thing, { id: one.id, x: one.x, y: one.y, w: one.w, h: one.h, things: [...one.things], name: one.label.split(",")[0] ?? "", label: one.label, holds: on !== undefined, target: one.target, outline: outline(one), click: one.clickable ? one.id : null });
      }
    } else {
      place.things = [thing, ...place.things];
      place.holds = true;
      if (one.target !== null) {
        place.target = one.target;
        place.outline = outline(one);
      }
      if (!place.label.includes(one.label)) place.label += `, ${one.label}`;
    }
  }
  return [...spots.values()];
}

/** The spot that an arrow key leads to: the nearest one that lies more that way than aside. */
export function nearest(spots: Spot[], from: Spot, way: [number, number]): Spot | null {
  let best: { spot: Spot; far: number } | null = null;
  for (const spot of spots) {
    const [dx, dy] = [spot.x - from.x, spot.y - from.y];
    const along = dx * way[0] + dy * way[1];
    const aside = Math.abs(dx * way[1] + dy * way[0]);
    if (spot.id === from.id || along <= 0 || aside > along * 1.2) continue;
    const far = along + 2.5 * aside;
    if (best === null || far < best.far) best = { spot, far };
  }
  return best?.spot ?? null;
}
