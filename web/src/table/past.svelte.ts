// Looking back at a match that goes on: the scene after an earlier move, for the eyes of whoever looks.
import type { ReplayOutline, ReplayStep } from "../protocol/generated";
import { ask } from "../protocol/rest";
import { entries } from "./moves";
import { SceneModel } from "./scene.svelte";

export interface Past {
  move: number;
  /** Of the record. */
  step: number;
  scene: SceneModel;
}

export class PastModel {
  at: Past | null = $state.raw(null);

  constructor(
    readonly base: string,
    readonly token: () => string | null,
  ) {}

  now(): void {
    this.at = null;
  }

  async look(move: number | null): Promise<void> {
    if (move === null) return this.now();
    try {
      const step = await this.#stepAfter(move);
      const answer = await ask<ReplayStep>("GET", `${this.base}/replay/${step}`, undefined, this.token());
      const scene = new SceneModel();
      scene.show(answer.scene);
      this.at = { move, step, scene };
    } catch {
      this.now();
    }
  }

  async #stepAfter(move: number): Promise<number> {
    if (move === 0) return 0;
    const outline = await ask<ReplayOutline>("GET", `${this.base}/replay`, undefined, this.token());
    const found = entries(outline.log).find((entry) => entry.is === "move" && !entry.taken && entry.number === move);
    return found?.n ?? outline.n_steps;
  }
}
