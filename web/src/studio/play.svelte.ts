// A match of the document, at a real table of the server that nobody else knows of. It goes on while the rules are edited.
import type { Checked, GamePage, Kept, OpenTable } from "../protocol/generated";
import { ask } from "../protocol/rest";
import { openTable } from "../table/open";
import { TableModel } from "../table/table.svelte";
import { keptTable } from "../table/tokens";
import type { StudioModel } from "./document.svelte";

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

  #telling: Promise<void> = Promise.resolve();

  constructor(readonly studio: StudioModel) {}

  async start(name: string): Promise<void> {
    this.faulty = null;
    this.unfit = null;
    this.took = null;
    this.busy = true;
    try {
      await this.studio.flush();
      const files = this.studio.files;
      const checked = await ask<Checked>("POST", "/api/definitions/check", { files });
      if (!checked.playable) {
        this.faulty = checked.diagnostics.filter((one) => one.severity === "error").map((one) => [one.title, one.label, one.hint].filter(Boolean).join(" ")).join("\n");
        return;
      }
      const kept = await ask<Kept>("POST", "/api/definitions", { files });
      // The match is told what changes from here on.
      await this.studio.request("studio/fitted", {});
      const page = await ask<GamePage>("GET", `/api/games/${encodeURIComponent(kept.id)}`);
      const seats = Array.from({ length: page.card.least_seats }, () => ({ kind: "me" as const, name }));
      const path = await openTable({ game: kept.id, sitters: seats, at_once: true } as OpenTable, page.card.title);
      this.close();
      const table = decodeURIComponent(path.split("/").pop()!);
      const model = new TableModel(table, () => keptTable(table)?.tokens ?? [], { say: () => {}, sound: () => {}, turnOf: () => {}, back: () => {} });
      this.table = model;
      model.open();
    } catch (error) {
      this.faulty = (error as Error).message;
    } finally {
      this.busy = false;
    }
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
    const fit = (await this.studio.request("studio/fit", {}).catch(() => null)) as { sound: boolean; text?: string | null } | null;
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
      if (this.studio.version === told) await this.studio.request("studio/fitted", {}).catch(() => null);
    } else {
      this.unfit = (table.notice as { reason: string } | null)?.reason ?? "";
      table.notice = null;
    }
  }

  close(): void {
    this.table?.close();
    this.table = null;
  }
}
