// Matches of one person at one screen, asserted on what that person sees.
import { expect, test } from "vitest";
import { openTable, stage } from "./stage";
import { click, moved, over, playSome, spot, status, yourTurn } from "./table";

const room = stage();

test("from the start page to the first move in at most three clicks, and to the end against the machine", async () => {
  const page = await room.visit("/");
  await page.getByRole("heading", { name: "What shall we play?" }).waitFor();
  await page.evaluate(() => {
    const counted = window as unknown as { clicks: number };
    counted.clicks = 0;
    addEventListener("pointerdown", () => (counted.clicks += 1), true);
  });
  await page.getByRole("button", { name: "Play: Tic-tac-toe" }).first().click();
  await yourTurn(page);
  await click(page, "b2");
  await moved(page, "b2");
  expect(await page.evaluate(() => (window as unknown as { clicks: number }).clicks)).toBeLessThanOrEqual(3);
  // The machine answers; then whatever is free is taken until somebody has won or the board is full.
  for (let n = 0; n < 5; n++) {
    await page.locator('[data-status="yours"], [data-status="over"]').first().waitFor();
    if ((await page.locator('[data-status="over"]').count()) > 0) break;
    const before = await page.locator("main").getAttribute("data-step");
    await page.locator('.spot[aria-disabled="false"]').first().focus();
    await page.keyboard.press("Enter");
    await page.locator(`main:not([data-step="${before}"])`).waitFor();
  }
  await over(page);
  expect(await status(page).innerText()).toMatch(/wins|draw/i);
  await page.getByRole("button", { name: "Rematch" }).waitFor();
});

test("Awele is played with the mouse: seeds leave the hole that was clicked", async () => {
  const page = await openTable(room, "awele", "Same screen");
  await yourTurn(page);
  expect(await spot(page, "hole 3").getAttribute("aria-label")).toContain("4");
  await click(page, "hole 3");
  await moved(page, "hole 3");
  expect(await spot(page, "hole 3").getAttribute("aria-label")).toContain("0");
  expect(await spot(page, "hole 4").getAttribute("aria-label")).toContain("5");
  // A hole of the other side is refused by its law, with the reason.
  await click(page, "hole 2");
  await page.getByRole("alert").filter({ hasText: "Allow Only Current Player" }).waitFor();
});

test("Awele is played by keyboard alone", async () => {
  const page = await room.visit("/g/awele");
  const start = page.getByRole("button", { name: "Same screen" });
  await start.waitFor();
  for (let n = 0; n < 60 && !(await start.evaluate((button) => button === document.activeElement)); n++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await yourTurn(page);
  for (let n = 0; n < 60 && (await page.locator(".spot:focus").count()) === 0; n++) await page.keyboard.press("Tab");
  for (const side of ["hole 1", "hole 7"]) {
    // `n` goes to the next hole that can be sown.
    for (let n = 0; n < 12 && !(await page.locator(".spot:focus").getAttribute("aria-label"))?.startsWith(`${side},`); n++) await page.keyboard.press("n");
    await page.keyboard.press("Enter");
    await moved(page, side);
    await yourTurn(page);
  }
  // Arrows go along the row that is looked at.
  await page.keyboard.press("ArrowLeft");
  expect(await page.locator(".spot:focus").getAttribute("aria-label")).toMatch(/^hole 8,/);
  expect(await page.locator('[aria-live="polite"]').first().innerText()).toContain("hole 7");
});

test("in Go a suicide is refused where the stone would lie, with law and reason", async () => {
  const page = await openTable(room, "go", "Same screen", { variants: ["9x9"] });
  for (const point of ["a2", "e5", "b1"]) {
    await yourTurn(page);
    await click(page, point);
    await moved(page, point);
  }
  await click(page, "a1");
  const refused = page.getByRole("alert").filter({ hasText: "No suicide" });
  await refused.waitFor();
  expect(await refused.innerText()).toContain("The stone would have no liberty.");
  expect(await page.locator(".moves button", { hasText: "a1" }).count()).toBe(0);
  await refused.getByRole("button", { name: "Show the rule" }).click();
  await page.getByRole("complementary", { name: "Rules of this table" }).locator(".rule", { hasText: "No suicide" }).waitFor();
});

test("a piece is dragged, and where it may not go it stays", async () => {
  const page = await openTable(room, "chess", "Same screen");
  await yourTurn(page);
  const drag = async (from: string, to: string) => {
    const [a, b] = [await spot(page, from).boundingBox(), await spot(page, to).boundingBox()];
    await page.mouse.move(a!.x + a!.width / 2, a!.y + a!.height / 2);
    await page.mouse.down();
    await page.mouse.move((a!.x + b!.x + a!.width) / 2, (a!.y + b!.y + a!.height) / 2);
    await page.mouse.move(b!.x + b!.width / 2, b!.y + b!.height / 2);
    await page.mouse.up();
  };
  await drag("e2", "e4");
  await moved(page, "e4");
  await yourTurn(page);
  await drag("e4", "e5");
  await page.getByRole("alert").filter({ hasText: "That piece is not yours." }).waitFor();
  expect(await page.locator(".moves .pair button").count()).toBe(1);
});

test("who wants to be asked is asked before a move is made", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Ask before a choice is made" }).click();
  await page.keyboard.press("Escape");
  await click(page, "a1");
  const sure = page.getByRole("alertdialog");
  await sure.getByRole("button", { name: "Not yet" }).click();
  expect(await page.locator(".moves .pair button").count()).toBe(0);
  await click(page, "b2");
  await sure.getByRole("button", { name: "Play it" }).click();
  await moved(page, "b2");
});

test("a hint and the value of the position are told on request", async () => {
  const page = await openTable(room, "tic-tac-toe", "Play");
  await yourTurn(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Hint" }).click();
  await page.getByText(/would play/).waitFor();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Evaluation bar" }).click();
  const bar = page.getByRole("meter", { name: "Evaluation bar" });
  await bar.waitFor();
  expect(await bar.getAttribute("aria-valuetext")).toMatch(/^For .+: [+−]?\d\.\d\d$/);
});

test("after moves the board shows what it shows when it is opened anew: nothing stays that has gone", async () => {
  const page = await openTable(room, "whist", "Play");
  const seen = () => page.locator(".board [data-graphic]").evaluateAll((all) => all.map((one) => `${one.getAttribute("data-graphic")} ${(one as SVGElement).style.transform}`).sort());
  // Past the first trick: what lay in the middle is gone.
  await playSome(page, 3);
  await yourTurn(page);
  const played = await seen();
  await page.reload();
  await yourTurn(page);
  expect(await seen()).toEqual(played);
});
