// Games that somebody brings: what they draw themselves, and the pictures that lie beside them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { stage } from "./stage";
import { click, moved, spot, yourTurn } from "./table";

const room = stage();
const GAMES = join(import.meta.dirname, "../../../games");

/** Keeps a game as the studio does, and opens a table of it at one screen. */
async function bring(files: { path: string; text: string }[]): Promise<Page> {
  const answer = await fetch(`${room.server.address}/api/definitions`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ files }) });
  expect(answer.status, await answer.clone().text()).toBe(201);
  const { id } = (await answer.json()) as { id: string };
  const page = await room.visit(`/g/${id}`);
  await page.getByRole("button", { name: "Same screen" }).click();
  await yourTurn(page);
  return page;
}

const LANTERNS = `#game "Lanterns"
#players "Ada" "Ben"
#turns
#model lantern
  #property lit
  #property oil 3
#entity East is lantern
#entity West is lantern
#entity North is lantern
#action kindle to lantern
  (set lit to true)
  (decrease oil by 1)
#law "Without oil it stays dark" on kindle
  (require (> oil 2) "There is no oil left.")
#view "Glass" of lantern
  #onMessage start
    (new graphic glass with shape "rectangle" width 90 height 130 round 20 fill "felt-field")
    (new graphic flame with shape "ellipse" width 60 height 90 fill "gold" opacity 15 z 1)
    (observe lit notify changed)
    (on flame clicked notify (new message kindle to self))
  #onMessage changed
    (update graphic flame attribute opacity to (if new 100 else 15))
`;

test("what a view draws to be clicked is clicked, by mouse and by keyboard, under the laws of the game", async () => {
  const page = await bring([{ path: "lanterns.gdl", text: LANTERNS }]);
  await click(page, "East");
  await moved(page, "East");
  await yourTurn(page);
  await spot(page, "West").focus();
  await page.keyboard.press("Enter");
  await moved(page, "West");
  await yourTurn(page);
  // Both have burnt: clicked once more the law refuses, and nothing has happened.
  await click(page, "East");
  await page.getByRole("alert").waitFor();
  expect(await page.locator(".moves .pair button").count()).toBe(2);
});

test("pictures that lie beside a game are drawn at its table", async () => {
  const page = await room.visit("/g/awele-tutorial.gdf.xml");
  await page.getByRole("button", { name: "Same screen" }).click();
  await page.locator(".board image").first().waitFor();
  const drawn = () => page.locator(".board image").evaluateAll((all) => all.map((one) => one.getAttribute("href")!.split("/").at(-1)!));
  const names = await drawn();
  expect(names.filter((name) => name === "loch.png")).toHaveLength(12);
  expect([...new Set(names)].sort()).toEqual(["loch.png", "spieler1.png", "spieler2.png"]);
  const response = await page.request.get(`${room.server.address}/api/games/awele-tutorial.gdf.xml/pictures/loch.png`);
  expect((await response.body()).equals(readFileSync(join(GAMES, "awele-tutorial/loch.png")))).toBe(true);
});

test("pictures are sent along with a game that is brought, and belong to it alone", async () => {
  const bytes = readFileSync(join(GAMES, "awele-tutorial/loch.png"));
  const picture = { path: "bowl.png", text: `data:image/png;base64,${bytes.toString("base64")}` };
  const view = LANTERNS.replace('with shape "rectangle"', 'with image "bowl.png"');
  const page = await bring([{ path: "lanterns.gdl", text: view }, picture]);
  const image = page.locator(".board image").first();
  await image.waitFor();
  const address = await image.getAttribute("href");
  const response = await page.request.get(room.server.address + address);
  expect((await response.body()).equals(bytes)).toBe(true);
  const elsewhere = await page.request.get(`${room.server.address}/api/games/tic-tac-toe/pictures/bowl.png`);
  expect(elsewhere.status()).toBe(404);
});
