// What a house rule does to a game, asked from the rules panel.
import { expect, test } from "vitest";
import { accessible, openTable, stage } from "./stage";
import { yourTurn } from "./table";

const room = stage();

test("a study of a rule is begun from its row, shows how far it is, and what it found", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  await page.getByRole("button", { name: /^Rules/ }).first().click();
  await page.getByRole("button", { name: "Open the text of A line of marks wins" }).click();
  await page.getByRole("button", { name: "What would the game be without it?" }).click();
  await page.getByText(/of 400 matches/).waitFor();
  await page.getByRole("region", { name: "What is different" }).getByRole("table").waitFor();
  // Distributions one over the other, and what each rule did in some of the matches.
  await page.getByRole("img", { name: /^How long matches are: 7\.\d/ }).waitFor();
  const mattered = page.getByRole("region", { name: "Which rules mattered" });
  await mattered.getByRole("row", { name: /A line of marks wins/ }).getByRole("cell", { name: "left out" }).waitFor();
  await mattered.getByRole("row", { name: /Only empty cells/ }).getByRole("cell", { name: "100 %" }).first().waitFor();
  const length = page.getByRole("row", { name: /choices in a match/ }).first();
  await length.getByText("more than noise").waitFor();
  expect(await page.locator("main h2").first().innerText()).not.toBe("What does this do to the game?");
  await accessible(page);
  await page.getByRole("link", { name: "To the table" }).click();
  await yourTurn(page);
  await page.goBack();
  // What was studied is played at a table that begins so.
  await page.getByRole("button", { name: "Play it so" }).click();
  await page.locator(".house li", { hasText: "A line of marks wins" }).getByText("off").waitFor();
});

test("a long study says what it has found so far, and can be stopped", async () => {
  // Matches that are long even on a quick computer.
  const page = await openTable(room, "chess", "Same screen");
  await yourTurn(page);
  await page.getByRole("button", { name: /^Rules/ }).first().click();
  await page.getByRole("button", { name: /^Open the text/ }).first().click();
  await page.getByRole("button", { name: "What would the game be without it?" }).click();
  await page.getByText(/of 400 matches/).waitFor();
  await page.getByRole("button", { name: "Ten times more" }).click({ timeout: 120_000 });
  await page.getByText(/of 2000 matches/).waitFor();
  // What the matches say so far stands there while the rest is played.
  await page.getByRole("img", { name: /^How long matches are/ }).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.getByText("It was stopped.").waitFor();
  await page.getByRole("region", { name: "What is different" }).getByRole("table").waitFor();
});
