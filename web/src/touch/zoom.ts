// A part of a board seen larger: by two fingers, on boards whose places are small.
import type { Frame } from "../board/frame";

/** How much larger, and by how much the middle of what is seen lies beside the middle of the board, in its own units. */
export interface Zoom {
  k: number;
  x: number;
  y: number;
}

export const WHOLE: Zoom = { k: 1, x: 0, y: 0 };
const MOST = 5;

interface Point {
  x: number;
  y: number;
}

/** What two fingers have done: where they were, and where they are, in pixels from the middle of the screen's part. */
export interface Pinch {
  from: [Point, Point];
  to: [Point, Point];
}

const between = ([one, other]: [Point, Point]): Point => ({ x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 });
const apart = ([one, other]: [Point, Point]): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));

/** The point of the board between the fingers stays between them. `screen`: the room for the board, in pixels. */
export function pinched(zoom: Zoom, pinch: Pinch, board: { w: number; h: number }, screen: { width: number; height: number }): Zoom {
  const scale = (k: number) => k * Math.min(screen.width / board.w, screen.height / board.h);
  const k = Math.min(MOST, Math.max(1, (zoom.k * apart(pinch.to)) / apart(pinch.from)));
  const [from, to] = [between(pinch.from), between(pinch.to)];
  const middle = (at: number, from: number, to: number) => at + from / scale(zoom.k) - to / scale(k);
  return within({ k, x: middle(zoom.x, from.x, to.x), y: middle(zoom.y, from.y, to.y) }, board);
}

/** Nothing beside the board is shown. */
function within(zoom: Zoom, board: { w: number; h: number }): Zoom {
  const most = (long: number) => (long / 2) * (1 - 1 / zoom.k);
  const clamp = (by: number, most: number) => Math.min(most, Math.max(-most, by));
  return { k: zoom.k, x: clamp(zoom.x, most(board.w)), y: clamp(zoom.y, most(board.h)) };
}

/** The part of a board that is seen. */
export function seen(zoom: Zoom, [x, y]: readonly [number, number], [w, h]: readonly [number, number]): Frame {
  return { x: x + zoom.x - w / zoom.k / 2, y: y + zoom.y - h / zoom.k / 2, w: w / zoom.k, h: h / zoom.k };
}
