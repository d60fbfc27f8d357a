// Rules that are changed while they are played by.
import { expect, test } from "vitest";
import { accessible, openTable, sitTogether, stage } from "./stage";
import { click, moved, yourTurn } from "./table";
import type { Page } from "playwright-core";

const room = stage();

const panel = (page: Page) => page.getByRole("complementary", { name: "Rules of this table" });

async function openRules(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Rules/ }).first().click();
  await panel(page).locator(".rule").first().waitFor();
}

test("a rule is switched off in mid-match when the other agrees, and it is seen everywhere", async () => {
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  await click(ada!, "b2");
  await moved(ben!, "b2");
  await click(ben!, "b2");
  await ben!.getByRole("alert").filter({ hasText: "Only empty cells" }).getByRole("button", { name: "Propose to change it" }).click();
  await panel(ben!).getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "off" }).click();
  await panel(ben!).getByText("You propose:").waitFor();
  // Nothing has changed before Ada agrees.
  expect(await panel(ben!).getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { checked: true }).getAttribute("aria-label")).toMatch(/enforced/);
  await ada!.getByText("Ben proposes:").waitFor();
  // What it would have changed so far stands beside the question.
  await ada!.getByText("None of the 1 moves so far would have gone otherwise.").waitFor();
  await ada!.getByRole("button", { name: "Agree" }).click();
  for (const page of [ada!, ben!]) {
    await page.locator("header .chip.pencil", { hasText: "1 change" }).waitFor();
    await page.locator(".note.penciled", { hasText: "Only empty cells → off" }).waitFor({ state: "attached" });
  }
  await ben!.keyboard.press("Escape");
  await click(ben!, "b2");
  await moved(ada!, "b2", 1);
});

test("before a ruling everybody sees the position as it is and as it would be", async () => {
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  await click(ada!, "b2");
  await moved(ben!, "b2");
  await ben!.keyboard.press("r");
  await panel(ben!).getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "advised" }).click();
  await ada!.getByRole("button", { name: "Agree" }).click();
  await ben!.locator(".note.penciled", { hasText: "Only empty cells" }).waitFor({ state: "attached" });
  await ben!.keyboard.press("Escape");
  await click(ben!, "b2");
  await ben!.getByRole("alertdialog").getByRole("button", { name: "Play it all the same" }).click();
  const sides = ada!.locator(".sides figure");
  await sides.nth(0).locator('.spot[aria-label="b2, X"]').waitFor({ state: "attached" });
  await sides.nth(1).locator('.spot[aria-label="b2, O"]').waitFor({ state: "attached" });
  await accessible(ada!);
  await ada!.getByRole("button", { name: "Agree" }).click();
  await ada!.locator('.middle .spot[aria-label="b2, O"]').waitFor({ state: "attached" });
});

test("a law is typed with a mistake first, told where it is, mended, played by and taken back", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await openRules(page);
  await panel(page).getByRole("button", { name: "New rule" }).click();
  const text = panel(page).getByRole("textbox", { name: "Text of the rule" });
  await page.locator(".cm-content").waitFor();
  await text.fill('#law "Never the middle" on place\n  (require (!= slef b2) "The middle stays empty.")');
  await panel(page).getByText(/slef/).last().waitFor();
  await page.locator(".message.error").first().waitFor();
  const apply = panel(page).getByRole("button", { name: "Apply" });
  expect(await apply.isDisabled()).toBe(true);
  await text.fill('#law "Never the middle" on place\n  (require (!= self b2) "The middle stays empty.")');
  await panel(page).getByText("This fits the running match.").waitFor();
  await apply.click();
  await panel(page).locator(".rule", { hasText: "Never the middle" }).waitFor();
  await click(page, "b2");
  await page.getByRole("alert").filter({ hasText: "The middle stays empty." }).waitFor();
  await panel(page).getByRole("tab", { name: /Changes/ }).click();
  await panel(page).getByRole("button", { name: "Undo" }).click();
  await panel(page).locator(".rule", { hasText: "Never the middle → off" }).waitFor();
  await click(page, "b2");
  await page.locator(".moves button", { hasText: "b2" }).waitFor({ state: "attached" });
});

test("every example of a new rule fits a running match", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await openRules(page);
  await panel(page).getByRole("button", { name: "New rule" }).click();
  await page.locator(".cm-content").waitFor();
  const examples = panel(page).locator(".pick");
  for (let n = 0; n < (await examples.count()); n++) {
    await examples.nth(n).click();
    await panel(page).getByText("This fits the running match.").waitFor();
    await page.locator(".cm-content").fill("");
    await panel(page).getByText("This fits the running match.").waitFor({ state: "detached" });
  }
  expect(await examples.count()).toBe(4);
});

test("a setting is changed in mid-match, and the changes are kept as a variant", async () => {
  const page = await openTable(room, "nine-mens-morris", "Same screen");
  await yourTurn(page);
  await openRules(page);
  await panel(page).getByRole("tab", { name: "Settings and variants" }).click();
  const flying = panel(page).getByRole("group", { name: "Fly with so many men left" });
  await flying.getByRole("button", { name: "+" }).click();
  await flying.getByText("4", { exact: true }).waitFor();
  await panel(page).getByRole("tab", { name: /Changes/ }).click();
  await panel(page).getByRole("textbox", { name: "Name of the variant" }).fill("High flyers");
  const [download] = await Promise.all([page.waitForEvent("download"), panel(page).getByRole("button", { name: "Keep these as a variant" }).click()]);
  const stream = await download.createReadStream();
  const kept = (await stream.toArray()).map(String).join("");
  expect(kept).toBe('#variant "High flyers"\n#set flying 4\n');
});

test("a copy of the whole game is changed and played", async () => {
  const page = await room.visit("/g/tic-tac-toe");
  await page.getByText("The definition").click();
  await page.getByRole("link", { name: "See and change the whole game" }).click();
  const text = page.locator(".cm-content");
  await text.waitFor();
  await page.getByText("No errors.").waitFor();
  await text.fill('#game "Two in a row"\n#players "X" "O"\n#turns\n#model cell\n  #property mark\n#board cell grid 2 2\n#action place to cell\n  (set mark to playr)\n');
  await page.getByText("1 error", { exact: true }).waitFor();
  await page.locator("footer", { hasText: "line 8" }).waitFor();
  expect(await page.getByRole("button", { name: "Play with others" }).isDisabled()).toBe(true);
  await text.fill('#game "Two in a row"\n#players "X" "O"\n#turns\n#model cell\n  #property mark\n#board cell grid 2 2\n#action place to cell\n  (set mark to player)\n#law "Only empty" on place\n  (require (not mark) "Taken.")\n#sideeffect "Two win" on place\n  (if (line 2 of mark) (win player))\n');
  await page.getByText("No errors.").waitFor();
  await page.getByRole("button", { name: "Play with others" }).click();
  await page.getByRole("heading", { name: "Two in a row" }).first().waitFor();
  await page.getByRole("button", { name: "Same screen" }).click();
  await yourTurn(page);
  await click(page, "a1");
  await moved(page, "a1");
});

test("an editor offers the names of the game, and says what a word means", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await openRules(page);
  await panel(page).getByRole("button", { name: "New rule" }).click();
  const text = page.locator(".cm-content");
  await text.waitFor();
  await text.click();
  await page.keyboard.type('#law "Mine" on place (require (not ma');
  await page.locator(".cm-tooltip-autocomplete li", { hasText: "mark" }).first().click();
  await expect.poll(() => text.innerText()).toContain("(not mark");
  await page.locator(".cm-lintRange-error").first().waitFor();
  // What is marked is cut into pieces anew whenever it is checked, so the word is found by where it is drawn.
  const at = await text.evaluate((editor) => {
    const walk = document.createTreeWalker(editor, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const from = walk.currentNode.textContent!.indexOf("require");
      if (from < 0) continue;
      const range = document.createRange();
      range.setStart(walk.currentNode, from);
      range.setEnd(walk.currentNode, from + "require".length);
      const box = range.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    }
    throw new Error("the word is not in the text");
  });
  // A check that comes in between takes the words away again; whoever wants them moves the mouse a little.
  const told = page.locator(".cm-tooltip", { hasText: "(require C [REASON])" });
  let nudge = 0;
  await expect.poll(async () => {
    await page.mouse.move(at.x + (nudge = 1 - nudge), at.y);
    return told.waitFor({ timeout: 2000 }).then(() => true, () => false);
  }, { timeout: 20_000 }).toBe(true);
});
