// A board without a mouse: by keyboard, by what a screen reader is told, by words that are typed, by a finger.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { de } from "../../src/words/de";
import { now } from "../../src/words/en";
import { later } from "../../src/words/en.later";
import { accessible, openTable, stage } from "./stage";
import { click, moved, over, spot, yourTurn } from "./table";

const room = stage();
const en = { ...now, ...later };

/** Goes to the board with the Tab key, then to a place by its name. */
async function typeTo(page: Page, place: string): Promise<void> {
  for (let n = 0; n < 60 && (await page.locator(".spot:focus").count()) === 0; n++) await page.keyboard.press("Tab");
  await page.keyboard.type(place);
  await page.locator(`.spot:focus[aria-label="${place}"], .spot:focus[aria-label^="${place},"]`).waitFor();
  await page.keyboard.press("Enter");
}

test("a match of tic-tac-toe is played by keyboard alone, to the end", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  for (const cell of ["a1", "a3", "b1", "b3", "c1"]) {
    await yourTurn(page);
    await typeTo(page, cell);
    await moved(page, cell);
  }
  await over(page);
  expect(await page.locator('[data-testid="polite"]').innerText()).toContain("X wins");
});

test("Go is played by keyboard alone, and a refusal is said once, at once", async () => {
  const page = await openTable(room, "go", "Same screen", { variants: ["9x9"] });
  for (const point of ["a2", "e5", "b1"]) {
    await yourTurn(page);
    await typeTo(page, point);
    await moved(page, point);
  }
  await yourTurn(page);
  await typeTo(page, "a1");
  await page.locator('[data-testid="assertive"]', { hasText: "The stone would have no liberty." }).waitFor({ state: "attached" });
  await page.keyboard.press("Escape");
  expect(await page.getByRole("alert").count()).toBe(0);
});

test("a match is played by what a screen reader is told, and by nothing else", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  for (const cell of ["b2", "a1", "b1", "b3", "c2"]) {
    await yourTurn(page);
    await page.getByRole("button", { name: cell, exact: true, disabled: false }).press("Enter");
    await moved(page, cell);
  }
  // Everything about the board can be had in words.
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "More", exact: true }).press("Enter");
  await page.getByRole("menuitem", { name: "Read the board" }).click();
  const read = page.getByRole("dialog", { name: "Read the board" });
  await read.getByText("b2, c2").or(read.getByText("b1, b2, c2")).first().waitFor();
  await read.getByText(/^Last: .+ c2\.$/).waitFor();
  await accessible(page);
  await page.keyboard.press("Escape");
  expect(await read.count()).toBe(0);
});

test("a move is typed in the game's words and completed among what is legal", async () => {
  const page = await openTable(room, "chess", "Same screen");
  await yourTurn(page);
  await page.keyboard.press("/");
  const field = page.getByRole("combobox", { name: "Type a move" });
  await field.fill("zz");
  await page.getByText("No choice is called “zz”.").waitFor();
  await field.fill("e4");
  await page.getByRole("option", { selected: true }).filter({ hasText: "e4" }).waitFor();
  await accessible(page);
  await page.keyboard.press("Enter");
  await moved(page, "e4");
  expect(await spot(page, "e2").getAttribute("aria-label")).toBe("e2");
});

test("all keys are told, and single letters can be switched off", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "All keys" });
  await keys.getByText("Turn the board").waitFor();
  await accessible(page);
  await keys.getByRole("checkbox", { name: "Single letters do something" }).uncheck();
  await page.keyboard.press("Escape");
  // Closed is not yet gone: until then it is the same dialog that is asked for.
  await page.locator("dialog", { hasText: "Single letters" }).waitFor({ state: "detached" });
  await page.keyboard.press("r");
  await page.keyboard.press("?");
  await keys.waitFor();
  expect(await page.getByRole("complementary", { name: "Rules of this table" }).count()).toBe(0);
});

test("the right button says what something is, what it can do, and which rules are against the rest", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  await click(page, "b2");
  await moved(page, "b2");
  await yourTurn(page);
  const box = await spot(page, "b2").boundingBox();
  await page.mouse.click(box!.x + box!.width / 2, box!.y + box!.height / 2, { button: "right" });
  const about = page.getByRole("region", { name: "What this is" });
  await about.getByText(/^b2, /).waitFor();
  await about.getByRole("button", { name: "Only empty cells" }).click();
  await page.getByRole("complementary", { name: "Rules of this table" }).locator(".rule", { hasText: "Only empty cells" }).waitFor();
});

test("on a phone places too small for a finger are tapped twice", async () => {
  const page = await openTable(room, "go", "Same screen", { phone: true });
  await yourTurn(page);
  const tap = async (place: string) => {
    const box = await spot(page, place).boundingBox();
    await page.touchscreen.tap(box!.x + box!.width / 2, box!.y + box!.height / 2);
  };
  await tap("k10");
  await page.getByRole("alertdialog", { name: "k10?" }).waitFor();
  expect(await page.locator(".moves .pair button").count()).toBe(0);
  await tap("k10");
  await page.locator(".moves button", { hasText: "k10" }).waitFor({ state: "attached" });
});

test("two fingers make a large board larger, and a lens shows what is under one", async () => {
  const page = await openTable(room, "go", "Same screen", { phone: true });
  await yourTurn(page);
  const fingers = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", points: [number, number][]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  const across = async (place: string) => (await spot(page, place).boundingBox())!.width;
  const before = await across("k10");
  await touch("touchStart", [[175, 400], [215, 400]]);
  await touch("touchMove", [[135, 400], [255, 400]]);
  await touch("touchEnd", []);
  await expect.poll(async () => (await across("k10")) / before).toBeGreaterThan(2.5);
  await page.getByRole("button", { name: "Whole board" }).click();
  await expect.poll(() => across("k10")).toBeCloseTo(before, 0);
  expect(await page.locator(".moves .pair button").count()).toBe(0);
  // The finger comes down on one point, is moved on to the next one under the lens, and means that.
  const [from, to] = [await spot(page, "d4").boundingBox(), await spot(page, "e4").boundingBox()];
  const middle = (box: { x: number; y: number; width: number; height: number }): [number, number] => [box.x + box.width / 2, box.y + box.height / 2];
  await touch("touchStart", [middle(from!)]);
  await page.locator(".lens").waitFor();
  await touch("touchMove", [middle(to!)]);
  await touch("touchEnd", []);
  await page.locator(".lens").waitFor({ state: "detached" });
  await page.getByRole("alertdialog", { name: "e4?" }).waitFor();
});

/** Sentences of the English catalogue that stand on a page, those in attributes included. */
async function english(page: Page): Promise<string[]> {
  const said = await page.evaluate(() => [document.body.innerText, ...[...document.querySelectorAll("[aria-label], [title], [placeholder]")].map((one) => ["aria-label", "title", "placeholder"].map((name) => one.getAttribute(name) ?? "").join("\n"))].join("\n"));
  return Object.entries(en).flatMap(([key, words]) => (words.includes(" ") && !words.includes("{") && words !== de[key as keyof typeof de] && said.includes(words) ? [words] : []));
}

test("pages in German say nothing in English that is not the game's own", async () => {
  const page = await room.visit("/", { name: "Ada" });
  await page.getByRole("button", { name: "Play: Tic-tac-toe" }).first().waitFor();
  expect(await english(page)).toContain("What shall we play?");
  await page.getByRole("combobox", { name: "Language" }).selectOption("de");
  await page.getByRole("heading", { name: de["library.title"] }).waitFor();
  expect(await page.locator("html").getAttribute("lang")).toBe("de");
  expect(await english(page)).toEqual([]);
  await page.goto(`${room.server.address}/g/tic-tac-toe`);
  await page.getByRole("button", { name: de["lobby.same-screen"] }).waitFor();
  expect(await english(page)).toEqual([]);
  await page.getByRole("button", { name: de["lobby.same-screen"] }).click();
  await yourTurn(page);
  await page.keyboard.press("r");
  await page.getByRole("complementary", { name: de["rules.title"] }).locator(".rule").first().waitFor();
  expect(await english(page)).toEqual([]);
  await page.goto(`${room.server.address}/g/tic-tac-toe`);
  await page.getByRole("button", { name: de["library.friends"] }).click();
  await page.locator(".invite svg[role=img]").waitFor();
  expect(await english(page)).toEqual([]);
});
