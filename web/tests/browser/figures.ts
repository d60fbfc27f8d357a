// How fast it is for whoever plays, on this computer: bytes of script, time to the first board, time from a click to a moved piece.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { test } from "vitest";
import { crowd, frames } from "./frames";
import { keep } from "./hands";
import { browse, open, serve } from "./houserules";
import { click, moved, spot, yourTurn } from "./table";

const DIST = join(import.meta.dirname, "../../dist/assets");

const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;

test("figures", async () => {
  const [server, browser] = await Promise.all([serve(), browse()]);
  try {
    const scripts = readdirSync(DIST).filter((name) => name.endsWith(".js"));
    const size = (names: string[]) => names.reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, name)), { level: 9 }).length, 0);

    // What a browser really fetches for the first page, then for a table.
    const first = await open(browser, "about:blank", { name: "Ada" });
    const fetched: string[] = [];
    first.page.on("response", (response) => {
      const name = /\/assets\/([^/]+\.js)$/.exec(response.url())?.[1];
      if (name !== undefined) fetched.push(name);
    });
    await first.page.goto(server.address);
    await first.page.getByRole("button", { name: "Play: Tic-tac-toe" }).first().waitFor();
    const library = size([...new Set(fetched)]);
    const shelf = await first.page.evaluate(() => performance.now());
    await first.page.getByRole("button", { name: "Play: Tic-tac-toe" }).first().click();
    await yourTurn(first.page);
    const table = size([...new Set(fetched)]);

    // A table opened by its link in a fresh window: until its board is drawn.
    const path = new URL(first.page.url()).pathname;
    const storageState = await first.context.storageState();
    const boards: number[] = [];
    for (let n = 0; n < 5; n++) {
      const window = await open(browser, "about:blank", { storageState });
      await window.page.goto(server.address + path);
      await spot(window.page, "a1").waitFor({ state: "attached" });
      boards.push(await window.page.evaluate(() => performance.now()));
      await window.context.close();
    }
    await first.context.close();

    // Both seats at one screen: from the pointer that comes up to the next picture with the mark.
    const window = await open(browser, `${server.address}/g/tic-tac-toe`, { name: "Ada" });
    const page = window.page;
    await page.getByRole("button", { name: "Same screen" }).click();
    await yourTurn(page);
    await page.evaluate(() => {
      const told = window as unknown as { moves: number[] };
      told.moves = [];
      let up = 0;
      addEventListener("pointerup", () => (up = performance.now()), true);
      new MutationObserver((changes) => {
        const drawn = changes.some((change) => [...change.addedNodes].some((node) => node instanceof Element && node.matches("[data-graphic]")));
        if (up === 0 || !drawn) return;
        const since = up;
        up = 0;
        requestAnimationFrame(() => told.moves.push(performance.now() - since));
      }).observe(document.querySelector(".board")!, { childList: true, subtree: true });
    });
    for (const cell of ["a1", "b2", "a2", "a3", "c1", "b1", "b3", "c2"]) {
      await yourTurn(page);
      await click(page, cell);
      await moved(page, cell);
    }
    await page.waitForTimeout(100);
    const moves = await page.evaluate(() => (window as unknown as { moves: number[] }).moves);
    await window.context.close();

    const line = (name: string, value: string) => `${name.padEnd(44)} ${value}`;
    const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
    const ms = (time: number) => `${time.toFixed(0)} ms`;
    console.log(
      [
        line("script for the first page, compressed", kb(library)),
        line("script for the first page and a table", kb(table)),
        line("all script, editors included", kb(size(scripts))),
        line("shelf on the screen after", ms(shelf)),
        line("board on the screen after (median of 5)", ms(median(boards))),
        line(`click to moved piece (median of ${moves.length})`, ms(median(moves))),
        line("click to moved piece (longest)", ms(Math.max(...moves))),
      ].join("\n"),
    );
  } finally {
    await browser.close();
    await server.stop();
  }
});

test("figures of the studio", async () => {
  const [server, browser] = await Promise.all([serve(), browse()]);
  try {
    const N = 500;
    const { page } = await open(browser, `${server.address}/studio`, { name: "Ada" });
    await page.locator('.tree .name[data-name="Untitled"]').waitFor();
    await keep(page, crowd(N));
    await page.reload();
    await page.locator("[data-thing]").nth(N - 1).waitFor();
    await page.waitForTimeout(1500);
    const box = (await page.locator('[data-thing="thing 30"] .blank').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    const moving = await frames(page, async () => {
      for (let n = 0; n < 120; n++) await page.mouse.move(box.x + box.width / 2 + 3 * Math.sin(n / 9) * n, box.y + 20 + n * 2);
    });
    const began = await page.evaluate(() => performance.now());
    const version = await page.locator("main.studio").getAttribute("data-version");
    await page.mouse.up();
    await page.waitForFunction((old) => document.querySelector("main.studio")!.getAttribute("data-version") !== old, version);
    const written = (await page.evaluate(() => performance.now())) - began;
    const frame = (await page.locator(".frame").boundingBox())!;
    await page.mouse.move(frame.x + 300, frame.y + 300);
    const panning = await frames(page, async () => {
      for (let n = 0; n < 60; n++) await page.mouse.wheel(0, n < 30 ? 12 : -12);
    });
    const zooming = await frames(page, async () => {
      await page.keyboard.down("Control");
      for (let n = 0; n < 40; n++) await page.mouse.wheel(0, n < 20 ? -20 : 20);
      await page.keyboard.up("Control");
    });
    const told = (name: string, times: number[]) => `${`${N} things: ${name}`.padEnd(44)} median ${median(times).toFixed(1)} ms, 19 of 20 below ${times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!.toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms (${times.length} pictures)`;
    console.log([told("a picture while one is moved", moving), told("a picture while panning", panning), told("a picture while zooming", zooming), `${`${N} things: from letting go to the next picture`.padEnd(44)} ${written.toFixed(0)} ms`].join("\n"));
  } finally {
    await browser.close();
    await server.stop();
  }
});
