// A game that is being made, kept in this browser: there again after a reload, and written in one tab at a time.
import type { SourceFile } from "../protocol/generated";
import type { Chosen } from "./acts.svelte";
import type { Step } from "./types";

/** What is kept: the files, which of them is looked at, and what was done to it. */
export interface Kept {
  files: SourceFile[];
  path?: string;
  steps?: Step[];
  done?: number;
  xml?: boolean;
}

/** What was looked at, and how. */
export interface Seen {
  tab: "build" | "text" | "graph" | "watch";
  chosen: Chosen | null;
  at: number;
  folded: number[];
}

type Said = { is: "who"; from: string } | { is: "writer"; from: string; kept: Kept } | { is: "take"; from: string } | { is: "gone"; from: string };

/** How long another tab may take to say that it writes. */
const PATIENCE = 250;

export class Keeping {
  /** Whether another tab writes: from the start, or since it took over. */
  reads: "no" | "there" | "taken" = $state("no");
  /** The tab that wrote was closed. */
  gone = $state(false);
  /** No more fits into this browser. */
  full = $state(false);

  #channel: BroadcastChannel | null;
  #own = Math.random().toString(36).slice(2);
  #now: Kept | null = null;

  constructor(
    readonly name: string,
    /** What another tab has done. */
    readonly heard: (kept: Kept) => void,
  ) {
    // Where there is no such channel, the last one that writes is kept.
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(name);
    this.#channel?.addEventListener("message", (event) => this.#hear(event.data as Said));
    addEventListener("pagehide", this.#leave);
  }

  /** What was kept the last time; and whether another tab writes it is found out. */
  async begin(): Promise<Kept | null> {
    this.#say({ is: "who", from: this.#own });
    if (this.#channel !== null) await new Promise((done) => setTimeout(done, PATIENCE));
    if (this.reads !== "no") return this.#now;
    const kept = localStorage.getItem(this.name);
    if (kept === null) return null;
    try {
      const read = JSON.parse(kept) as Kept | SourceFile[];
      return Array.isArray(read) ? { files: read } : read;
    } catch {
      return null;
    }
  }

  keep(kept: Kept): void {
    // Whoever reads has what the other tab said last.
    if (this.reads !== "no") return;
    this.#now = kept;
    this.#say({ is: "writer", from: this.#own, kept });
    try {
      localStorage.setItem(this.name, JSON.stringify(kept));
      this.full = false;
    } catch {
      // Without what was done before it may still fit.
      try {
        localStorage.setItem(this.name, JSON.stringify({ ...kept, steps: [] } satisfies Kept));
        this.full = false;
      } catch {
        this.full = true;
      }
    }
  }

  /** What is looked at is nobody else's business: other tabs are not told. */
  keepSeen(seen: Seen): void {
    if (this.reads !== "no") return;
    try {
      localStorage.setItem(`${this.name} seen`, JSON.stringify(seen));
    } catch {
      // Where the game fits and this does not, it is opened at its beginning.
    }
  }

  seen(): Seen | null {
    try {
      return JSON.parse(localStorage.getItem(`${this.name} seen`) ?? "null") as Seen | null;
    } catch {
      return null;
    }
  }

  /** From now on this tab writes. */
  take(): void {
    this.reads = "no";
    this.gone = false;
    this.#say({ is: "take", from: this.#own });
    if (this.#now) this.keep(this.#now);
  }

  forget(): void {
    this.#now = null;
    localStorage.removeItem(this.name);
    localStorage.removeItem(`${this.name} seen`);
  }

  close(): void {
    this.#leave();
    removeEventListener("pagehide", this.#leave);
    this.#channel?.close();
    this.#channel = null;
  }

  #leave = (): void => {
    if (this.reads === "no") this.#say({ is: "gone", from: this.#own });
  };

  #say(said: Said): void {
    this.#channel?.postMessage(JSON.parse(JSON.stringify(said)));
  }

  #hear(said: Said): void {
    if (said.from === this.#own) return;
    switch (said.is) {
      case "who":
        if (this.reads === "no" && this.#now !== null) this.#say({ is: "writer", from: this.#own, kept: this.#now });
        break;
      case "writer":
        // Two that wrote at once: the one that says so last reads from now on what the other does.
        if (this.reads === "no" && this.#now !== null) break;
        if (this.reads === "no") this.reads = "there";
        this.gone = false;
        this.#now = said.kept;
        this.heard(said.kept);
        break;
      case "take":
        if (this.reads === "no") this.reads = "taken";
        this.gone = false;
        break;
      case "gone":
        if (this.reads !== "no") this.gone = true;
        break;
    }
  }
}
