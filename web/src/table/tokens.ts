// The links a browser holds, kept in it alone: which tables, and as whom.

export interface KeptTable {
  table: string;
  title: string;
  /** Host, seats, watching, in any order; the server knows which is which. */
  tokens: string[];
  /** The token of each own chair, to be handed to another screen of the same person. */
  seats: Record<number, string>;
  /** The host's links for the others, by chair, and the one for watching: the server keeps none of them in clear. */
  invitations: Record<number, string>;
  watch: string | null;
  /** The seat that the host wants, before there is a name to sit down with. */
  wished?: number;
  /** Milliseconds since 1970, of the last visit. */
  at: number;
}

/** Links go with the chair, when seats change places or everybody moves on by one. */
export function chairOf(seats: { seat: number; chair?: number }[], seat: number): number {
  return seats.find((one) => one.seat === seat)?.chair ?? seat;
}

const KEY = "tables";
const MOST = 60;

export function keptTables(): KeptTable[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]") as KeptTable[];
    return Array.isArray(kept) ? kept.filter((one) => typeof one.table === "string" && Array.isArray(one.tokens)) : [];
  } catch {
    return [];
  }
}

export function keptTable(table: string): KeptTable | undefined {
  return keptTables().find((one) => one.table === table);
}

export function keepTable(table: string, change: Partial<Omit<KeptTable, "table">>): KeptTable {
  const before = keptTable(table) ?? { table, title: "", tokens: [], seats: {}, invitations: {}, watch: null, at: 0 };
  const tokens = [...new Set([...before.tokens, ...(change.tokens ?? [])])];
  const after = { ...before, ...change, tokens, seats: { ...before.seats, ...change.seats }, invitations: { ...before.invitations, ...change.invitations }, at: Date.now() };
  write([after, ...keptTables().filter((one) => one.table !== table)].slice(0, MOST));
  return after;
}

export function forgetTable(table: string): void {
  write(keptTables().filter((one) => one.table !== table));
}

function write(tables: KeptTable[]): void {
  localStorage.setItem(KEY, JSON.stringify(tables));
}
