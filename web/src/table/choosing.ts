// What may be chosen, as the server tells it: whole, or as the difference from what was told before.
import type { Words, Yours } from "../protocol/generated";
import type { Thing, Way } from "./pointing";

export type Told = Map<number, Thing[][]>;

/** The ways of a seat after a question, for a client that knows the old ones. */
export function told(yours: Yours, old: Thing[][]): Thing[][] {
  if ("ways" in yours) return yours.ways;
  if ("points" in yours) return yours.points.map((thing) => [thing]);
  if ("pairs" in yours) return yours.pairs.flatMap(([first, second]) => second.map((other) => [first, other]));
  const ways = [...old];
  for (const at of [...(yours.differ.go ?? [])].reverse()) ways.splice(at, 1);
  for (const [at, ...way] of yours.differ.come ?? []) ways.splice(at!, 0, way);
  return ways;
}

export function withWords(ways: Thing[][], words: Words[]): Way[] {
  const known = new Map(words);
  return ways.map((points, at) => (known.has(at) ? { points, words: known.get(at)! } : { points }));
}
