// From clicks to a choice. Every way to choose is a row of things to point at; pointing narrows them down.

export type Thing = number;

export interface Way {
  points: Thing[];
  /** Where pointing alone does not tell it from another. */
  words?: string;
}

export type Pointed =
  /** Nothing here can be chosen. */
  | { is: "nothing" }
  /** The first of several things; more are to be pointed at. */
  | { is: "picked"; picked: Thing[] }
  /** One choice, by its place among the ways. */
  | { is: "choice"; choice: number }
  /** Pointing cannot tell them apart: words have to. */
  | { is: "several"; choices: number[]; picked: Thing[] };

/** `things` is what lies under the finger: a piece, then the place it stands on. */
export function point(ways: Way[], picked: Thing[], things: Thing[]): Pointed {
  const last = picked[picked.length - 1];
  const onward = step(ways, picked, things);
  if (onward.is !== "nothing") return onward;
  if (picked.length === 0) return onward;
  // The same piece again lets go; another one changes over.
  if (last !== undefined && things.includes(last)) return { is: "picked", picked: [] };
  return step(ways, [], things);
}

function step(ways: Way[], picked: Thing[], things: Thing[]): Pointed {
  for (const thing of things) {
    const longer = [...picked, thing];
    const choices = ways.flatMap((way, choice) => (begins(way, longer) ? [choice] : []));
    const whole = choices.filter((choice) => ways[choice]!.points.length === longer.length);
    if (choices.length === 0) continue;
    if (whole.length < choices.length) return { is: "picked", picked: longer };
    if (whole.length === 1) return { is: "choice", choice: whole[0]! };
    return { is: "several", choices: whole, picked: longer };
  }
  return { is: "nothing" };
}

function begins(way: Way, points: Thing[]): boolean {
  return way.points.length >= points.length && points.every((thing, at) => way.points[at] === thing);
}

/** What can be pointed at next. */
export function targets(ways: Way[], picked: Thing[]): Set<Thing> {
  return new Set(ways.filter((way) => way.points.length > picked.length && begins(way, picked)).map((way) => way.points[picked.length]!));
}

/** Choices that are whole with what is picked already, although others go on: told by words beside the board. */
export function wholeAlready(ways: Way[], picked: Thing[]): number[] {
  return ways.flatMap((way, choice) => (way.points.length === picked.length && begins(way, picked) ? [choice] : []));
}
