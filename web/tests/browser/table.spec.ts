// Whole matches in a real browser, asserted on what a person would see.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { browse, open, serve, type Server, type Window } from "./houserules";

let server: Server;
let browser: Browser;
let windows: Window[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([serve(), browse()]);
});

afterEach(async () => {
  const complaints = windows.flatMap((window) => window.complaints);
  for (const window of windows) await window.context.close();
  windows = [];
  expect(complaints).toEqual([]);
});

afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function visit(path: string, options: Parameters<typeof open>[2] = {}): Promise<Page> {
  const window = await open(browser, server.address + path, options);
  windows.push(window);
  return window.page;
}

const status = (page: Page) => page.locator("[data-status]");
const spot = (page: Page, name: string) => page.locator(`.spot[aria-label^="${name}"]`);

/** Clicks where the place is drawn; what is seen there gets the click. */
async function click(page: Page, name: string): Promise<void> {
  const box = await spot(page, name).boundingBox();
  if (box === null) throw new Error(`${name} is not on the board`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

async function yourTurn(page: Page): Promise<void> {
  await page.locator('[data-status="yours"]').waitFor();
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function accessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await (window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> } }).axe.run();
    return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => String(node.target)).join(", ")}`);
  });
  expect(found).toEqual([]);
}

test("from the start page to the first move in two clicks, and to the end against the machine", async () => {
  const page = await visit("/");
  await page.getByRole("heading", { name: "What shall we play?" }).waitFor();
  await accessible(page);
  await page.getByRole("searchbox").fill("tic-tac");
  await page.getByRole("button", { name: "Play: Tic-tac-toe" }).click();
  await yourTurn(page);
  await accessible(page);
  await click(page, "b2");
  await page.locator(".moves button", { hasText: "b2" }).waitFor();
  // The machine answers; then whatever is free is taken until somebody has won or the board is full.
  for (let n = 0; n < 5; n++) {
    await page.locator('[data-status="yours"], [data-status="over"]').first().waitFor();
    if (await page.locator('[data-status="over"]').count()) break;
    await page.locator('.spot[aria-disabled="false"]').first().focus();
    await page.keyboard.press("Enter");
    await page.waitForTimeout(150);
  }
  await page.locator('[data-status="over"]').waitFor();
  expect(await status(page).innerText()).toMatch(/wins|draw/i);
  await page.getByRole("button", { name: "Rematch" }).waitFor();
});

test("a refused choice names the law and its reason, and the rule is switched off in its panel", async () => {
  const page = await visit("/g/tic-tac-toe");
  await page.getByRole("button", { name: "Same screen" }).click();
  await yourTurn(page);
  await click(page, "b2");
  await page.locator(".moves button", { hasText: "b2" }).waitFor();
  await click(page, "b2");
  const refused = page.getByRole("alert").filter({ hasText: "Only empty cells" });
  await refused.waitFor();
  await refused.getByRole("button", { name: "Show the rule" }).click();
  const panel = page.getByRole("complementary", { name: "Rules of this table" });
  await panel.waitFor();
  await accessible(page);
  await panel.getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "off" }).click();
  await panel.getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "off", checked: true }).waitFor();
  await page.keyboard.press("Escape");
  await click(page, "b2");
  await page.locator(".moves button", { hasText: "b2" }).nth(1).waitFor();
  expect(await page.locator("header .chip.pencil").innerText()).toContain("1 change");
});

test("a friend joins by a link, and both show a hand at once without seeing the other's", async () => {
  const ann = await visit("/g/rock-paper-scissors", { name: "Ada" });
  await ann.getByRole("button", { name: "With friends" }).click();
  const link = await ann.getByRole("textbox", { name: "Send this link" }).inputValue();
  await accessible(ann);
  const bo = await visit(link.slice(server.address.length));
  await bo.getByRole("textbox", { name: "Your name" }).fill("Ben");
  await bo.getByRole("button", { name: "Sit down" }).click();
  await ann.getByRole("button", { name: "Start" }).click();
  await ann.getByRole("button", { name: "paper" }).click();
  await ann.locator('[data-status="theirs"]').waitFor();
  expect(await bo.content()).not.toContain("Ada: paper");
  await bo.getByRole("button", { name: "scissors" }).click();
  for (const page of [ann, bo]) {
    await page.locator('[data-status="over"]').waitFor();
    expect(await status(page).innerText()).toContain("Bo wins");
  }
});

test("nothing is lost when the page is loaded again or the server dies", async () => {
  const page = await visit("/g/tic-tac-toe");
  await page.getByRole("button", { name: "Same screen" }).click();
  await yourTurn(page);
  await click(page, "a1");
  await page.locator(".moves button", { hasText: "a1" }).waitFor();
  await page.reload();
  await page.locator(".moves button", { hasText: "a1" }).waitFor();
  await server.restart("SIGKILL");
  await yourTurn(page);
  await click(page, "c3");
  await page.locator(".moves button", { hasText: "c3" }).waitFor();
});

test("a match is played by keyboard alone, and looked back at", async () => {
  const page = await visit("/g/tic-tac-toe");
  await page.getByRole("button", { name: "Same screen" }).focus();
  await page.keyboard.press("Enter");
  await yourTurn(page);
  await spot(page, "b2").focus();
  for (const name of ["a1", "a3", "b1", "b3", "c1"]) {
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await page.locator(".moves button", { hasText: name }).waitFor();
  }
  await page.locator('[data-status="over"]').waitFor();
  await page.locator(".moves button", { hasText: "a1" }).click();
  await page.getByText("move 1 of 5").waitFor();
  await page.getByRole("button", { name: "Now" }).click();
});

test("every page reads on a phone and in the dark", async () => {
  const page = await visit("/", { phone: true, dark: true });
  const play = page.getByRole("button", { name: "Play: Awele", exact: true });
  await play.waitFor();
  await accessible(page);
  await play.tap();
  await yourTurn(page);
  await accessible(page);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  expect(wide).toBe(false);
});
