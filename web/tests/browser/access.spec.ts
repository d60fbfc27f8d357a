// Every page passes axe, on a large screen and on a phone, in the light and in the dark.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { accessible, openTable, stage } from "./stage";
import { click, yourTurn } from "./table";

const room = stage();

/** No page scrolls sideways. */
async function fits(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)).toBe(false);
}

test.each([
  { name: "in the light", dark: false, phone: false },
  { name: "on a phone in the dark", dark: true, phone: true },
])("every page is accessible $name", async ({ dark, phone }) => {
  const options = { dark, phone, name: "Ada" };
  const page = await room.visit("/", options);
  await page.getByRole("button", { name: "Play: Awele", exact: true }).waitFor();
  await accessible(page);
  await fits(page);
  await page.goto(`${room.server.address}/g/go`);
  await page.getByRole("button", { name: "With friends" }).waitFor();
  await page.getByText("Manners").click();
  await accessible(page);
  await fits(page);
  await page.getByRole("button", { name: "With friends" }).click();
  await page.getByRole("heading", { name: "Seats" }).waitFor();
  await page.locator(".invite svg[role=img]").waitFor();
  await accessible(page);
  await fits(page);
  await page.goto(`${room.server.address}/replay`);
  await page.getByText("Drop a record here").waitFor();
  await accessible(page);
  await page.goto(`${room.server.address}/write/tic-tac-toe`);
  await page.getByText("This can be played.").waitFor();
  await accessible(page);
  await fits(page);
  await page.goto(`${room.server.address}/nowhere/at/all`);
  await page.getByRole("link", { name: "To the library" }).waitFor();
  await accessible(page);
});

test.each([
  { name: "in the dark", dark: true, phone: false },
  { name: "on a phone in the light", dark: false, phone: true },
])("a table is accessible $name: board, refusal, rules, menu, replay", async ({ dark, phone }) => {
  const page = await openTable(room, "tic-tac-toe", "Same screen", { dark, phone, name: "Ada" });
  await yourTurn(page);
  await accessible(page);
  await fits(page);
  await click(page, "b2");
  await page.locator(".moves button", { hasText: "b2" }).waitFor({ state: "attached" });
  await yourTurn(page);
  await click(page, "b2");
  await page.getByRole("alert").waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menu").waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Rules/ }).first().click();
  await page.locator(".rule").first().waitFor();
  await page.getByRole("button", { name: /^Open the text/ }).first().click();
  await page.locator(".cm-content").waitFor();
  await accessible(page);
  await fits(page);
  await page.goto(`${room.server.address}/replay${new URL(page.url()).pathname.slice(2)}`);
  await page.getByText("move 1 of 1").waitFor();
  await accessible(page);
  await page.getByRole("button", { name: "Until here" }).click();
  await page.getByRole("button", { name: "Share" }).click();
  await page.getByRole("dialog").waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  await fits(page);
});


test("a question without a board is accessible", async () => {
  const page = await openTable(room, "rock-paper-scissors", "Play", { phone: true, name: "Ada" });
  await yourTurn(page);
  await page.getByRole("button", { name: "paper" }).waitFor();
  await accessible(page);
  await fits(page);
});

test("a private display is accessible, covered and uncovered", async () => {
  const page = await openTable(room, "battleships", "Play", { name: "Ada" });
  await yourTurn(page);
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Phone as my hand" }).click();
  const dialog = page.getByRole("dialog", { name: "Phone as my hand" });
  const link = await dialog.getByRole("textbox").inputValue();
  await accessible(page);
  const phone = await room.visit(link, { phone: true, dark: true });
  await phone.getByText("Only you see this").waitFor();
  await accessible(phone);
  await phone.getByRole("button", { name: "Cover" }).tap();
  await phone.getByRole("button", { name: "Uncover" }).last().waitFor();
  await accessible(phone);
});
