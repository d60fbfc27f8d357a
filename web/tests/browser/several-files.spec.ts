// A game of several files, and what stands inside of variants and views, made by clicking.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { accessible, stage } from "./stage";

const room = stage();

const ROOT = '#game "Three"\n#players "X" "O"\n#turns\n#setting size 3\n#model cell\n  #property mark\n#board cell grid size size\n#include "rules.gdl"\n';
const RULES = '#action place to cell\n  (set mark to player)\n#law "Only empty cells" on place\n  (require (not mark))\n';

const tree = (page: Page) => page.getByRole("navigation", { name: "Game tree" });
const node = (page: Page, name: string) => page.locator(`.tree .name[data-name="${name}"]`).first();
const dialog = (page: Page) => page.getByRole("dialog");
/** The files as this browser keeps them. */
const kept = (page: Page) => page.evaluate(() => (JSON.parse(localStorage.getItem("studio ")!) as { files: { path: string; text: string }[] }).files.map((file) => file.text));

async function opened(files: [string, string][]): Promise<Page> {
  const page = await room.visit("/studio", { name: "Ada" });
  await tree(page).waitFor();
  const folder = mkdtempSync(join(tmpdir(), "houserules-several-"));
  for (const [name, text] of files) writeFileSync(join(folder, name), text);
  await page.getByLabel("Open a file…").setInputFiles(files.map(([name]) => join(folder, name)));
  await node(page, "Three").waitFor();
  return page;
}

async function answer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label, { exact: true });
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await dialog(page).getByRole("button", { name: "OK" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

async function take(page: Page, words: string): Promise<void> {
  await dialog(page).getByRole("searchbox").fill(words);
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
}

/** [GM-91] [GM-197] [GM-199] [GM-200] [FR-147] */
test("a name is changed in all files of a game as one step, and steps are taken back wherever they were made", async () => {
  const page = await opened([["game.gdl", ROOT], ["rules.gdl", RULES]]);
  const main = page.locator("main.studio");
  const done = async () => Number(await main.getAttribute("data-done"));
  // What stands in the other file is listed, and leads there.
  await node(page, "cell").click();
  await tree(page).getByRole("button", { name: "Rename cell", exact: true }).first().click();
  await answer(page, { Name: "field" });
  await expect.poll(() => kept(page)).toEqual([ROOT.replaceAll("cell", "field"), RULES.replace("to cell", "to field")]);
  expect(await done()).toBe(1);
  await page.getByText("No errors.").waitFor();
  await node(page, "Only empty cells").click();
  await page.getByRole("group", { name: "Files" }).getByRole("button", { name: "rules.gdl", pressed: true }).waitFor();
  await page.locator('.blocks [data-form="Require"]').waitFor();
  await page.locator(".blocks .add").click();
  await take(page, "(require true)");
  await expect.poll(done).toBe(2);
  // The match beside it goes by all of them.
  await page.getByRole("button", { name: "Play it now" }).click();
  const pane = page.getByRole("region", { name: "Play it now" });
  await pane.getByRole("button", { name: /Start a match|New match/ }).first().click();
  await pane.locator(".spot").first().waitFor();
  // Uses are found in both, by keys, and lead there.
  await page.keyboard.press("Alt+2");
  await page.locator(".cm-line", { hasText: "#action place to field" }).waitFor();
  await page.locator(".cm-line", { hasText: "#action place to field" }).getByText("field").click();
  await page.keyboard.press("Shift+F12");
  const uses = page.locator(".uses");
  await uses.getByText("3 places").waitFor();
  await accessible(page);
  await uses.getByRole("button", { name: "game.gdl · line 5" }).click();
  await page.getByRole("group", { name: "Files" }).getByRole("button", { name: "game.gdl", pressed: true }).waitFor();
  await page.locator(".cm-line", { hasText: "#model field" }).waitFor();
  // Closed and opened again, everything is taken back, each step where it was made.
  await page.reload();
  await expect.poll(done, { timeout: 20_000 }).toBe(2);
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(done).toBe(1);
  await page.getByRole("group", { name: "Files" }).getByRole("button", { name: "rules.gdl", pressed: true }).waitFor();
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(done).toBe(0);
  expect(await kept(page)).toEqual([ROOT, RULES]);
  await page.getByRole("button", { name: "Redo" }).click();
  await page.getByRole("button", { name: "Redo" }).click();
  await expect.poll(() => kept(page)).toEqual([ROOT.replaceAll("cell", "field"), `${RULES.replace("to cell", "to field").trimEnd()}\n  (require true)\n`]);
}, 180_000);

/** [FR-142] [GM-133] [GM-135] [GM-140] */
test("variants and representations are made of blocks, and a match is played by one of them", async () => {
  const page = await opened([["game.gdl", ROOT.replace('#include "rules.gdl"\n', RULES)]]);
  const text = async () => (await kept(page))[0]!;
  const add = async (what: string) => tree(page).getByRole("button", { name: `Add: ${what}`, exact: true }).click();
  const inside = async (home: string, what: string) => {
    await node(page, home).click({ button: "right" });
    await page.getByRole("menuitem", { name: what, exact: true }).click();
  };
  await add("Variant");
  await answer(page, { Name: "Large" });
  await expect.poll(text).toMatch(/#variant "?Large"?\n$/);
  await inside("Large", "Value of a setting");
  await answer(page, { Name: "size", Value: "4" });
  await inside("Large", "Law");
  await answer(page, { Name: "Not the corner", Message: "place", To: "cell" });
  await page.locator(".blocks").getByRole("heading", { name: "Not the corner" }).waitFor();
  await page.locator(".blocks .add").click();
  await take(page, "require");
  await page.locator(".blocks .placeholder").first().click();
  await take(page, "(!= self a1)");
  await inside("Large", "Change of a rule");
  await answer(page, { Name: "Only empty cells", Becomes: "instead" });
  await page.locator(".blocks .placeholder").first().click();
  await take(page, '(require (not mark) "It is taken.")');
  await expect.poll(text).toContain('  #set size 4\n  #law "Not the corner" on place to cell\n    (require (!= self a1))\n  #rule "Only empty cells" instead\n    (require (not mark) "It is taken.")\n');
  await add("Variant");
  await answer(page, { Name: "Free", "Builds on": "Large" });
  await inside("Free", "Change of a rule");
  await answer(page, { Name: "Only empty cells", Becomes: "off" });
  // A representation, with a behavior of its own.
  await add("Representation");
  await answer(page, { Name: "Sign", Model: "cell" });
  await inside("Sign", "Add behavior");
  await answer(page, { Name: "start" });
  await page.locator(".blocks").getByRole("heading", { name: "start" }).waitFor();
  await page.locator(".blocks .add").click();
  await take(page, '(new graphic sign with text "x")');
  await expect.poll(text).toContain("#onMessage start\n    (new graphic sign with text \"x\")\n");
  await page.getByText("No errors.").waitFor();
  await accessible(page);
  expect(await tree(page).locator('.name[data-name="Not the corner"]').count()).toBe(1);
  // A variant goes with all that stands in it, and comes back.
  const whole = await text();
  await node(page, "Large").click({ button: "right" });
  await page.getByRole("menuitem", { name: "Remove", exact: true }).click();
  await expect.poll(text).not.toContain("Not the corner");
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(text).toBe(whole);
  // At a table with others it can be chosen.
  await page.getByRole("button", { name: "Play with others" }).click();
  await page.getByRole("button", { name: "Large", exact: true }).click();
  await page.getByRole("button", { name: "Same screen", exact: true }).click();
  await page.locator('.spot[aria-label^="d4"]').first().waitFor();
}, 180_000);
