// A board on a narrow screen: what lies beside it is laid beneath, in rows. Fetched where a screen is narrow.
import type { Drawn } from "../table/scene.svelte";
import { box, onCloth } from "./frame";

const APART = 24;

/** What lies beside a board, in rows beneath it: on a narrow screen the board gets all the width. */
export function beneath(drawn: Drawn[]): Drawn[] {
  const ground = drawn.filter((one) => one.layer === "ground" && /^b\d+$/.test(one.id));
  if (ground.length !== 1 || onCloth(drawn)) return drawn;
  const [left, right] = [ground[0]!.x - ground[0]!.w / 2, ground[0]!.x + ground[0]!.w / 2];
  const aside = drawn.filter((one) => one.x > right);
  if (aside.length === 0) return drawn;
  // What belongs to one holder stays together, with the mark of whose it is.
  const parts = new Map<string, Drawn[]>();
  const marks: Drawn[] = [];
  for (const one of aside) {
    const holder = /^[chnx](\d+)/.exec(one.id)?.[1] ?? one.things.at(-1);
    if (holder === undefined) marks.push(one);
    else parts.set(`${holder}`, [...(parts.get(`${holder}`) ?? []), one]);
  }
  for (const mark of marks) {
    const far = (part: Drawn[]) => Math.min(...part.map((one) => (one.x < mark.x ? Infinity : Math.hypot(one.x - mark.x, 4 * (one.y - mark.y)))));
    const nearest = [...parts.values()].reduce<Drawn[] | null>((best, part) => (best === null || far(part) < far(best) ? part : best), null);
    if (nearest === null) parts.set(mark.id, [mark]);
    else nearest.push(mark);
  }
  const away = new Map<string, [number, number]>();
  let [x, high] = [left, 0];
  const moved = new Set(aside);
  let y = Math.max(...drawn.filter((one) => !moved.has(one)).flatMap(box).map((box) => box[3]!)) + APART;
  for (const part of parts.values()) {
    const boxes = part.map((one) => [one.x - one.w / 2, one.y - one.h / 2, one.x + one.w / 2, one.y + one.h / 2]);
    const [from, top] = [Math.min(...boxes.map((box) => box[0]!)), Math.min(...boxes.map((box) => box[1]!))];
    const [wide, tall] = [Math.max(...boxes.map((box) => box[2]!)) - from, Math.max(...boxes.map((box) => box[3]!)) - top];
    if (x > left && x + wide > right) {
      [x, y, high] = [left, y + high + APART, 0];
    }
    for (const one of part) away.set(one.id, [x - from, y - top]);
    x += wide + APART;
    high = Math.max(high, tall);
  }
  return drawn.map((one) => {
    const [dx, dy] = away.get(one.id) ?? [0, 0];
    return dx === 0 && dy === 0 ? one : { ...one, x: one.x + dx, y: one.y + dy };
  });
}
