// What it took to make a game: steps, what was taken back, what was refused, and when. It stays in this browser.

export type Act = "step" | "undone" | "redone" | "refused";

export interface Noted {
  /** In milliseconds since the first one. */
  at: number;
  act: Act;
  what: string;
}

export interface Effort {
  steps: number;
  undone: number;
  refused: number;
  /** Without pauses. */
  minutes: number;
}

/** Whoever does nothing for longer does something else. */
const PAUSE = 60_000;
const MOST = 5000;

/** The sums of what was noted. */
export function effort(noted: Noted[]): Effort {
  const n = (act: Act) => noted.filter((one) => one.act === act).length;
  const worked = noted.reduce((sum, one, nth) => sum + Math.min(PAUSE, nth === 0 ? 0 : one.at - noted[nth - 1]!.at), 0);
  return { steps: n("step"), undone: n("undone"), refused: n("refused"), minutes: Math.round(worked / 6000) / 10 };
}

/** A table that other programs read, a line for each. */
export function asTable(noted: Noted[]): string {
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  return ["seconds,act,what", ...noted.map((one) => [(one.at / 1000).toFixed(1), one.act, quoted(one.what)].join(","))].join("\n") + "\n";
}

/** What cannot be read is begun anew. */
function read(key: string): { began: number; noted: Noted[] } | null {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null") as { began: number; noted: Noted[] } | null;
  } catch {
    return null;
  }
}

export class Notes {
  noted: Noted[] = $state.raw([]);
  #began: number;

  constructor(readonly name: string) {
    const kept = read(`${name} effort`);
    this.#began = kept?.began ?? Date.now();
    this.noted = kept?.noted ?? [];
  }

  note(act: Act, what: string): void {
    if (this.noted.length === 0) this.#began = Date.now();
    const one = { at: Date.now() - this.#began, act, what };
    const last = this.noted.at(-1);
    // What is typed in one go is one step.
    const goesOn = act === "step" && last?.act === "step" && last.what === what && one.at - last.at < 1000;
    this.noted = goesOn ? [...this.noted.slice(0, -1), one] : [...this.noted, one].slice(-MOST);
    try {
      localStorage.setItem(`${this.name} effort`, JSON.stringify({ began: this.#began, noted: this.noted }));
    } catch {
      // It is less than the game itself, for which there is room.
    }
  }

  forget(): void {
    this.noted = [];
    localStorage.removeItem(`${this.name} effort`);
  }
}
