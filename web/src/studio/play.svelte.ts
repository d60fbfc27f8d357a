// A match of the document, at a real table of the server that nobody else knows of. It goes on while the rules are edited.
import type { Checked, GamePage, Kept, OpenTable, SourceFile } from "../protocol/generated";
import { ask } from "../protocol/rest";
import { fork, openTable } from "../table/open";
import { TableModel } from "../table/table.svelte";
import { keptTable } from "../table/tokens";
import { StudyModel as Study } from "../table/study.svelte";
import type { StudioModel } from "./document.svelte";

const MATCHES = 100;

/** A choice that was not played. */
export interface Refusal {
  nth: number;
  after: number;
  what: string;
  reason: string;
  law: string | null;
}

export class PlayNow {
  table: TableModel | null = $state.raw(null);
  /** Why no match can begin. */
  faulty: string | null = $state(null);
  /** Why the running match cannot go on with the text. */
  unfit: string | null = $state(null);
  broken = $state(false);
  /** How long the last change of rules took, from the edit to the answer of the match. */
  took: number | null = $state(null);
  /** How many changes the match was told. */
  told = $state(0);
  busy = $state(false);

  /** What was tried in this match and refused, with the number of the move it was tried after. */
  refusals: Refusal[] = $state.raw([]);

  /** How random matches of it end. */
  studying: Study | null = $state.raw(null);

  #telling: Promise<void> = Promise.resolve();
  #fittedAt = Infinity;

  constructor(
    readonly studio: StudioModel,
    /** What is kept of a game: its texts, and the pictures they name. */
    readonly along: (files: SourceFile[]) => SourceFile[],
  ) {}

  async start(name: string): Promise<void> {
    this.faulty = null;
    this.unfit = null;
    this.took = null;
    this.busy = true;
    try {
      await this.studio.flush();
      const files = this.along(this.studio.files);
      const checked = await ask<Checked>("POST", "/api/definitions/check", { files });
      if (!checked.playable) {
        this.faulty = checked.diagnostics.filter((one) => one.severity !== "warning").map((one) => [one.title, one.label, one.hint].filter(Boolean).join(" ")).join("\n");
        return;
      }
      const kept = await ask<Kept>("POST", "/api/definitions", { files });
      // The match is told what changes from here on.
      await this.#fitted();
      const page = await ask<GamePage>("GET", `/api/games/${encodeURIComponent(kept.id)}`);
      const seats = Array.from({ length: page.card.least_seats }, () => ({ kind: "me" as const, name }));
      const path = await openTable({ game: kept.id, sitters: seats, at_once: true } as OpenTable, page.card.title);
      this.#sit(path);
    } catch (error) {
      this.faulty = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }

  /** Something was refused: it is no part of the match, and remembered for who watches. */
  refused(after: number, what: string, reason: string, law: string | null): void {
    const last = this.refusals[this.refusals.length - 1];
    if (last?.after === after && last.reason === reason && last.law === law && last.what === what) return;
    this.refusals = [...this.refusals, { nth: (last?.nth ?? 0) + 1, after, what, reason, law }].slice(-100);
  }

  /** Plays on at a table of its own that begins like this one. */
  async forkAt(step: number): Promise<void> {
    const table = this.table;
    if (table === null || table.info === null) return;
    this.busy = true;
    try {
      const sitters = table.info.seats.map((seat) => (seat.sitter.kind === "bot" ? { kind: "bot" as const, level: seat.sitter.level } : { kind: "me" as const, name: seat.name }));
      this.#sit(await fork(table.table, step, table.tokens()[0] ?? null, table.info, sitters));
      // What was changed since is no part of it: it is told everything.
      const changed = this.told > 0;
      if (changed) {
        await this.studio.request("studio/unfitted", {});
        this.#fittedAt = performance.now();
      }
      await this.#opened();
      await this.follow();
      this.took = null;
    } catch (error) {
      this.faulty = (error as Error).message;
    } finally {
      this.busy = false;
    }
  }

  /** Many random matches of the game as it stands, in the background: who wins, and how long it takes. */
  async study(): Promise<void> {
    const table = this.table;
    if (table === null || this.studying?.running) return;
    this.studying?.close();
    const model = new Study(`/api/tables/${encodeURIComponent(table.table)}`, table.tokens()[0] ?? null);
    this.studying = model;
    await model.begin(null, MATCHES);
  }

  /** Waits until the table is there. */
  async #opened(): Promise<void> {
    for (let nth = 0; nth < 100 && this.table?.link !== "open"; nth += 1) await new Promise((done) => setTimeout(done, 50));
  }

  /** The match goes on by the text as it stands. */
  async #fitted(): Promise<void> {
    await this.studio.request("studio/fitted", {}).catch(() => null);
    this.#fittedAt = performance.now();
  }

  #sit(path: string): void {
    this.close();
    this.refusals = [];
    const table = decodeURIComponent(path.split("/").pop()!);
    const model = new TableModel(table, () => keptTable(table)?.tokens ?? [], { say: () => {}, sound: () => {}, turnOf: () => {}, back: () => {} });
    this.table = model;
    model.open();
  }

  /** The text is another one: the match is told, one change after the other. */
  follow(): Promise<void> {
    this.#telling = this.#telling.then(() => this.#follow());
    return this.#telling;
  }

  async #follow(): Promise<void> {
    const table = this.table;
    if (table === null || table.link !== "open") return;
    const began = this.studio.changedAt;
    // What came with the text is known already, unless the match has been told something since.
    const known = this.studio.fit !== null && this.studio.fitAt > this.#fittedAt ? this.studio.fit : null;
    const fit = known ?? ((await this.studio.request("studio/fit", {}).catch(() => null)) as { sound: boolean; text?: string | null } | null);
    if (fit === null) return;
    this.broken = !fit.sound;
    if (!fit.sound) return;
    if (typeof fit.text !== "string") {
      this.unfit = null;
      return;
    }
    const before = table.notice;
    table.notice = null;
    const told = this.studio.version;
    if (await table.change({ kind: "text", text: fit.text })) {
      this.took = Math.round(performance.now() - began);
      // What was refused before stays in sight; what is refused from now on must not be hidden by it.
      table.notice ??= before;
      this.told += 1;
      this.unfit = null;
      if (this.studio.version === told) await this.#fitted();
    } else {
      this.unfit = (table.notice as { reason: string } | null)?.reason ?? "";
      table.notice = null;
    }
  }

  close(): void {
    this.studying?.close();
    this.studying = null;
    this.table?.close();
    this.table = null;
  }
}
