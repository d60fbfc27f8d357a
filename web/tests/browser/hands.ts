// Two ways of doing the same in the studio: with the mouse, and with the keyboard alone.
import { expect } from "vitest";
import type { Locator, Page } from "playwright-core";

export interface Hand {
  /** Takes an entry from the menu of something, through the lists inside of it. */
  menu(on: Locator, ...path: string[]): Promise<void>;
  /** Goes to something, without doing anything to it. */
  reach(on: Locator): Promise<void>;
  /** Presses a button, opens a tab, selects a line. */
  press(on: Locator): Promise<void>;
  /** Answers the dialog that is open; lists take the name of an entry. */
  answer(fields: Record<string, string>): Promise<void>;
  /** Writes into a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Finds something by its name in the dialog that is open. */
  take(words: string): Promise<void>;
  undo(): Promise<void>;
  redo(): Promise<void>;
  /** Asks how the file shall be called. */
  save(): Promise<void>;
}

/** The text of a new game as this browser keeps it. */
export const kept = (page: Page) => page.evaluate(() => (JSON.parse(localStorage.getItem("studio ") ?? "null") as { files: { text: string }[] } | null)?.files[0]?.text ?? "");

/** The next visit finds this text, as if it had been made here. */
export async function keep(page: Page, text: string): Promise<void> {
  // The page keeps what it begins with, which would come after it.
  await page.waitForFunction(() => localStorage.getItem("studio ") !== null);
  await page.evaluate((text) => localStorage.setItem("studio ", JSON.stringify({ files: [{ path: "game.gdl", text }] })), text);
}

export const dialog = (page: Page) => page.locator("dialog[open]").last();
const entry = (page: Page, label: string) => page.locator("[role=menu] [role^=menuitem]").filter({ has: page.locator(".label", { hasText: new RegExp(`^${label.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`) }) }).last();

export function mouse(page: Page): Hand {
  return {
    async menu(on, ...path) {
      await on.click({ button: "right" });
      for (const label of path) await entry(page, label).click();
      await page.locator("[role=menu]").waitFor({ state: "detached" });
    },
    reach: (on) => on.hover(),
    press: (on) => on.click(),
    async answer(fields) {
      for (const [label, value] of Object.entries(fields)) {
        const field = dialog(page).getByLabel(label, { exact: true });
        if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption({ label: value });
        else await field.fill(value);
      }
      await dialog(page).getByRole("button", { name: "OK", exact: true }).click();
    },
    async write(field, text) {
      await field.dblclick();
      await field.fill(text);
      await field.press("Enter");
    },
    async take(words) {
      await dialog(page).getByRole("searchbox").or(dialog(page).getByRole("combobox")).first().fill(words);
      await dialog(page).locator(".one:visible, [role=option]").filter({ has: page.getByText(words, { exact: true }) }).first().click();
    },
    save: () => page.getByRole("button", { name: "Als Datei speichern" }).click(),
    undo: () => page.getByRole("button", { name: /^(Rückgängig|Undo)/ }).first().click(),
    redo: () => page.getByRole("button", { name: /^(Wiederholen|Redo)/ }).first().click(),
  };
}

/** Nothing but keys: whatever is wanted has to be reached with them first. */
export function keys(page: Page): Hand {
  const focused = (on: Locator) => on.evaluate((one) => one === document.activeElement);
  /** Goes on from where the focus is, pane by pane, then field by field. */
  async function reach(on: Locator): Promise<void> {
    await on.waitFor();
    const pane = await on.evaluate((one) => [".tree", ".tables", ".frame", ".twin", ".text", ".sides", ".blocks", ".around", ".play"].find((pane) => one.closest(pane) !== null) ?? null);
    if (pane !== null) {
      for (let n = 0; n < 12 && !(await page.evaluate((pane) => document.activeElement?.closest(pane) != null, pane)); n++) await page.keyboard.press("F6");
    }
    const name = await on.evaluate((one) => (one.closest(".tree") === null ? null : one.getAttribute("data-name")));
    if (name !== null && !(await focused(on))) {
      // Letters find lines; what was typed before has to be forgotten first.
      await page.keyboard.press("Escape");
      // Other letters are put in without a key here.
      await page.keyboard.type(/^[ -~]*/.exec(name)![0]);
      for (let n = 0; n < 40 && !(await focused(on)); n++) await page.keyboard.press("ArrowDown");
    }
    for (let n = 0; n < 250; n++) {
      const way = await on.evaluate((one) => (one === document.activeElement ? "there" : (document.activeElement?.compareDocumentPosition(one) ?? 4) & 2 ? "Shift+Tab" : "Tab"));
      if (way === "there") return;
      await page.keyboard.press(way);
    }
    throw new Error(`No key leads to ${await on.evaluate((one) => one.outerHTML.slice(0, 160))}`);
  }
  async function list(label: string): Promise<void> {
    for (let n = 0; n < 80; n++) {
      if ((await page.evaluate(() => document.activeElement?.querySelector(".label")?.textContent)) === label) return;
      await page.keyboard.press("ArrowDown");
    }
    throw new Error(`The menu has no “${label}”`);
  }
  async function into(field: Locator, text: string): Promise<void> {
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") {
      await page.keyboard.type(text);
      await expect.poll(() => field.evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]?.text)).toBe(text);
    } else {
      await page.keyboard.press("Control+A");
      if (text === "") await page.keyboard.press("Delete");
      else await page.keyboard.type(text);
    }
  }
  return {
    reach,
    async menu(on, ...path) {
      await reach(on);
      await page.keyboard.press("Shift+F10");
      await page.locator("[role=menu]").first().waitFor();
      for (const label of path) {
        await list(label);
        const opens = await page.evaluate(() => document.activeElement?.getAttribute("aria-haspopup") === "menu");
        await page.keyboard.press("Enter");
        if (opens) await page.waitForFunction((label) => document.activeElement?.closest("[role=menu]")?.getAttribute("aria-label") === label, label);
      }
      await page.locator("[role=menu]").waitFor({ state: "detached" });
    },
    async press(on) {
      await reach(on);
      await page.keyboard.press("Enter");
    },
    async answer(fields) {
      for (const [label, value] of Object.entries(fields)) {
        const field = dialog(page).getByLabel(label, { exact: true });
        await reach(field);
        await into(field, value);
      }
      await page.keyboard.press("Enter");
    },
    async write(field, text) {
      await reach(field);
      await into(field, text);
      await page.keyboard.press("Enter");
    },
    async take(words) {
      await dialog(page).waitFor();
      await page.keyboard.type(words);
      await page.keyboard.press("Enter");
    },
    save: () => page.keyboard.press("Control+s"),
    undo: () => page.keyboard.press("Control+z"),
    redo: () => page.keyboard.press("Control+Shift+Z"),
  };
}
