// Games are made by looking and clicking, and by typing, and played while they are made.
import { expect, test } from "vitest";
import type { Locator, Page } from "playwright-core";
import { accessible, stage } from "./stage";
import { click } from "./table";

const room = stage();

const tree = (page: Page) => page.getByRole("navigation", { name: "Game tree" });
const dialog = (page: Page) => page.getByRole("dialog");
const text = (page: Page) => page.locator(".cm-content").innerText();

/** How many changes of the text the running match was told. */
const told = async (pane: Locator) => Number(await pane.getAttribute("data-told"));

/** Answers the small dialog that asks for a name and more. */
async function answer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label, { exact: true });
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await dialog(page).getByRole("button", { name: "OK" }).click();
  await dialog(page).waitFor({ state: "detached" });
}

async function add(page: Page, what: string, fields: Record<string, string>): Promise<void> {
  await tree(page).getByRole("button", { name: what, exact: true }).click();
  await answer(page, fields);
}

/** Takes a statement from the list. */
async function take(page: Page, words: string): Promise<void> {
  await dialog(page).getByRole("searchbox").fill(words);
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
}

/** Puts something into the first place that is still empty. */
async function fill(page: Page, words: string): Promise<void> {
  const before = await page.locator(".blocks").innerText();
  await page.locator(".placeholder").first().click();
  await take(page, words);
  await expect.poll(() => page.locator(".blocks").innerText()).not.toBe(before);
}

async function statement(page: Page, words: string, form: string): Promise<void> {
  await page.locator(".blocks .add").click();
  await take(page, words);
  await page.locator(`.blocks [data-form="${form}"]`).first().waitFor();
}

/** [GM-89] [GM-96] [GM-130] [GM-133] [GM-135] [GM-198] [GM-199] [GM-200] [GM-241] [FR-142] [FR-150] */
test("tic-tac-toe is made from nothing by clicking, played against the machine, undone to the empty game and redone", async () => {
  const page = await room.visit("/studio", { name: "Ada" });
  await tree(page).getByText("Models", { exact: true }).waitFor();
  await page.getByText("No errors.").or(page.locator("footer .bad")).first().waitFor();
  await add(page, "Add: Players", { "Names, separated by commas": "X, O" });
  await tree(page).getByRole("button", { name: "Add: Turns", exact: true }).click();
  await add(page, "Add model", { Name: "cell" });
  await page.getByRole("region", { name: "Properties tables" }).getByRole("button", { name: "Add" }).click();
  await page.getByRole("menuitem", { name: "Add" }).click();
  await page.getByRole("menuitem", { name: "ID" }).click();
  await answer(page, { Name: "mark" });
  await page.getByRole("rowheader", { name: "mark" }).waitFor();
  await add(page, "Add: Board", { Model: "cell" });
  await add(page, "Add: Action", { Name: "place", To: "cell" });
  await statement(page, "set", "Set");
  await fill(page, "mark");
  await fill(page, "player");
  await add(page, "Add: Law", { Name: "Only empty cells", Message: "place" });
  await statement(page, "require", "Require");
  await fill(page, "not");
  await fill(page, "mark");
  await add(page, "Add: Side-effect", { Name: "A line wins", Message: "place" });
  await statement(page, "if", "If");
  await fill(page, "(line 3 of mark)");
  await page.locator('[data-form="If"]').getByRole("button", { name: "Add statement" }).first().click();
  await take(page, "win");
  await fill(page, "player");
  await add(page, "Add: Side-effect", { Name: "A full board is a draw", Message: "place" });
  await statement(page, "if", "If");
  await fill(page, "(every cell where mark)");
  await page.locator('[data-form="If"]').getByRole("button", { name: "Add statement" }).first().click();
  await take(page, "draw");
  await page.getByText("No errors.").waitFor();

  await accessible(page);
  await page.getByRole("button", { name: "Play it now" }).click();
  const pane = page.getByRole("region", { name: "Play it now" });
  await pane.getByRole("button", { name: /Start a match|New match/ }).first().click();
  await pane.locator(".spot").first().waitFor();
  await click(page, "b2");
  await pane.getByRole("listitem").filter({ hasText: "b2" }).waitFor();
  // A refused choice says by which law.
  await click(page, "b2");
  await pane.getByRole("alert").filter({ hasText: "Only empty cells" }).waitFor();
  await pane.getByRole("button", { name: "Let the machine play O" }).click();
  await expect.poll(() => pane.locator(".log li").count(), { timeout: 30_000 }).toBe(2);

  await page.getByRole("button", { name: "Text", exact: true }).click();
  await expect.poll(() => text(page)).toContain("(every cell where mark)");
  const made = await text(page);
  for (const line of ["#property mark", "#board cell grid 3 3", "(set mark to player)", "(require (not mark))", "(if (line 3 of mark) (win player))"]) expect(made).toContain(line);
  await page.getByRole("button", { name: "History" }).click();
  const steps = page.getByRole("region", { name: "History" }).getByRole("listitem").getByRole("button");
  const n = await steps.count();
  expect(n).toBeGreaterThan(14);
  await steps.first().click();
  await expect.poll(() => text(page)).not.toContain("#model");
  await steps.nth(n - 1).click();
  await expect.poll(() => text(page)).toBe(made);
}, 180_000);

/** [FR-148] [FR-146] [FR-147] */
test("a rule edited in the text changes the running match, which keeps its position; a text with a mistake leaves it as it is", async () => {
  const page = await room.visit("/studio/tic-tac-toe", { name: "Ada" });
  const pane = page.getByRole("region", { name: "Play it now" });
  await pane.locator(".spot").first().waitFor();
  await click(page, "b2");
  await pane.getByRole("listitem").filter({ hasText: "b2" }).waitFor();
  await page.locator(".cm-content").waitFor();
  await tree(page).getByRole("button", { name: /^Only empty cells/ }).click();
  const around = page.getByRole("region", { name: /^Around/ });
  await around.getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "off" }).click();
  await expect.poll(() => text(page)).toMatch(/#rule "Only empty cells" off/);
  await expect.poll(() => told(pane)).toBe(1);
  await click(page, "b2");
  await expect.poll(() => pane.getByRole("listitem").filter({ hasText: "b2" }).count()).toBe(2);
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(() => text(page)).not.toMatch(/#rule "Only empty cells" off/);
  await expect.poll(() => told(pane)).toBe(2);
  await click(page, "b2");
  await pane.getByRole("alert").filter({ hasText: "Only empty cells" }).waitFor();

  // By typing: first with a mistake, which is told and mended by its fix.
  await page.locator(".cm-line", { hasText: "How close each" }).click();
  await page.keyboard.press("Home");
  await page.keyboard.type('#law "Never the corner" on place\n(require (!= slef a1) "The corner stays empty.")\n', { delay: 5 });
  await page.locator("footer .bad").waitFor();
  await page.getByText(/slef/).first().waitFor();
  const before = await told(pane);
  await page.keyboard.press("Control+Home");
  await page.getByText(/The match goes on with the rules as they last were sound/).waitFor();
  const line = page.locator(".cm-line", { hasText: "slef" });
  await line.getByText("slef").first().click();
  await page.keyboard.press("Alt+Enter");
  await page.getByText("No errors.").waitFor();
  await expect.poll(() => told(pane)).toBeGreaterThan(before);
  await click(page, "a1");
  await pane.getByRole("alert").filter({ hasText: "The corner stays empty." }).waitFor();
  expect(await pane.getByTestId("changed").innerText()).toMatch(/The rules changed in \d+ ms; the position stayed\./);

  await accessible(page);
}, 120_000);

/** [GM-91] */
test("a name is changed everywhere from the tree, in German, and what was typed is there again after the page was closed", async () => {
  const page = await room.visit("/studio/tic-tac-toe", { name: "Ada" });
  await page.getByLabel("Language").selectOption("de");
  const baum = page.getByRole("navigation", { name: "Spielbaum" });
  await baum.getByRole("button", { name: "Umbenennen cell", exact: true }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("feld");
  await page.getByRole("dialog").getByRole("button", { name: "OK" }).click();
  await expect.poll(() => text(page)).toContain("#model feld");
  const rules = (await text(page)).split("\n").filter((line) => !line.startsWith("#info"));
  expect(rules.filter((line) => /\bcell\b/.test(line.replaceAll(/"[^"]*"/g, "")))).toEqual([]);
  await page.reload();
  await expect.poll(() => text(page), { timeout: 15_000 }).toContain("#model feld");
}, 60_000);

test("the studio fits a small screen and a phone, in the light and in the dark", async () => {
  for (const [width, height, dark] of [[1024, 700, false], [390, 844, true]] as const) {
    const page = await room.visit("/studio/tic-tac-toe", { name: "Ada", dark });
    await page.setViewportSize({ width, height });
    await page.locator(".cm-content").waitFor();
    await page.getByRole("button", { name: "Build", exact: true }).click();
    if (width < 860) await page.getByRole("button", { name: "Behavior", exact: true }).first().click();
    await page.locator(".blocks .block").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
    await accessible(page);
  }
}, 60_000);
