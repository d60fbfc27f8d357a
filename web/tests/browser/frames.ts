// How long pictures take while something is done, and a game of many things to do it with.
import type { Page } from "playwright-core";

/** A game of so many things, each linked to the next one. */
export function crowd(n: number): string {
  const columns = 25;
  const things = Array.from({ length: n }, (_, nth) => `#entity "thing ${nth}" is thing_ with next (entity "thing ${(nth + 1) % n}") "Bild X" ${(nth % columns) * 90} "Bild Y" ${Math.floor(nth / columns) * 100}`);
  return `#game "Crowd"\n#properties open\n\n#model thing_\n  #relation next\n  #appearance "Bild X" 0\n  #appearance "Bild Y" 0\n\n${things.join("\n")}\n`;
}

/** The times between two pictures while something is done, in milliseconds. */
export async function frames(page: Page, what: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => {
    const told = window as unknown as { frames: number[]; measuring: boolean };
    told.frames = [];
    told.measuring = true;
    let last = performance.now();
    const next = (now: number) => {
      told.frames.push(now - last);
      last = now;
      if (told.measuring) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await what();
  return page.evaluate(() => {
    const told = window as unknown as { frames: number[]; measuring: boolean };
    told.measuring = false;
    return told.frames.slice(1);
  });
}
