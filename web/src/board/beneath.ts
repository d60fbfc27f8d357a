// A board on a narrow screen: what lies beside it is laid beneath, in rows. Fetched where a screen is narrow.
import type { Drawn } from "../table/scene.svelte";
import { box, onCloth, PLATE } from "./frame";

const APART = 24;
/** A phone, where nobody says otherwise. */
const NARROW = { width: 374, height: 560 };

/** How large it can be drawn. */
function size(drawn: Drawn[], screen: { width: number; height: number }): number {
  const boxes = drawn.flatMap(box);
  const across = (from: number) => Math.max(...boxes.map((box) => box[from + 2]!)) - Math.min(...boxes.map((box) => box[from]!));
  return Math.min(screen.width / across(0), screen.height / across(1));
}

/** What lies beside a board, in rows beneath it: on a narrow screen the board gets all the width. */
export function beneath(drawn: Drawn[], screen: { width: number; height: number } = NARROW): Drawn[] {
  if (onCloth(drawn)) return handBeneath(drawn);
  const ground = drawn.filter((one) => one.layer === "ground" && /^b\d+$/.test(one.id));
  if (ground.length > 1) {
    const upright = stacked(drawn, ground);
    // Above an open panel there is more room across than down.
    return size(upright, screen) > size(drawn, screen) ? upright : drawn;
  }
  if (ground.length !== 1) return drawn;
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

/** Boards that lie side by side, one under the other: nothing has to be read on its side. */
function stacked(drawn: Drawn[], boards: Drawn[]): Drawn[] {
  const across = boards.toSorted((one, other) => one.x - other.x);
  const left = (one: Drawn) => one.x - one.w / 2;
  const right = (one: Drawn) => one.x + one.w / 2;
  const beside = across.every((one, nth) => nth === 0 || left(one) >= right(across[nth - 1]!));
  if (!beside || drawn.some((one) => one.x > right(across.at(-1)!))) return drawn;
  const column = (one: Drawn) => across.findLastIndex((board, nth) => nth === 0 || one.x > (right(across[nth - 1]!) + left(board)) / 2);
  const parts = across.map((_, nth) => drawn.filter((one) => column(one) === nth));
  const tops = parts.map((part) => Math.min(...part.flatMap(box).map((box) => box[1]!)));
  const highs = parts.map((part, nth) => Math.max(...part.flatMap(box).map((box) => box[3]!)) - tops[nth]!);
  return drawn.map((one) => {
    const nth = column(one);
    const above = highs.slice(0, nth).reduce((sum, high) => sum + high + APART, tops[0]!);
    return { ...one, x: one.x - left(across[nth]!) + left(across[0]!), y: one.y - tops[nth]! + above };
  });
}

/** At least so many cards have room in a row, and at most so many stand in one. */
const ROOMY = 5;
const ROW = 7;
const LARGEST = 2.6;

/** One's own hand in rows under the cloth, each card as large as a finger wants it; names stand on the screen already. */
function handBeneath(drawn: Drawn[]): Drawn[] {
  const cloth = drawn.find((one) => one.id === "cloth")!;
  const cards = drawn.filter((one) => one.layer === "things" && one.things.length > 1 && one.id === `t${one.things[0]}` && one.shape.is === "rectangle");
  const hands = new Map<number, Drawn[]>();
  for (const card of cards) hands.set(card.things[1]!, [...(hands.get(card.things[1]!) ?? []), card]);
  const mean = (hand: Drawn[]) => hand.reduce((sum, card) => sum + card.y, 0) / hand.length;
  const own = [...hands.values()].reduce<Drawn[] | null>((low, hand) => (low === null || mean(hand) > mean(low) ? hand : low), null);
  if (own === null || mean(own) < cloth.y + cloth.h * 0.12) return drawn;
  const top = Math.min(...own.map((card) => card.y - card.h / 2)) - APART;
  const rows = Math.ceil(own.length / ROW);
  const inRow = Math.ceil(own.length / rows);
  const room = cloth.w - 2 * APART;
  const wide = own[0]!.w;
  const larger = Math.min(LARGEST, room / (Math.max(inRow, ROOMY) * (wide + 10)));
  const [stepX, stepY] = [(wide + 10) * larger, (own[0]!.h + 10) * larger];
  const order = new Map(own.toSorted((one, other) => one.x - other.x).map((card, nth) => [card.things[0]!, { card, nth }]));
  const bottom = top + APART + rows * stepY;
  const moved = drawn.flatMap((one) => {
    if (one.id === "cloth") return [];
    // What dims a card shows no thing, and is named after it.
    const held = order.get(Number(/^t(\d+)/.exec(one.id)?.[1] ?? one.things[0] ?? NaN));
    if (held !== undefined && one.layer === "things") {
      const { card, nth } = held;
      const row = Math.floor(nth / inRow);
      const inThis = Math.min(inRow, own.length - row * inRow);
      const angle = (-card.turn * Math.PI) / 180;
      const [dx, dy] = [one.x - card.x, one.y - card.y];
      const x = cloth.x + ((nth % inRow) - (inThis - 1) / 2) * stepX;
      const y = top + APART + (row + 0.5) * stepY;
      return [{ ...one, x: x + (dx * Math.cos(angle) - dy * Math.sin(angle)) * larger, y: y + (dx * Math.sin(angle) + dy * Math.cos(angle)) * larger, w: one.w * larger, h: one.h * larger, turn: one.turn - card.turn, strokeWidth: one.strokeWidth * larger }];
    }
    if (one.y < top) return [one];
    // Whose hand it is says the seat below the board.
    return PLATE.test(one.id) ? [] : [{ ...one, y: one.y - top + bottom }];
  });
  const low = Math.max(bottom, ...moved.flatMap(box).map((box) => box[3]!)) + APART;
  const high = cloth.y - cloth.h / 2;
  return [{ ...cloth, y: (high + low) / 2, h: low - high }, ...moved];
}
