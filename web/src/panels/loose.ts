// Choices that have no place on the board and stand as buttons beside it: pass, roll, swap.
import type { TableModel } from "../table/table.svelte";

/** More than these are a list to be read, not buttons to be known by heart. */
const FEW = 4;

export function loose(model: TableModel): number[] {
  if (model.acting === null || model.question?.kind === "answer") return [];
  const choices = model.unpointed;
  return choices.length <= FEW ? choices : [];
}
