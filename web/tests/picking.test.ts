import { expect, test } from "vitest";
import { agreeing, choiceOf, enough, missing, moved, sayAll, toggled } from "../src/table/picking";

const plan = (picked: number[]) => ({ options: ["earth", "ice", "rest"], picked, wanted: 4, again: true });
const some = (picked: number[], wanted?: number) => ({ options: ["a", "b", "c", "d"], picked, ...(wanted === undefined ? {} : { wanted }) });

test("a plan keeps what was meant after what has been said, and gives way where something else was said", () => {
  expect(agreeing(plan([]), [1, 1, 2])).toEqual([1, 1, 2]);
  expect(agreeing(plan([1]), [1, 1, 2])).toEqual([1, 1, 2]);
  expect(agreeing(plan([0]), [1, 1, 2])).toEqual([0]);
  expect(agreeing(plan([]), [2, 2, 2, 2, 2, 9])).toEqual([2, 2, 2, 2]);
  expect(missing(plan([]), [1, 1, 2])).toBe(1);
});

test("a step is carried to another place, unless it has been said", () => {
  expect(moved(plan([]), [0, 1, 2], 0, 2)).toEqual([1, 2, 0]);
  expect(moved(plan([]), [0, 1, 2], 2, 0)).toEqual([2, 0, 1]);
  expect(moved(plan([0]), [0, 1, 2], 2, 0)).toEqual([0, 1, 2]);
  expect(moved(plan([]), [0, 1, 2], 2, 3)).toEqual([0, 1, 2]);
});

test("several different ones are taken and given back, as many as are wanted", () => {
  expect(toggled(some([], 2), [], 2)).toEqual([2]);
  expect(toggled(some([], 2), [2], 0)).toEqual([0, 2]);
  expect(toggled(some([], 2), [0, 2], 3)).toEqual([0, 2]);
  expect(toggled(some([], 2), [0, 2], 0)).toEqual([2]);
  expect(toggled(some([1]), [1], 0)).toEqual([1]);
  expect(toggled(some([1]), [1], 1)).toEqual([1]);
  expect(missing(some([]), [])).toBe(0);
});

test("an option is named by its place among those that are left", () => {
  expect(choiceOf(plan([2, 2]), 1)).toBe(1);
  expect(choiceOf(some([]), 1)).toBe(1);
  expect(choiceOf(some([1]), 3)).toBe(1);
  expect(enough(some([1]))).toBe(2);
  expect(enough(some([3]))).toBe(null);
  expect(enough(some([1], 2))).toBe(null);
});

test("answers are said in order, again where somebody else came first, and end where one may stop", async () => {
  const told: number[] = [];
  const table = {
    picking: some([]) as ReturnType<typeof some> | null,
    late: 1,
    say(choice: number) {
      if (this.late-- > 0) return Promise.resolve("late" as const);
      told.push(choice);
      const picked = this.picking!.picked;
      const option = (picked.at(-1) ?? -1) + 1 + choice;
      this.picking = option < 4 ? some([...picked, option]) : null;
      return Promise.resolve("taken" as const);
    },
  };
  expect(await sayAll(table, [1, 2])).toBe(true);
  expect(told).toEqual([1, 0, 1]);
  expect(table.picking).toBe(null);
});
