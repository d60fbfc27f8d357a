// Every page at two sizes, light and dark, on one sheet, to be looked at.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { keep } from "./hands";
import { browse, open, PROGRAM, serve } from "./houserules";
import { click, playSome, yourTurn } from "./table";

const FOLDER = join(import.meta.dirname, "../../../target/screenshots");

/** A page to look at: where it is, and what is opened there before the picture is taken. */
interface Shot {
  name: string;
  path: string;
  before?: (page: Page) => Promise<void>;
  /** Seen by somebody who has never been here. */
  stranger?: boolean;
}

const MODES = [
  { name: "light", phone: false, dark: false },
  { name: "dark", phone: false, dark: true },
  { name: "phone", phone: true, dark: false },
  { name: "phone-dark", phone: true, dark: true },
];

/** Tables that are opened for the pictures, with how much is played there first. */
const TABLES: { game: string; how: "machine" | "here"; plies: number; variants?: string[] }[] = [
  { game: "tic-tac-toe", how: "machine", plies: 2 },
  { game: "awele", how: "here", plies: 9 },
  { game: "go", how: "here", plies: 24, variants: ["9x9"] },
  { game: "chess", how: "here", plies: 16 },
  { game: "whist", how: "machine", plies: 3 },
  { game: "battleships", how: "machine", plies: 8 },
  { game: "hearts", how: "machine", plies: 4 },
  { game: "salt-road", how: "machine", plies: 4 },
  { game: "manila", how: "machine", plies: 8 },
  { game: "backgammon", how: "machine", plies: 6 },
  { game: "rock-paper-scissors", how: "machine", plies: 0 },
  { game: "nine-mens-morris", how: "here", plies: 0 },
];

test("every page is drawn", async () => {
  const only = process.env.HOUSERULES_SHOTS?.split(",");
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const [server, browser] = await Promise.all([serve(), browse()]);
  try {
    const shots: Shot[] = [
      { name: "library", path: "/" },
      { name: "game", path: "/g/go" },
      { name: "drop", path: "/replay" },
      { name: "gone", path: "/t/no-such-table" },
    ];
    const first = await open(browser, `${server.address}/`, { name: "Ada" });
    const page = first.page;
    for (const { game, how, plies, variants } of TABLES) {
      if (only && !only.includes(game) && !only.some((one) => one.startsWith(`${game}-`))) continue;
      await page.goto(`${server.address}/g/${game}`);
      for (const variant of variants ?? []) await page.getByRole("button", { name: variant, exact: true }).click();
      await page.getByRole("button", { name: how === "here" ? "Same screen" : "Play", exact: true }).click();
      await page.locator("main.table").waitFor();
      if (game === "nine-mens-morris") await mill(page);
      else await playSome(page, plies);
      const path = new URL(page.url()).pathname;
      shots.push({ name: game, path });
      if (game === "awele") {
        shots.push({ name: "awele-rules", path, before: openRules });
        shots.push({ name: "awele-editor", path, before: openEditor });
        shots.push({ name: "awele-replay", path: `/replay${path.slice(2)}`, before: judged });
      }
      if (game === "tic-tac-toe") shots.push({ name: "study", path, before: study });
      if (game === "salt-road") shots.push({ name: "salt-road-hand", path: await handed(page) });
      if (game === "go") shots.push({ name: "go-refused", path, before: refusal }, { name: "go-rules", path, before: openRules });
    }
    if (!only || only.includes("lobby")) {
      await page.goto(`${server.address}/g/awele`);
      await page.getByRole("button", { name: "With friends" }).click();
      await page.getByRole("heading", { name: "Seats" }).waitFor();
      shots.push({ name: "lobby", path: new URL(page.url()).pathname });
      const link = new URL(await page.getByRole("textbox", { name: "Send this link" }).inputValue());
      shots.push({ name: "invited", path: link.pathname + link.hash, stranger: true });
    }
    shots.push({ name: "studio", path: "/studio", before: making });
    const storageState = await first.context.storageState();
    await first.context.close();
    const wanted = shots.filter((shot) => !only || only.includes(shot.name));
    for (const { name: mode, ...looks } of MODES) {
      const [own, strange] = [await open(browser, "about:blank", { ...looks, storageState }), await open(browser, "about:blank", looks)];
      for (const shot of wanted) {
        const window = shot.stranger ? strange : own;
        await window.page.goto(server.address + shot.path);
        await window.page.locator("main#content").waitFor();
        if (shot.path.startsWith("/t/")) await window.page.locator("main.table, .lobby").first().waitFor();
        await shot.before?.(window.page);
        await window.page.waitForLoadState("networkidle");
        await window.page.screenshot({ path: join(FOLDER, `${shot.name}-${mode}.png`) });
      }
      await Promise.all([own.context.close(), strange.context.close()]);
    }
    writeFileSync(join(FOLDER, "index.html"), sheet(wanted.map((shot) => shot.name)));
    const contact = await open(browser, `file://${FOLDER}/index.html`);
    await contact.page.screenshot({ path: join(FOLDER, "sheet.png"), fullPage: true });
    console.log(`${wanted.length * MODES.length} pictures: target/screenshots/index.html, all of them on target/screenshots/sheet.png`);
  } finally {
    await browser.close();
    await server.stop();
  }
});

/** The tutorial's game as it is made: its things, their images and links. */
async function making(page: Page): Promise<void> {
  const folder = join(import.meta.dirname, "../../../games/awele-tutorial");
  const text = execFileSync(PROGRAM, ["convert", join(folder, "game.gdf.xml"), "--to", "gdl"], { encoding: "utf8" });
  await page.locator(".tree .name").first().waitFor({ state: "attached" });
  await keep(page, text);
  await page.reload();
  await page.locator('[data-thing="Loch 1"]').waitFor({ state: "attached" });
  for (const image of ["loch.png", "spieler1.png", "spieler2.png"]) {
    await page.locator(".frame").evaluate((frame, [name, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(atob(bytes!), (one) => one.charCodeAt(0))], name!, { type: "image/png" }));
      frame.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data, clientX: 0, clientY: 0 }));
    }, [image, readFileSync(join(folder, image)).toString("base64")]);
    await page.locator("dialog[open]").waitFor();
    await page.keyboard.press("Escape");
  }
  for (const layer of ["Nächster Spieler", "Spieler -> Löcher", "Vorheriges Loch", "Loch -> Spieler"]) await page.locator(".layers .chip", { hasText: layer }).locator("button").first().evaluate((one) => (one as HTMLElement).click());
  await page.locator('.tree .name[data-name="Kugeln verteilen"]').evaluate((one) => (one as HTMLElement).click());
  await page.locator(".blocks .block").first().waitFor({ state: "attached" });
  await page.locator('.tree .name[data-name="Loch 6"]').evaluate((one) => (one as HTMLElement).click());
  const panes = page.locator(".panes button").nth(1);
  if (await panes.isVisible()) await panes.click();
}

/** The seat as a phone has it. */
async function handed(page: Page): Promise<string> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: "Phone as my hand" }).click();
  const link = new URL(await page.getByRole("textbox", { name: "Link for this seat alone" }).inputValue());
  await page.keyboard.press("Escape");
  return link.pathname + link.search + link.hash;
}

async function openRules(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Rules/ }).first().click();
  await page.locator(".rule").first().waitFor();
}

/** The text of a rule, with a word that the checker does not know. */
async function openEditor(page: Page): Promise<void> {
  await openRules(page);
  await page.getByRole("button", { name: "Open the text of Chain Reaction", exact: true }).click();
  const text = page.locator(".cm-content");
  await text.waitFor();
  await text.fill((await text.innerText()).replace("giveStones", "giveStone"));
  await page.locator(".message").first().waitFor();
}

/** Three in a row, and the question that follows. */
async function mill(page: Page): Promise<void> {
  for (const point of ["a7", "a1", "d7", "d1", "g7"]) {
    await yourTurn(page);
    await click(page, point);
    await page.locator(".moves button", { hasText: point }).first().waitFor();
  }
}

async function judged(page: Page): Promise<void> {
  await page.locator(".replay").waitFor();
  await page.getByRole("button", { name: "Judge the moves" }).click();
  await page.getByRole("button", { name: "Judge the moves" }).waitFor();
  await page.getByRole("img", { name: /Value over time/ }).waitFor();
}

async function study(page: Page): Promise<void> {
  await openRules(page);
  await page.getByRole("button", { name: /^Open the text/ }).first().click();
  await page.getByRole("button", { name: "What would the game be without it?" }).click();
  await page.getByRole("img", { name: /^How long matches are/ }).waitFor();
}

/** Clicks on a stone that is there already, which no law allows. */
async function refusal(page: Page): Promise<void> {
  await yourTurn(page);
  const taken = await page.locator('.spot[aria-disabled="true"]').first().getAttribute("aria-label");
  await click(page, taken?.split(",")[0] ?? "");
  await page.getByRole("alert").first().waitFor();
}

function sheet(names: string[]): string {
  const rows = names.map((name) => `<tr><th>${name}</th>${MODES.map((mode) => `<td><img src="${name}-${mode.name}.png" alt="${name}, ${mode.name}"></td>`).join("")}</tr>`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Screenshots</title>
<style>body{font:14px sans-serif;margin:16px}th{text-align:left;vertical-align:top}img{height:260px;border:1px solid #ccc}td{padding:4px}</style>
<table>${rows.join("\n")}</table></html>
`;
}
