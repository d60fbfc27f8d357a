// The list of moves, read off the log: what was taken back stays, and changes of rules stand between moves.
import type { Chose, LogLine } from "../protocol/generated";

export type Entry =
  | { is: "move"; number: number; seat: number; words: string | null; taken: boolean; n: number }
  | { is: "note"; line: LogLine; n: number };

/** A choice as an update tells it: as a line of the log. */
export function chosen(chose: Chose): LogLine {
  const line: LogLine = { is: "chose", seat: chose[0], move: chose[1] };
  return chose.length === 3 ? { ...line, words: chose[2] } : line;
}

/** What is not about the match itself, such as talk, stands elsewhere. */
export function entries(log: LogLine[]): Entry[] {
  const list: Entry[] = [];
  for (const line of log) {
    switch (line.is) {
      case "began":
        if (line.match > 1) list.length = 0;
        break;
      case "chose": {
        // What was chosen in secret comes again with its words when the match is over.
        const known = list.findLast((entry) => entry.is === "move" && !entry.taken && entry.number === line.move);
        if (known?.is === "move" && known.words === null) known.words = line.words ?? null;
        else list.push({ is: "move", number: line.move, seat: line.seat, words: line.words ?? null, taken: false, n: line.n ?? 0 });
        break;
      }
      case "undone":
        for (const entry of list) if (entry.is === "move" && entry.number > line.moves) entry.taken = true;
        break;
      case "redone":
        redo(list, line.moves);
        break;
      case "changed":
      case "hand":
      case "ruled":
      case "chance":
      case "said":
        list.push({ is: "note", line, n: line.n ?? 0 });
        break;
    }
  }
  return list;
}

/** The newest moves that were taken back hold again, up to that number. */
function redo(list: Entry[], moves: number): void {
  const held = new Set(list.flatMap((entry) => (entry.is === "move" && !entry.taken ? [entry.number] : [])));
  for (const entry of list.toReversed()) {
    if (entry.is === "move" && entry.taken && entry.number <= moves && !held.has(entry.number)) {
      entry.taken = false;
      held.add(entry.number);
    }
  }
}

export type Row =
  | { is: "pair"; number: number; cells: (Extract<Entry, { is: "move" }> | null)[] }
  | { is: "note"; line: LogLine }
  | { is: "taken"; count: number; words: string };

/** Two columns where two seats take turns, one move a row otherwise. */
export function rows(list: Entry[], nSeats: number): Row[] {
  const rows: Row[] = [];
  for (const entry of list) {
    const last = rows[rows.length - 1];
    if (entry.is === "note") {
      // Two dice are one throw, and a shuffled deck is one line.
      if (entry.line.is === "chance" && last?.is === "note" && last.line.is === "chance") {
        rows[rows.length - 1] = { is: "note", line: { ...last.line, words: `${last.line.words}, ${entry.line.words}` } };
      } else rows.push({ is: "note", line: entry.line });
    } else if (entry.taken) {
      const words = entry.words ?? "·";
      if (last?.is === "taken") rows[rows.length - 1] = { is: "taken", count: last.count + 1, words: `${last.words}, ${words}` };
      else rows.push({ is: "taken", count: 1, words });
    } else if (nSeats === 2 && last?.is === "pair" && last.cells.length === 1 && last.cells[0]?.seat === 0 && entry.seat === 1) {
      last.cells.push(entry);
    } else {
      const cells = nSeats === 2 && entry.seat === 1 ? [null, entry] : [entry];
      rows.push({ is: "pair", number: entry.number, cells });
    }
  }
  return rows;
}
