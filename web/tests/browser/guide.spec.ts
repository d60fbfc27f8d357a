// The guide of the studio, followed step by step as somebody does who has it open beside the screen.
import { expect as said, test } from "vitest";
import type { Page } from "playwright-core";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stage } from "./stage";
import { click } from "./table";

const room = stage();
const GUIDE = readFileSync(join(import.meta.dirname, "../../../docs/guide/studio.md"), "utf8");
const expect = Object.assign(<T>(value: T) => said(value), { poll: <T>(what: () => T | Promise<T>) => said.poll(what, { timeout: 20_000 }) });

const dialog = (page: Page) => page.locator("dialog[open]").last();
const tree = (page: Page) => page.getByRole("navigation", { name: "Game tree" });

async function answer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label, { exact: true });
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await dialog(page).getByRole("button", { name: "OK", exact: true }).click();
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}

async function take(page: Page, words: string): Promise<void> {
  await dialog(page).getByRole("searchbox").fill(words);
  await page.keyboard.press("Enter");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
}

async function grey(page: Page, words: string): Promise<void> {
  const before = await page.locator(".blocks").innerText();
  await page.locator(".blocks .placeholder").first().click();
  await take(page, words);
  await expect.poll(() => page.locator(".blocks").innerText()).not.toBe(before);
}

async function statement(page: Page, words: string, inside = false): Promise<void> {
  const before = await page.locator(".blocks").innerText();
  const buttons = page.locator(".blocks").getByRole("button", { name: "Add statement" });
  await (inside ? buttons.first() : buttons.last()).click();
  await take(page, words);
  await expect.poll(() => page.locator(".blocks").innerText()).not.toBe(before);
}

/** [FR-142] [FR-150] */
test("who follows the guide has made, played and changed a game", async () => {
  // What is clicked here is called so in the guide.
  const says = (...words: string[]) => words.forEach((word) => expect(GUIDE).toContain(`**${word}**`));
  const page = await room.visit("/studio", { name: "Ada" });
  await tree(page).waitFor();

  says("Add: Players", "Add: Turns", "Add model", "Add: Board");
  await tree(page).getByRole("button", { name: "Add: Players" }).click();
  await answer(page, { "Names, separated by commas": "X, O" });
  await tree(page).getByRole("button", { name: "Add: Turns" }).click();
  await tree(page).getByRole("button", { name: "Add model", exact: true }).click();
  await answer(page, { Name: "cell" });
  const tables = page.getByRole("region", { name: "Properties tables" });
  await tables.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByRole("menuitem", { name: "Add" }).click();
  await page.getByRole("menuitem", { name: /^ID/ }).click();
  await answer(page, { Name: "mark" });
  await tree(page).getByRole("button", { name: "Add: Board" }).click();
  await answer(page, { Model: "cell", Shape: "grid 3 3" });

  says("Add: Action", "Add statement", "Set");
  await tree(page).getByRole("button", { name: "Add: Action" }).click();
  await answer(page, { Name: "place", To: "cell" });
  await statement(page, "set");
  await grey(page, "mark");
  await grey(page, "player");
  await page.getByText("No errors.").waitFor();

  says("Play it now", "New match");
  await page.getByRole("group", { name: "Build" }).getByRole("button", { name: "Play it now" }).click();
  const pane = page.getByRole("region", { name: "Play it now" });
  await pane.getByRole("button", { name: /Start a match|New match/ }).first().click();
  await pane.locator(".spot").first().waitFor();
  await click(page, "b2");
  await expect.poll(() => pane.locator(".log li").count()).toBe(1);
  await click(page, "b2");
  await expect.poll(() => pane.locator(".log li").count()).toBe(2);

  says("Add: Law", "Require", "Not");
  await tree(page).getByRole("button", { name: "Add: Law", exact: true }).click();
  await answer(page, { Name: "Only empty cells", Message: "place" });
  await statement(page, "require");
  await grey(page, "not");
  await grey(page, "mark");
  await page.getByRole("group", { name: "Build" }).getByRole("button", { name: "Play it now" }).click();
  await pane.getByTestId("changed").waitFor();
  await click(page, "b2");
  await pane.getByRole("alert").filter({ hasText: "Only empty cells" }).waitFor();

  says("Add: Side-effect", "If", "Win", "Draw");
  await tree(page).getByRole("button", { name: "Add: Side-effect" }).click();
  await answer(page, { Name: "A line wins", Message: "place" });
  await statement(page, "if");
  await grey(page, "(line 3 of mark)");
  await statement(page, "win", true);
  await grey(page, "player");
  await tree(page).getByRole("button", { name: "Add: Side-effect" }).click();
  await answer(page, { Name: "A full board is a draw", Message: "place" });
  await statement(page, "if");
  await grey(page, "(every cell where mark)");
  await statement(page, "draw", true);
  await page.getByText("No errors.").waitFor();

  says("Let the machine play O", "Who wins now?");
  await page.getByRole("group", { name: "Build" }).getByRole("button", { name: "Play it now" }).click();
  await pane.getByRole("button", { name: "New match" }).first().click();
  await expect.poll(() => pane.locator(".log li").count()).toBe(0);
  await pane.getByRole("button", { name: "Let the machine play O" }).click();
  await click(page, "b2");
  await expect.poll(() => pane.locator(".log li").count()).toBe(2);
  await pane.getByRole("button", { name: "Who wins now?" }).click();
  await pane.getByRole("heading", { name: "100 random matches" }).waitFor({ timeout: 60_000 });

  says("Watch", "Graph", "Text", "Switch off and try again", "Messages and states");
  const view = (name: string) => page.getByRole("group", { name: "Studio" }).getByRole("button", { name, exact: true }).click();
  await view("Watch");
  await page.getByRole("treeitem").filter({ hasText: "Only empty cells" }).click();
  await page.getByRole("button", { name: "Switch off and try again" }).waitFor();
  await view("Graph");
  await page.getByRole("button", { name: "model cell", exact: true }).waitFor();
  await page.getByRole("button", { name: "Messages and states" }).click();
  await page.getByRole("img", { name: /^place/ }).waitFor();
  await view("Text");
  await expect.poll(() => page.locator(".cm-content").innerText()).toContain('#law "Only empty cells" on place');
  // The game at the end of the guide is the one that was made.
  const lines = (text: string) => text.split("\n").map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#properties"));
  const made = /```\n(#game[\s\S]*?)```/.exec(GUIDE)![1]!;
  expect(lines(await page.locator(".cm-content").innerText()).join("\n").replaceAll(/\s+/g, " ")).toBe(lines(made).join("\n").replaceAll(/\s+/g, " "));
}, 300_000);
