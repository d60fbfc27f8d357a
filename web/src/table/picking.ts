// A question that takes several answers: what somebody means to say, before it is said.
import type { Picking } from "../protocol/generated";

/** What of a table is asked to take several answers. */
interface Asked {
  readonly picking: Picking | null;
  say(choice: number, words: string): Promise<"taken" | "late" | "refused">;
}

/** So often one answer is given anew, where others answer at the same time. */
const MOST_TRIES = 60;

/** Gives all answers to one question, from the first on. What others answer meanwhile comes in between; false where one was refused. */
export async function sayAll(asked: Asked, meant: number[]): Promise<boolean> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const picking = asked.picking;
    if (picking === null) return true;
    const option = meant[picking.picked.length];
    const choice = option === undefined ? enough(picking) : choiceOf(picking, option);
    if (choice === null) return false;
    const became = await asked.say(choice, picking.options[option ?? -1] ?? "");
    if (became === "refused") return false;
    if (option === undefined && became === "taken") return true;
  }
  return false;
}

/** What is meant from the first answer on, as far as it agrees with what has been said by now. */
export function agreeing(picking: Picking, meant: number[]): number[] {
  const possible = meant.filter((option) => option >= 0 && option < picking.options.length);
  const whole = picking.again ? possible : [...new Set(possible)].sort((a, b) => a - b);
  const agrees = picking.picked.every((option, at) => whole[at] === option);
  return (agrees ? whole : [...picking.picked]).slice(0, picking.wanted ?? picking.options.length);
}

/** How many are still to be named; 0 where one may stop. */
export function missing(picking: Picking, meant: number[]): number {
  return picking.wanted === undefined ? 0 : Math.max(0, picking.wanted - meant.length);
}

/** One option more or less; what has been said stays said. */
export function toggled(picking: Picking, meant: number[], option: number): number[] {
  if (picking.picked.includes(option) || option <= (picking.picked.at(-1) ?? -1)) return meant;
  if (meant.includes(option)) return meant.filter((one) => one !== option);
  return missing(picking, meant) === 0 && picking.wanted !== undefined ? meant : [...meant, option].sort((a, b) => a - b);
}

/** A plan with one step at another place. */
export function moved(picking: Picking, meant: number[], from: number, to: number): number[] {
  const first = picking.picked.length;
  if (from < first || to < first || from >= meant.length || to >= meant.length || from === to) return meant;
  const left = meant.filter((_, at) => at !== from);
  return [...left.slice(0, to), meant[from]!, ...left.slice(to)];
}

/** Which of the choices on offer now names an option. */
export function choiceOf(picking: Picking, option: number): number {
  return picking.again ? option : option - ((picking.picked.at(-1) ?? -1) + 1);
}

/** The choice that ends a question where one may stop at any time; none where nothing is left to name. */
export function enough(picking: Picking): number | null {
  const left = picking.options.length - ((picking.picked.at(-1) ?? -1) + 1);
  return picking.wanted === undefined && left > 0 ? left : null;
}
