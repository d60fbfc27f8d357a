// A match judged move by move: what the machine thinks of the position before each, and how much worse the move was.
import type { Hint } from "../protocol/generated";
import { ask } from "../protocol/rest";
import type { Entry } from "./moves";

export type Verdict = "?!" | "?" | "??";

export interface Judged {
  move: number;
  seat: number;
  /** For the seat that moved, from −1, lost, to 1, won; of the best choice there was. */
  value: number;
  /** The same of the move that was made; none where the machine did not look at it. */
  made: number | null;
  best: string;
  verdict: Verdict | null;
}

/** From so much less than the best on, a move is called so. */
const VERDICTS: [number, Verdict][] = [[0.6, "??"], [0.3, "?"], [0.15, "?!"]];

export function judged(hint: Hint, move: number, words: string | null): Judged {
  const best = hint.considered.reduce((most, one) => Math.max(most, one.value), hint.value ?? -1);
  const made = hint.considered.find((one) => one.words === words)?.value ?? (hint.words === words ? best : null);
  return called({ move, seat: hint.seat, value: best, made, best: hint.words, verdict: null });
}

function called(one: Judged): Judged {
  const loss = one.made === null ? 0 : one.value - one.made;
  return { ...one, verdict: VERDICTS.find(([least]) => loss >= least)?.[1] ?? null };
}

/** Not every player says what the other choices are worth; between two, the position after a move says what it was. */
export function settled(all: Judged[], nSeats: number): Judged[] {
  return all.map((one, at) => {
    const next = all[at + 1];
    if (one.made !== null || nSeats !== 2 || next?.move !== one.move + 1) return one;
    return called({ ...one, made: next.seat === one.seat ? next.value : -next.value });
  });
}

export class JudgingModel {
  judged: Judged[] = $state.raw([]);
  running = $state(false);
  failure: string | null = $state(null);

  constructor(
    readonly base: string,
    readonly token: string | null,
  ) {}

  byMove(move: number): Judged | undefined {
    return this.judged.find((one) => one.move === move);
  }

  stop(): void {
    this.running = false;
  }

  /** Goes on where it was stopped. What was judged stays when the page is asked to stop. */
  async run(list: Entry[], nSeats: number): Promise<void> {
    if (this.running) return;
    this.running = true;
    this.failure = null;
    for (const entry of list) {
      if (entry.is !== "move" || entry.taken || this.byMove(entry.number) !== undefined) continue;
      try {
        const hint = await ask<Hint>("GET", `${this.base}/replay/${entry.n - 1}/judgement`, undefined, this.token);
        if (!this.running) return;
        this.judged = settled([...this.judged, judged(hint, entry.number, entry.words)], nSeats);
      } catch (error) {
        this.failure = (error as Error).message;
        break;
      }
    }
    this.running = false;
  }
}
