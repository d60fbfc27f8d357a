// Games that are written in other languages are played like any other.
import { expect, test } from "vitest";
import { accessible, openTable, stage } from "./stage";
import { moved, playSome, spot, yourTurn } from "./table";

const room = stage();

test("Mens-erger-je-niet is played from its text in BGD, against the machine", async () => {
  const page = await openTable(room, "mens-erger-je-niet.bgd", "Play");
  const moves = () => page.locator(".moves .pair button").allInnerTexts();
  const moved = async (who: string) => (await moves()).some((words) => new RegExp(`^\\d+, ${who}:`).test(words));
  // Whoever has no pawn on the track waits for a six, so how long it takes is a matter of luck.
  for (let n = 0; n < 100 && !((await moved("Guest")) && (await moved("Green"))); n++) await playSome(page, 1);
  await yourTurn(page);
  expect((await moves()).filter((words) => /^\d+, Guest:\s*Enter Blue\d/.test(words)).length).toBeGreaterThan(0);
  expect((await moves()).filter((words) => /^\d+, Green:\s*Enter Green\d/.test(words)).length).toBeGreaterThan(0);
  expect(await page.locator('.spot[aria-label^="Field"][aria-label$="Pawn"]').count()).toBeGreaterThan(0);
  await accessible(page);
});

test("Othello from Spira is played by a person and the machine, and discs are turned over", async () => {
  const page = await openTable(room, "othello.cep", "Play");
  await yourTurn(page);
  const open = page.locator('.spot[aria-disabled="false"]');
  expect(await open.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")).sort())).toEqual(["2/3", "3/2", "4/5", "5/4"]);
  await spot(page, "3/2").focus();
  await page.keyboard.press("Enter");
  await moved(page, "3/2");
  await yourTurn(page);
  const discs = (side: string) => page.locator(`.spot[aria-label*="${side}"]`).count();
  // Four at first, one laid and one turned over by each.
  expect([await discs("black"), await discs("white")]).toEqual([3, 3]);
  await accessible(page);
});
