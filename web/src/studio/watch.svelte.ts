// The match of the play pane watched from within: the message log of each step and what things keep.
import type { Held, Watched, WatchedLine, WatchedStep } from "../protocol/generated";
import { ask } from "../protocol/rest";
import type { TableModel } from "../table/table.svelte";

/** A line of the log with what is inside it. */
export interface Line {
  key: string;
  line: WatchedLine;
  inside: Line[];
}

/** One property of one thing: what it has been, by the step after which it was so. */
export interface Register {
  key: string;
  thing: string;
  property: string;
  values: { step: number; value: string | null }[];
}

export class WatchModel {
  steps: WatchedStep[] = $state.raw([]);
  registers: Register[] = $state.raw([]);
  /** Why nothing is told. */
  refused: string | null = $state(null);
  cut = $state(false);

  #table = "";
  #number = 0;
  #asking: Promise<void> = Promise.resolve();
  #first: Held[] = [];

  /** Asks for what has happened since the last time. */
  follow(table: TableModel): Promise<void> {
    this.#asking = this.#asking.then(() => this.#follow(table));
    return this.#asking;
  }

  async #follow(table: TableModel): Promise<void> {
    if (table.table !== this.#table) this.#reset(table.table);
    const get = (after: number) => ask<Watched>("GET", `/api/tables/${encodeURIComponent(table.table)}/watched/${after}`, undefined, table.tokens()[0] ?? null);
    try {
      let told = await get(this.steps.length);
      if (told.number !== this.#number && this.steps.length > 0) {
        this.#reset(table.table);
        told = await get(0);
      }
      this.#number = told.number;
      if (told.first) this.#first = told.first;
      this.steps = [...this.steps, ...told.steps];
      this.cut = told.cut;
      this.refused = null;
      this.registers = registers(this.#first, this.steps);
    } catch (error) {
      this.refused = (error as Error).message;
    }
  }

  #reset(table: string): void {
    this.#table = table;
    this.#number = 0;
    this.#first = [];
    this.steps = [];
    this.registers = [];
  }
}

/** The lines of a step as a tree: what is deeper is inside the last one that was less deep. */
export function tree(lines: WatchedLine[]): Line[] {
  const roots: Line[] = [];
  const open: Line[] = [];
  lines.forEach((line, nth) => {
    while (open.length > 0 && open[open.length - 1]!.line.depth >= line.depth) open.pop();
    const made: Line = { key: String(nth), line, inside: [] };
    (open[open.length - 1]?.inside ?? roots).push(made);
    open.push(made);
  });
  return roots;
}

/** Things made alike may share a name; they are told apart by their order, as the server tells them. */
export function registers(first: Held[], steps: WatchedStep[]): Register[] {
  const known = new Map<string, Register>();
  const note = (held: Held[], step: number) => {
    const times = new Map<string, number>();
    for (const one of held) {
      const name = `${one.thing}\n${one.property}`;
      const nth = times.get(name) ?? 0;
      times.set(name, nth + 1);
      const key = `${name}\n${nth}`;
      const register = known.get(key);
      if (register) register.values.push({ step, value: one.value ?? null });
      else known.set(key, { key, thing: one.thing, property: one.property, values: [{ step, value: one.value ?? null }] });
    }
  };
  note(first, 0);
  for (const step of steps) note(step.changed, step.step);
  return [...known.values()];
}

/** What a property was after a step, and before it. */
export function at(register: Register, step: number): { value: string | null; was: string | null; changed: boolean } {
  const upTo = register.values.filter((one) => one.step <= step);
  const now = upTo[upTo.length - 1];
  const changed = now !== undefined && now.step === step && step > 0;
  return { value: now?.value ?? null, was: changed ? (upTo[upTo.length - 2]?.value ?? null) : (now?.value ?? null), changed };
}

/** Numbers over the steps as a line in a box; none where there are fewer than two. */
export function spark(register: Register, steps: number, width: number, height: number): string | null {
  const points = register.values.flatMap(({ step, value }) => (value !== null && /^-?\d+(\.\d+)?$/.test(value) ? [{ step, value: Number(value) }] : []));
  if (points.length < 2) return null;
  const low = Math.min(...points.map((point) => point.value));
  const high = Math.max(...points.map((point) => point.value));
  const x = (step: number) => ((step / Math.max(1, steps)) * (width - 4) + 2).toFixed(1);
  const y = (value: number) => (height - 2 - ((value - low) / (high - low || 1)) * (height - 4)).toFixed(1);
  let path = "";
  points.forEach((point, nth) => {
    path += nth === 0 ? `M${x(point.step)} ${y(point.value)}` : `H${x(point.step)}V${y(point.value)}`;
  });
  return `${path}H${x(steps)}`;
}

/** How many messages, rules, refusals and values a step had. */
export function counted(step: WatchedStep): { messages: number; rules: number; refusals: number; values: number } {
  const of = (is: string) => step.lines.filter((line) => line.is === is).length;
  const refusals = step.lines.filter((line) => line.is === "rule" && line.refused !== undefined).length;
  return { messages: of("message"), rules: of("rule"), refusals, values: step.changed.length };
}
