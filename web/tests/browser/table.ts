// What a person does at a table, for every test that plays.
import type { Page } from "playwright-core";

export const status = (page: Page) => page.locator("[data-status]");

export const spot = (page: Page, name: string) => page.locator(`.spot[aria-label="${name}"], .spot[aria-label^="${name},"]`).first();

/** Clicks where the place is drawn; what is seen there gets the click. */
export async function click(page: Page, name: string): Promise<void> {
  const box = await spot(page, name).boundingBox();
  if (box === null) throw new Error(`${name} is not on the board`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** It is somebody's turn who sits at this screen, and the screen shows it as that seat sees it. */
export async function yourTurn(page: Page): Promise<void> {
  await page.locator('main:not([data-passing]) [data-status="yours"]').waitFor();
}

/** The one window of several in which something is to be chosen. */
export async function whoseTurn(pages: Page[]): Promise<Page> {
  return Promise.any(pages.map(async (page) => (await yourTurn(page), page)));
}

export async function over(page: Page): Promise<void> {
  await page.locator('[data-status="over"]').waitFor();
}

/** A move stands in the list. */
export async function moved(page: Page, words: string, nth = 0): Promise<void> {
  await page.locator(".moves button", { hasText: words }).nth(nth).waitFor();
}

/** Plays so many choices by keyboard, each drawn from what is offered, always the same ones. */
export async function playSome(page: Page, choices: number): Promise<void> {
  let lot = 7;
  const draw = (n: number) => {
    lot = (lot * 48271) % 2147483647;
    return lot % n;
  };
  for (let n = 0; n < choices; ) {
    await page.locator('[data-status="yours"], [data-status="over"]').first().waitFor();
    if ((await page.locator('[data-status="over"]').count()) > 0) return;
    await yourTurn(page);
    const before = await page.locator("[data-step]").getAttribute("data-step");
    const targets = page.locator('.spot[aria-disabled="false"]');
    // Several choices that pointing does not tell apart.
    const menu = page.locator('.which[role="dialog"] button');
    const answers = page.locator(".answers button");
    const nTargets = await targets.count();
    const nAnswers = await answers.count();
    if (nTargets > 0) {
      await targets.nth(draw(nTargets)).focus();
      await page.keyboard.press("Enter");
    } else if ((await page.locator(".answers .ready").count()) > 0) {
      // Answers that are laid out first and said together.
      const open = page.locator(".answers button:not(.ready):not(.on):enabled");
      for (let laid = 0; laid < 20 && (await page.locator(".answers .ready:disabled").count()) > 0; laid++) {
        const n = await open.count();
        if (n === 0) break;
        await open.nth(draw(n)).click();
      }
      const ready = page.locator(".answers .ready:enabled");
      if ((await ready.count()) > 0) await ready.click();
      // They are being said.
      else await page.waitForTimeout(50);
    } else if (nAnswers > 0) {
      await answers.nth(draw(nAnswers)).click();
    }
    // The first of two things to point at changes no position.
    const done = page.locator(`main:not([data-step="${before}"])`);
    const picked = page.locator(".picked-under");
    await done.or(picked).or(menu).first().waitFor({ timeout: 5000 }).catch(() => {});
    const nMenu = await menu.count();
    if (nMenu > 0) {
      await menu.nth(draw(nMenu)).click();
      // Where places are small for a finger, it is asked once more.
      const sure = page.locator('.which[role="alertdialog"] .primary');
      await done.or(sure).first().waitFor({ timeout: 5000 }).catch(() => {});
      if ((await sure.count()) > 0) await sure.click();
      await done.waitFor({ timeout: 5000 }).catch(() => {});
    }
    if ((await page.locator("[data-step]").getAttribute("data-step")) !== before) n++;
  }
}
