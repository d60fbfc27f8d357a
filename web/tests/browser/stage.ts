// What every file of browser tests begins with: one server, one browser, and windows that are closed after each test.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { browse, open, serve, type Options, type Server, type Window } from "./houserules";

export interface Stage {
  server: Server;
  /** A window that knows nothing of the others. */
  visit(path: string, options?: Options): Promise<Page>;
}

/** Complaints of a page fail the test that made it. */
export function stage(): Stage {
  let browser: Browser;
  let windows: Window[] = [];
  const made = {} as Stage;
  beforeAll(async () => {
    [made.server, browser] = await Promise.all([serve(), browse()]);
  });
  afterEach(async () => {
    const complaints = windows.flatMap((window) => window.complaints);
    // A window that loads its page anew while it is closed may never say that it is closed; the browser ends it later.
    await Promise.all(windows.map((window) => Promise.race([window.context.close(), new Promise((done) => setTimeout(done, 20_000))])));
    windows = [];
    expect(complaints).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await made.server?.stop();
  });
  made.visit = async (path, options = {}) => {
    const window = await open(browser, path.startsWith("http") ? path : made.server.address + path, options);
    windows.push(window);
    return window.page;
  };
  return made;
}

/** Opens a table of a game from its page. */
export async function openTable(stage: Stage, game: string, how: "Play" | "Same screen" | "With friends", options: Options = {}): Promise<Page> {
  const page = await stage.visit(`/g/${game}`, options);
  for (const variant of options.variants ?? []) await page.getByRole("button", { name: variant, exact: true }).click();
  await page.getByRole("button", { name: how, exact: true }).click();
  if (how !== "With friends") await page.locator("main.table").waitFor();
  return page;
}

/** The host opens the table, everybody else comes by the link that is shown next, and the host starts. */
export async function sitTogether(stage: Stage, game: string, names: string[]): Promise<Page[]> {
  const host = await stage.visit(`/g/${game}`, { name: names[0] });
  const players = host.getByRole("combobox", { name: "Players" });
  await host.getByRole("button", { name: "With friends" }).waitFor();
  if ((await players.count()) > 0) await players.selectOption(String(names.length));
  await host.getByRole("button", { name: "With friends" }).click();
  const pages = [host];
  let link = "";
  for (const name of names.slice(1)) {
    await host.locator(".seats li.open").nth(names.length - pages.length - 1).waitFor();
    const shown = () => host.getByRole("textbox", { name: "Send this link" }).inputValue();
    // The link of the seat that was just taken may still be there.
    await expect.poll(shown, { timeout: 15_000 }).not.toBe(link);
    link = await shown();
    const guest = await stage.visit(link);
    await guest.getByRole("textbox", { name: "Your name" }).fill(name);
    await guest.getByRole("button", { name: "Sit down" }).click();
    await host.locator(".seats li", { hasText: name }).waitFor();
    pages.push(guest);
  }
  await host.getByRole("button", { name: "Start" }).click();
  for (const page of pages) await page.locator("main.table").waitFor();
  return pages;
}

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** axe finds nothing on the page as it is. */
export async function accessible(page: Page): Promise<void> {
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const result = await (window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> } }).axe.run();
    return result.violations.map((one) => `${one.id}: ${one.nodes.map((node) => String(node.target)).join(", ")}`);
  });
  expect(found).toEqual([]);
}
