// What the studio says of statements while they are put together, what it proposes, and what it took to make a game.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { dialog, keep, kept as text } from "./hands";
import { accessible, stage } from "./stage";

const room = stage();

const GAME = `#game "Holes"
#properties open
#players "A" "B"
#turns
#model hole
  #property stones 4
  #relation next
  #relation ways (dictionary "far" (list (entity "Second")) "near" (entity "First"))
  #appearance "Bild X" 0
  #appearance "Bild Y" 0
  #onMessage take
    (update property stones to 0)
  #onMessage sow
    (update property stones to (+ (property stones) 1))
#entity First is hole with "Bild X" 60 "Bild Y" 80 next Second
#entity Second is hole with "Bild X" 260 "Bild Y" 80 next Second
#action sow to hole
`;

async function opened(): Promise<Page> {
  const page = await room.visit("/studio", { name: "Ada" });
  await page.locator(".tree .name").first().waitFor();
  await keep(page, GAME);
  await page.reload();
  await page.locator('[data-thing="First"]').waitFor({ timeout: 20_000 });
  return page;
}

const blocks = (page: Page) => page.locator(".blocks");
const behavior = (page: Page, name: string) => page.locator(`.tree .name[data-name="${name}"]`).first().click();

async function take(page: Page, words: string): Promise<void> {
  await dialog(page).getByRole("searchbox").fill(words);
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "detached" });
}

/**
 * [GM-158] [GM-239] A chain goes from what changes the game through what works with values to where a value comes from; sending
 * stands anywhere. What is no chain is said on the statement itself.
 */
test("statements are verified while they are put together", async () => {
  const page = await opened();
  await behavior(page, "sow");
  const sink = blocks(page).locator('[data-form="UpdateProperty"]');
  await sink.waitFor();
  // Red, green and blue are inside of each other, and nothing is wrong with it.
  await sink.locator('.pipe[data-form="Add"] .source[data-form="Property"]').waitFor();
  expect(await sink.getAttribute("class")).toContain("sink");
  expect(await blocks(page).locator(".said").count()).toBe(0);
  // A message can be sent where a value is wanted, and where a statement stands.
  await sink.locator('[data-form="Property"] > .title').click({ button: "right", position: { x: 60, y: 8 } });
  await page.getByRole("menuitem", { name: /^Replace with/ }).click();
  await take(page, "(send take to self)");
  await sink.locator('.pipe [data-form="Send"].send').waitFor();
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await sink.locator('.pipe [data-form="Property"]').waitFor();
  // A chain that leads nowhere: its value is thrown away.
  const add = async (words: string) => {
    await blocks(page).locator(".add").click();
    await take(page, words);
  };
  await add("(+ (property stones) 1)");
  await add("(if 3 (say \"always\"))");
  await blocks(page).locator('.body > .list > .pipe[data-form="Add"] > .said').waitFor();
  const condition = blocks(page).locator('[data-form="If"]');
  await condition.locator(".said").first().waitFor();
  expect((await condition.locator(".said").allInnerTexts()).join(" ")).toMatch(/always|condition/i);
  // A place that is still empty is grey, and said where it is.
  await add("require");
  await blocks(page).locator('[data-form="Require"] .empty[data-form="Missing"]').waitFor();
  // It is counted in the tree, for the behavior and for its model.
  await page.locator('.tree .row', { has: page.locator('.name[data-name="sow"]') }).locator(".warnings, .errors").first().waitFor();
  await page.locator('.tree .row', { has: page.locator('.name[data-name="hole"]') }).locator(".warnings, .errors").first().waitFor();
  await accessible(page);
}, 120_000);

/** [GM-242] Where a message is sent, the messages are proposed that something answers; where a property is read, properties. */
test("names are proposed that fit the place", async () => {
  const page = await opened();
  await behavior(page, "sow");
  await blocks(page).locator(".add").click();
  await take(page, "Send message");
  const field = blocks(page).locator('[data-form="Send"] > .part input.value').first();
  await field.waitFor();
  const proposed = async (list: string | null) => page.locator(`datalist#${list} option`).evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value).sort());
  expect(await proposed(await field.getAttribute("list"))).toEqual(["sow", "take"]);
  const property = blocks(page).locator('[data-form="Property"] input.value').first();
  expect(await proposed(await property.getAttribute("list"))).toEqual(["Bild X", "Bild Y", "next", "stones", "ways"]);
  await field.fill("take");
  await field.press("Enter");
  await expect.poll(() => text(page)).toContain("(send take to self)");
}, 90_000);

/** [GM-193] Links of the first level are drawn by themselves; those deeper inside only where they are asked for. */
test("deeper links can be left out, and a link to itself is a bow", async () => {
  const page = await opened();
  const links = () => page.locator("[data-link]").evaluateAll((all) => all.map((one) => (one as SVGElement).dataset.link).sort());
  const first = ["First|next|Second", "Second|next|Second"];
  const deep = ["First|ways|First", "First|ways|Second", "Second|ways|First", "Second|ways|Second"];
  await expect.poll(async () => (await links()).filter((one) => !deep.includes(one!))).toEqual(first);
  const nested = page.getByRole("button", { name: "Nested", exact: true });
  const all = await links();
  expect(all.length).toBeGreaterThan(2);
  await nested.click();
  await expect.poll(async () => (await links()).includes("First|ways|Second")).toBe(false);
  expect((await links()).filter((one) => one!.includes("|next|"))).toEqual(first);
  await nested.click();
  await expect.poll(links).toEqual(all);
  // The bow leaves the thing and comes back to it outside of its picture.
  const bow = await page.locator('[data-link="Second|next|Second"] .thin').evaluate((one) => {
    const path = one as SVGPathElement;
    const middle = path.getPointAtLength(path.getTotalLength() / 2);
    return { length: path.getTotalLength(), middle: middle.y };
  });
  expect(bow.length).toBeGreaterThan(60);
  expect(bow.middle).toBeLessThan(80);
}, 90_000);

/** [FR-151] What it takes to make a game is counted: steps, what was taken back, what was refused, and how long it took. */
test("the effort of making a game is told and can be saved as a table", async () => {
  const page = await opened();
  await page.getByRole("button", { name: "Add model", exact: true }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("stone");
  await page.keyboard.press("Enter");
  await page.locator('.tree .name[data-name="stone"]').waitFor();
  await page.getByRole("button", { name: "Add model", exact: true }).click();
  await dialog(page).getByLabel("Name", { exact: true }).fill("stone");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "“stone” is there already." }).waitFor();
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await page.locator('.tree .name[data-name="stone"]').waitFor({ state: "detached" });
  await page.keyboard.press("Alt+h");
  const history = page.getByRole("region", { name: "History" });
  await history.getByText(/^1 step in [\d.]+ minutes, 1 taken back, 1 refused/).waitFor();
  const [file] = await Promise.all([page.waitForEvent("download"), history.getByRole("button", { name: "Save as a table" }).click()]);
  const lines = readFileSync((await file.path())!, "utf8").trim().split("\n");
  expect(lines[0]).toBe("seconds,act,what");
  expect(lines.slice(1).map((line) => line.replace(/^[\d.]+,/, ""))).toEqual(['step,"Added: stone"', 'refused,"“stone” is there already."', 'undone,"Added: stone"']);
  // It is there again after the page was closed.
  await page.reload();
  await page.locator('[data-thing="First"]').waitFor({ timeout: 20_000 });
  await page.keyboard.press("Alt+h");
  await history.getByText(/1 taken back, 1 refused/).waitFor();
}, 90_000);
