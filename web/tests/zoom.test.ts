import { expect, test } from "vitest";
import { pinched, seen, WHOLE } from "../src/touch/zoom";

const BOARD = { w: 1000, h: 1000 };
const SCREEN = { width: 400, height: 600 };

/** Where a point of the screen lies on the board, both counted from their middles. */
const under = (zoom: { k: number; x: number; y: number }, x: number, y: number) => {
  const scale = zoom.k * 0.4;
  return [zoom.x + x / scale, zoom.y + y / scale];
};

test("what lies between the fingers stays there", () => {
  const pinch = { from: [{ x: 40, y: 50 }, { x: 80, y: 50 }], to: [{ x: 20, y: 60 }, { x: 120, y: 60 }] } as const;
  const zoom = pinched(WHOLE, pinch as never, BOARD, SCREEN);
  expect(zoom.k).toBeCloseTo(2.5);
  expect(under(zoom, 70, 60)[0]).toBeCloseTo(under(WHOLE, 60, 50)[0]!);
  expect(under(zoom, 70, 60)[1]).toBeCloseTo(under(WHOLE, 60, 50)[1]!);
});

test("a board is never smaller than the screen, and nothing beside it is shown", () => {
  const apart = (far: number, x = 0) => [{ x: x - far / 2, y: 0 }, { x: x + far / 2, y: 0 }];
  const small = pinched({ k: 2, x: 250, y: 0 }, { from: apart(100), to: apart(20) } as never, BOARD, SCREEN);
  expect(small).toEqual(WHOLE);
  const far = pinched({ k: 2, x: 0, y: 0 }, { from: apart(100), to: apart(100, -9000) } as never, BOARD, SCREEN);
  const part = seen(far, [500, 500], [1000, 1000]);
  expect([part.x + part.w, part.w]).toEqual([1000, 500]);
  expect(pinched(WHOLE, { from: apart(10), to: apart(9000) } as never, BOARD, SCREEN).k).toBe(5);
});
