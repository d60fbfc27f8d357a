// What fingers do on a board besides choosing: two of them show a part of it larger, one sees through a lens what it hides.
// Fetched where there is something to touch, and nowhere else.
import type { Frame } from "../board/frame";
import type { Spot } from "../board/spots";
import { pinched, seen, WHOLE, type Zoom } from "./zoom";

interface Point {
  x: number;
  y: number;
}

/** In pixels; a finger hides a smaller place. */
const SMALL = 36;
export const LENS = 132;

export class Fingers {
  zoom: Zoom = $state.raw(WHOLE);
  /** Where the lens lies, and what is seen through it. */
  lens: { left: number; top: number; x: number; y: number; across: number } | null = $state.raw(null);
  #down = new Map<number, Point>();
  #pinch: { zoom: Zoom; from: [Point, Point] } | null = null;

  constructor(
    readonly svg: SVGSVGElement,
    readonly inner: SVGGElement,
    readonly spots: () => Spot[],
    readonly size: () => readonly [number, number],
  ) {}

  view(middle: readonly [number, number], size: readonly [number, number]): Frame {
    return seen(this.zoom, middle, size);
  }

  whole(): void {
    this.zoom = WHOLE;
  }

  /** Whether it is one of two: then nothing is chosen. */
  down(event: PointerEvent): boolean {
    if (event.pointerType !== "touch") return false;
    this.#down.set(event.pointerId, this.#at(event));
    const [one, other] = [...this.#down.values()];
    if (one === undefined || other === undefined) return false;
    this.lens = null;
    this.#pinch = { zoom: this.zoom, from: [{ ...one }, { ...other }] };
    this.svg.setPointerCapture(event.pointerId);
    return true;
  }

  move(event: PointerEvent): boolean {
    if (!this.#down.has(event.pointerId)) return false;
    this.#down.set(event.pointerId, this.#at(event));
    const [one, other] = [...this.#down.values()];
    if (this.#pinch === null || one === undefined || other === undefined) return this.#pinch !== null;
    const [w, h] = this.size();
    this.zoom = pinched(this.#pinch.zoom, { from: this.#pinch.from, to: [one, other] }, { w, h }, this.svg.getBoundingClientRect());
    return true;
  }

  /** A finger is lifted; whether the fingers only showed the board larger. */
  up(event: PointerEvent): boolean {
    this.lens = null;
    this.#down.delete(event.pointerId);
    const had = this.#pinch !== null;
    if (this.#down.size === 0) this.#pinch = null;
    return had;
  }

  /** Shows what the finger hides, if that is small; not while it carries something. */
  look(event: PointerEvent, carries: boolean): void {
    const matrix = this.inner.getScreenCTM();
    const scale = Math.hypot(matrix?.a ?? 1, matrix?.b ?? 0);
    const smallest = Math.min(...this.spots().map((spot) => Math.min(spot.w, spot.h))) * scale;
    if (event.pointerType !== "touch" || smallest >= SMALL || carries) {
      this.lens = null;
      return;
    }
    const box = this.svg.getBoundingClientRect();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.svg.getScreenCTM()?.inverse());
    const [x, y] = [event.clientX - box.x, event.clientY - box.y];
    const left = Math.min(box.width - LENS, Math.max(0, x - LENS / 2));
    this.lens = { left, top: y - LENS - 34, x: at.x, y: at.y, across: LENS / (scale * Math.max(1.8, 54 / smallest)) };
  }

  /** From the middle of the board's part of the screen. */
  #at(event: PointerEvent): Point {
    const box = this.svg.getBoundingClientRect();
    return { x: event.clientX - box.x - box.width / 2, y: event.clientY - box.y - box.height / 2 };
  }
}
