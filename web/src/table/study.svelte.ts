// A study of a change: many quick matches on the server, asked after until they have ended.
import type { Change, StudyState, StudyWanted } from "../protocol/generated";
import { ask } from "../protocol/rest";

const PACE = 500;

export class StudyModel {
  state: StudyState | null = $state.raw(null);
  failure: string | null = $state(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly base: string,
    readonly token: string | null,
  ) {}

  get running(): boolean {
    return this.state?.phase === "waiting" || this.state?.phase === "playing";
  }

  /** What is asked about, where this browser has asked it. */
  get change(): Change | null {
    const study = this.state?.study;
    return study === undefined ? null : (JSON.parse(sessionStorage.getItem(`study ${study}`) ?? "null") as Change | null);
  }

  /** Without a change: what the game is like as it stands. */
  async begin(change: Change | null, matches: number): Promise<void> {
    await this.#take(() => ask<StudyState>("POST", `${this.base}/studies`, { ...(change === null ? {} : { change }), matches } satisfies StudyWanted, this.token));
    if (this.state !== null && change !== null) sessionStorage.setItem(`study ${this.state.study}`, JSON.stringify(change));
  }

  /** A study that was begun elsewhere, by its name. */
  async follow(study: string): Promise<void> {
    await this.#take(() => ask<StudyState>("GET", `${this.base}/studies/${encodeURIComponent(study)}`, undefined, this.token));
  }

  /** What was played until then is reported. */
  async stop(): Promise<void> {
    const study = this.state?.study;
    if (study === undefined) return;
    try {
      await ask<void>("DELETE", `${this.base}/studies/${encodeURIComponent(study)}`, undefined, this.token);
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  async #take(asked: () => Promise<StudyState>): Promise<void> {
    clearTimeout(this.#timer);
    this.failure = null;
    try {
      this.state = await asked();
    } catch (error) {
      this.failure = (error as Error).message;
      return;
    }
    if (this.running) this.#timer = setTimeout(() => void this.follow(this.state!.study), PACE);
  }
}

/** A difference in units of its own error, and what it is to be drawn within. */
export function apart(now: { mean: number; error: number }, changed: { mean: number; error: number }): { by: number; error: number; sure: number } {
  const error = Math.hypot(now.error, changed.error);
  const by = changed.mean - now.mean;
  const sure = error === 0 ? Math.sign(by) * Infinity : by / error;
  if (error === 0) return { by: by === 0 ? 0 : Math.sign(by) * 3, error: 0, sure: by === 0 ? 0 : sure };
  // Three errors away is as far away as anything.
  return { by: Math.max(-3, Math.min(3, sure)), error: 1, sure };
}
