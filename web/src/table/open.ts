// Opening a table, sitting down, forking: each keeps the links it is given and says where to go.
import type { Manners, OpenTable, SeatInfo, SeatToken, SitterWish, TableInfo, TableOpened } from "../protocol/generated";
import { ask } from "../protocol/rest";
import { chairOf, keepTable } from "./tokens";

/** What holds at a table where nobody has said anything else. */
export const PLAIN_MANNERS: Manners = { rules: "all", advised: "all", undo: "all", hints: false, spectators: true, spectators_talk: true, spectator_delay: 0, clock: { kind: "none" } };

export async function openTable(wish: OpenTable, title: string, wished?: number): Promise<string> {
  const opened = await ask<TableOpened>("POST", "/api/tables", wish);
  const path = keep(opened, title);
  if (wished !== undefined) keepTable(opened.table, { wished });
  return path;
}

/** Against the machine at once: the first seat is the person's. */
export function againstMachine(game: string, title: string, nSeats: number, level: number, name: string): Promise<string> {
  const bots = Array.from({ length: nSeats - 1 }, () => ({ kind: "bot" as const, level }));
  return openTable({ game, sitters: [{ kind: "me", name }, ...bots], at_once: true } as OpenTable, title);
}

/** With others: the first seat is the person's, the rest wait for whoever opens a link. Who has no name yet is asked at the table. */
export function withFriends(game: string, title: string, name: string): Promise<string> {
  return openTable({ game, sitters: name === "" ? [] : [{ kind: "me", name }] } as OpenTable, title);
}

export async function sitDown(table: string, invitation: string, name: string, seats: SeatInfo[]): Promise<void> {
  const seat = await ask<SeatToken>("POST", `/api/tables/${encodeURIComponent(table)}/seats`, { name }, invitation);
  keepTable(table, { tokens: [seat.token], seats: { [chairOf(seats, seat.seat)]: seat.token } });
}

/** Who goes on with a match at a table of its own plays every seat that the machine does not; else nobody would sit there. */
function goingOn(info: TableInfo | null): SitterWish[] {
  const seats = [...(info?.seats ?? [])].sort((a, b) => a.seat - b.seat);
  return seats.map(({ sitter, title }) => (sitter.kind === "bot" && !sitter.stands_in ? { kind: "bot", level: sitter.level } : { kind: "me", name: title }));
}

export async function fork(table: string, step: number | null, token: string | null, info: TableInfo | null, sitters: SitterWish[] = goingOn(info)): Promise<string> {
  const at = { ...(step === null ? {} : { step }), sitters };
  return keep(await ask<TableOpened>("POST", `/api/tables/${encodeURIComponent(table)}/fork`, at, token), info?.title ?? "");
}

/** A record that somebody brings becomes a table; it is looked at first. */
export async function openRecord(text: string, name: string): Promise<string> {
  const opened = await ask<TableOpened>("POST", "/api/records", text);
  keep(opened, name);
  return `/replay/${encodeURIComponent(opened.table)}`;
}

function keep(opened: TableOpened, title: string): string {
  keepTable(opened.table, {
    title,
    tokens: [opened.host, ...opened.seats.map((seat) => seat.token)],
    seats: Object.fromEntries(opened.seats.map((seat) => [seat.seat, seat.token])),
    invitations: Object.fromEntries(opened.invitations.map((seat) => [seat.seat, seat.token])),
    watch: opened.watch,
  });
  return `/t/${encodeURIComponent(opened.table)}`;
}
