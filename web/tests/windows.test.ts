import { expect, test } from "vitest";
import { Windows } from "../src/table/windows";

/** A window that remembers whether its seat was taken by another one. */
function open(table: string, seats: number[]): { windows: Windows; given: Promise<void>; hasGiven: () => boolean } {
  let given = false;
  let tell: () => void;
  const promise = new Promise<void>((done) => (tell = done));
  const windows = new Windows(table, () => seats, () => {
    given = true;
    tell();
  });
  return { windows, given: promise, hasGiven: () => given };
}

test("whoever sits down last plays, and only those give way who hold one of the same seats at that table", async () => {
  const [first, other, elsewhere] = [open("a", [0]), open("a", [1]), open("b", [0])];
  const second = open("a", [0, 2]);
  second.windows.take([0, 2]);
  await first.given;
  expect([other.hasGiven(), elsewhere.hasGiven(), second.hasGiven()]).toEqual([false, false, false]);
  first.windows.take([0]);
  await second.given;
  for (const one of [first, second, other, elsewhere]) one.windows.close();
});
