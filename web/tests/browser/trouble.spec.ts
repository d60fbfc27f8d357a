// What goes wrong at tables: each says what happened and what to do, and nothing that was typed is lost.
import { expect, test } from "vitest";
import { serve } from "./houserules";
import { accessible, openTable, sitTogether, stage } from "./stage";
import { click, moved, status, yourTurn } from "./table";
import type { Page } from "playwright-core";

const room = stage();

const panel = (page: Page) => page.getByRole("complementary", { name: "Rules of this table" });

test("a second window takes the seat, the first says so and takes it back on request", async () => {
  const first = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(first);
  const second = await first.context().newPage();
  second.setDefaultTimeout(15_000);
  await second.goto(first.url());
  await yourTurn(second);
  await first.getByText("You are playing in another window.").waitFor();
  await first.locator('.spot[aria-disabled="false"]').first().waitFor({ state: "detached" });
  await accessible(first);
  await first.getByRole("button", { name: "Play here" }).click();
  await second.getByText("You are playing in another window.").waitFor();
  await yourTurn(first);
  await click(first, "b2");
  await moved(first, "b2");
  await moved(second, "b2");
  await second.close();
});

test("a link that was used says so, and lets one watch", async () => {
  const host = await room.visit("/g/tic-tac-toe", { name: "Ada" });
  await host.getByRole("button", { name: "With friends" }).click();
  const link = await host.getByRole("textbox", { name: "Send this link" }).inputValue();
  const ben = await room.visit(link);
  await ben.getByText("You would play O.").waitFor();
  await ben.getByRole("textbox", { name: "Your name" }).fill("Ben");
  await ben.getByRole("button", { name: "Sit down" }).click();
  await host.locator(".seats li", { hasText: "Ben" }).waitFor();
  const late = await room.visit(link);
  await late.getByText("This link has been used.").waitFor();
  await late.getByText("Ask Ada for a new one").waitFor();
  expect(await late.getByRole("textbox", { name: "Your name" }).count()).toBe(0);
  await accessible(late);
  await host.getByRole("button", { name: "Start" }).click();
  await host.locator("main.table").waitFor();
  await late.getByText("This link has been used.").waitFor();
  await click(host, "b2");
  await moved(late, "b2");
});

test("whoever is faster sits, and what the other has typed stays", async () => {
  const host = await room.visit("/g/tic-tac-toe", { name: "Ada" });
  await host.getByRole("button", { name: "With friends" }).click();
  const link = await host.getByRole("textbox", { name: "Send this link" }).inputValue();
  const [ben, cleo] = [await room.visit(link), await room.visit(link)];
  await cleo.getByRole("textbox", { name: "Your name" }).fill("Cleo");
  await ben.getByRole("textbox", { name: "Your name" }).fill("Ben");
  await ben.getByRole("button", { name: "Sit down" }).click();
  await cleo.getByText("This link has been used.").waitFor();
  for (const page of [host, ben]) await page.locator(".seats li", { hasText: "Ben" }).first().waitFor();
});

test("a link that never was, and a table that is gone, lead back to the library", async () => {
  const page = await room.visit("/t/no-such-table");
  await page.getByRole("heading", { name: "There is no such table." }).waitFor();
  await accessible(page);
  await page.getByRole("link", { name: "To the library" }).click();
  await page.getByRole("heading", { name: "What shall we play?" }).waitFor();
});

test("a part of the page that could not be fetched is there when the line is back", async () => {
  const page = await room.visit("/g/tic-tac-toe");
  await page.route(/assets\/Menu-.*\.js/, (route) => route.abort());
  await page.route("**/healthz", (route) => route.abort());
  await page.getByRole("button", { name: "Same screen" }).click();
  await yourTurn(page);
  const more = page.getByRole("button", { name: "More", exact: true });
  await more.click();
  await page.waitForRequest("**/healthz");
  await page.unroute("**/healthz");
  await page.unroute(/assets\/Menu-.*\.js/);
  await page.waitForEvent("load");
  await yourTurn(page);
  await more.click();
  await page.getByRole("menuitem").first().waitFor();
});

test("a change that does not fit says why where it was typed, and the text stays, also after a reload", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  await page.keyboard.press("r");
  await panel(page).locator(".rule").first().waitFor();
  await panel(page).getByRole("button", { name: "New rule" }).click();
  const text = page.locator(".cm-content");
  await text.waitFor();
  await text.fill('#law "Mine" on place (require (not marc) "No.")');
  // The word that is meant is one press away.
  await panel(page).getByRole("button", { name: "Write mark" }).click();
  await panel(page).getByText("This fits the running match.").waitFor();
  expect(await text.innerText()).toContain("(not mark)");
  await page.reload();
  await yourTurn(page);
  await page.keyboard.press("r");
  await panel(page).getByRole("button", { name: "New rule" }).click();
  await text.waitFor();
  expect(await text.innerText()).toContain("(not mark)");
  await text.fill('#players "X" "O" "Z"');
  await panel(page).locator(".message.error").first().waitFor();
  expect(await panel(page).getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
});

test("what was half said in talk is there after a reload", async () => {
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  const field = ada!.getByRole("textbox", { name: "Say something" });
  await field.fill("I would rather");
  await ada!.reload();
  await field.waitFor();
  expect(await field.inputValue()).toBe("I would rather");
  await field.press("Enter");
  await ben!.getByRole("listitem").filter({ hasText: "I would rather" }).waitFor();
  await expect.poll(() => field.inputValue(), { timeout: 10_000 }).toBe("");
});

test("a server that restarts says so, and everybody is back at the same position", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  await yourTurn(page);
  await click(page, "b2");
  await moved(page, "b2");
  const told = status(page).filter({ hasText: "The server restarts. The table will be here." }).waitFor();
  await Promise.all([told, room.server.restart("SIGTERM")]);
  await yourTurn(page);
  await click(page, "a1");
  await moved(page, "a1");
});

test("who tries to move for somebody else is told whose turn it is", async () => {
  const [, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  await ben!.getByText("Ada is to move").waitFor();
  await click(ben!, "b2");
  await ben!.locator('[data-testid="polite"]', { hasText: "It is Ada's turn." }).waitFor({ state: "attached" });
  expect(await ben!.getByRole("alert").count()).toBe(0);
});

test("a definition that is too large or no game at all is told, not played", async () => {
  const page = await room.visit("/write/tic-tac-toe");
  await page.getByText("This can be played.").waitFor();
  await page.locator(".cm-content").fill("This is no game.");
  await page.getByRole("region", { name: "What the checker says" }).locator(".error").first().waitFor();
  expect(await page.getByRole("button", { name: "Play it" }).isDisabled()).toBe(true);
  await page.reload();
  await page.locator(".cm-content", { hasText: "This is no game." }).waitFor();
});

test("where no table has room any more, that is said, and nothing is opened", async () => {
  const small = await serve(["--tables", "1"]);
  try {
    const first = await room.visit(`${small.address}/g/tic-tac-toe`, { name: "Ada" });
    await first.getByRole("button", { name: "Same screen" }).click();
    await yourTurn(first);
    const second = await room.visit(`${small.address}/`, { name: "Ben" });
    const card = second.locator(".game", { hasText: "Chess" }).first();
    await card.getByRole("button", { name: "Play" }).click();
    await second.getByRole("alert").getByText("no room for another").waitFor();
    expect(new URL(second.url()).pathname).toBe("/");
    await accessible(second);
  } finally {
    await small.stop();
  }
});

test("whoever misses a turn in a hidden page is asked once whether the system should say so, and then it does", async () => {
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  // A page that is out of sight, and the notices of a system: a browser without a screen has neither.
  await ben!.evaluate(() => {
    const told = window as unknown as { hidden: boolean; notices: string[] };
    told.hidden = true;
    told.notices = [];
    Object.defineProperty(document, "visibilityState", { get: () => (told.hidden ? "hidden" : "visible") });
    class Notices {
      static permission = "default";
      static requestPermission() {
        Notices.permission = "granted";
        return Promise.resolve("granted");
      }
      constructor(title: string) {
        told.notices.push(title);
      }
    }
    Object.defineProperty(window, "Notification", { value: Notices });
    document.dispatchEvent(new Event("visibilitychange"));
  });
  await ben!.waitForLoadState("networkidle");
  const notices = () => ben!.evaluate(() => (window as unknown as { notices: string[] }).notices);
  await click(ada!, "b2");
  await ben!.getByText("Tell you when it is your turn?").waitFor();
  expect(await notices()).toEqual([]);
  await accessible(ben!);
  await ben!.getByRole("button", { name: "Tell me", exact: true }).click();
  await ben!.getByText("Tell you when it is your turn?").waitFor({ state: "detached" });
  await click(ben!, "a1");
  await moved(ada!, "a1");
  await click(ada!, "c3");
  await expect.poll(notices).toEqual(["Your turn · Tic-tac-toe"]);
  await ben!.evaluate(() => ((window as unknown as { hidden: boolean }).hidden = false));
  await click(ben!, "a3");
  await moved(ada!, "a3");
  await click(ada!, "a2");
  await moved(ben!, "a2");
  expect(await notices()).toHaveLength(1);
});
