// The board as a list, for whoever does not see it: what there is, and where.
import type { Spot } from "../board/spots";

export interface Stands {
  what: string;
  where: string[];
}

/** Places that hold nothing are left out; places that hold the same are named together, in the order of the board. */
export function read(spots: Spot[]): Stands[] {
  const lists = new Map<string, string[]>();
  for (const spot of spots) {
    const [place, ...rest] = spot.label.split(", ");
    const what = rest.join(", ");
    if (place === undefined || what === "") continue;
    lists.set(what, [...(lists.get(what) ?? []), place]);
  }
  return [...lists].map(([what, where]) => ({ what, where }));
}
