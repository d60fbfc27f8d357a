// Which part of a scene is the board. What panels say beside it, names and counters of seats and facts of the game, is left out here, so that the board is as large as it can be.
import type { Drawn } from "../table/scene.svelte";

export interface Frame {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** What a seat looks like on the board, and what it has, in words. */
export interface Plate {
  mark: Drawn | null;
  words: string;
  /** The thing it stands for, where players can be pointed at. */
  thing: number | null;
}

export const PLATE = /^(s\d+(\.[asnw])?|turn\d+)$/;
const FACT = /^g\d+(\.|$)/;

/** Cards lie on a cloth around which the players sit: there the plates say whose hand is whose. */
export const onCloth = (drawn: Drawn[]) => drawn.some((one) => one.id === "cloth");

/** The parts of a scene that stand on the board itself. */
export function board(drawn: Drawn[]): Drawn[] {
  if (onCloth(drawn)) return drawn;
  const left = drawn.filter((one) => !PLATE.test(one.id) && !FACT.test(one.id));
  if (left.some((one) => one.layer === "ground" || one.layer === "places" || one.layer === "things")) return left;
  // A game without a board is nothing but plates and facts; hands that were shown are facts with pictures.
  const shown = drawn.filter((one) => FACT.test(one.id));
  return shown.some((one) => one.shape.is === "image") ? shown : drawn;
}

export function plate(drawn: Drawn[], seat: number): Plate {
  const part = (name: string) => drawn.find((one) => one.id === `s${seat}${name}`);
  const words = part(".w")?.shape;
  return { mark: part(".s") ?? null, words: words?.is === "text" ? words.text : "", thing: part("")?.things[0] ?? null };
}

/** What each seat has, where that does not stand on the board. */
export function plates(drawn: Drawn[], nSeats: number): { seat: number; words: string }[] {
  if (board(drawn) === drawn) return [];
  return Array.from({ length: nSeats }, (_, seat) => ({ seat, words: plate(drawn, seat).words })).filter((one) => one.words !== "");
}

/** A game of nothing but questions: there is no board to look at. */
export function boardless(drawn: Drawn[]): boolean {
  return drawn.length > 0 && drawn.every((one) => PLATE.test(one.id) || (FACT.test(one.id) && one.shape.is !== "image"));
}

/** What the game itself knows, where it does not stand on the board. */
export function facts(drawn: Drawn[]): string[] {
  if (board(drawn) === drawn && !boardless(drawn)) return [];
  return drawn.flatMap((one) => (FACT.test(one.id) && one.shape.is === "text" ? [one.shape.text] : []));
}

const EDGE = 8;

/** The smallest rectangle around all of it, but never more than the scene is. */
export function around(drawn: Drawn[], whole: { width: number; height: number }): Frame {
  const boxes = drawn.flatMap(box);
  if (boxes.length === 0) return { x: 0, y: 0, w: whole.width, h: whole.height };
  const least = (pick: (box: number[]) => number) => Math.min(...boxes.map(pick));
  const most = (pick: (box: number[]) => number) => Math.max(...boxes.map(pick));
  const [x, y] = [Math.max(0, least((box) => box[0]!) - EDGE), Math.max(0, least((box) => box[1]!) - EDGE)];
  const end = (room: number, last: number) => Math.min(Math.max(room, last), last + EDGE);
  return { x, y, w: end(whole.width, most((box) => box[2]!)) - x, h: end(whole.height, most((box) => box[3]!)) - y };
}

/** Around one graphic; none where another one is certain to lie outside of it. */
export function box(one: Drawn): number[][] {
  switch (one.shape.is) {
    case "polygon":
    case "line": {
      const xs = one.shape.points.map(([x]) => x + one.x);
      const ys = one.shape.points.map(([, y]) => y + one.y);
      return [[Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)]];
    }
    case "text": {
      const left = { left: 0, middle: one.w / 2, right: one.w }[one.shape.align];
      return [[one.x - left, one.y - one.h / 2, one.x - left + one.w, one.y + one.h / 2]];
    }
    // Lines of a grid and brackets around a place are never the outermost.
    case "path":
    case "group":
      return [];
    default: {
      const high = Math.abs(one.turn % 180) === 90 ? [one.h, one.w] : [one.w, one.h];
      return [[one.x - high[0]! / 2, one.y - high[1]! / 2, one.x + high[0]! / 2, one.y + high[1]! / 2]];
    }
  }
}

export type Turn = 0 | 90 | 180 | 270;

/** On a narrow screen a long board stands upright, one's own side right, if that makes it larger by far. */
export function upright(drawn: Drawn[], frame: Frame, screen: { width: number; height: number }): boolean {
  // Hands lie around a cloth each on its own side; on their side they would not be read.
  if (onCloth(drawn)) return false;
  const lying = Math.min(screen.width / frame.w, screen.height / frame.h);
  const standing = Math.min(screen.width / frame.h, screen.height / frame.w);
  return frame.w > 1.5 * frame.h && standing > 1.15 * lying;
}
