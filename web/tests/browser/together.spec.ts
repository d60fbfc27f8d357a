// Several people, each with a window of their own that knows nothing of the others.
import { createServer, connect, type Server as Listener, type Socket } from "node:net";
import { expect, test } from "vitest";
import { accessible, openTable, sitTogether, stage } from "./stage";
import { click, moved, over, playSome, status, whoseTurn, yourTurn } from "./table";
import type { Page } from "playwright-core";

const room = stage();

// [TB24] [TB29]
test("rock-paper-scissors: both show a hand at once, and nobody sees the other's before", async () => {
  const [ada, ben] = await sitTogether(room, "rock-paper-scissors", ["Ada", "Ben"]);
  await ada!.getByRole("button", { name: "paper" }).click();
  await ada!.locator(".waiting li", { hasText: "Ada" }).getByText("has chosen").waitFor();
  await ben!.locator(".waiting li", { hasText: "Ada" }).getByText("has chosen").waitFor();
  await ben!.locator(".waiting li", { hasText: "Ben" }).getByText("is choosing").waitFor();
  // The word stands on Ben's own button, and neither in the moves nor on the board.
  expect(await ben!.locator(".moves").innerText()).not.toContain("paper");
  expect(await ben!.locator(".others").innerHTML()).not.toContain("paper");
  expect(await ben!.locator(".board").count()).toBe(0);
  await ben!.getByRole("button", { name: "scissors" }).click();
  for (const page of [ada!, ben!]) {
    await over(page);
    expect(await status(page).innerText()).toContain("Bo wins");
    // Now both hands are on the table, and the moves say what was shown.
    await page.locator(".moves button", { hasText: "paper" }).waitFor();
    await page.locator(".moves button", { hasText: "scissors" }).waitFor();
    expect(await page.locator(".moves").innerText()).not.toContain("·····");
    await page.locator(".board .graphic").first().waitFor();
  }
});

test("whist: four hands, each seen by its owner alone, and a trick played around", async () => {
  const pages = await sitTogether(room, "whist", ["Ada", "Ben", "Cleo", "Dan"]);
  const hands = await Promise.all(pages.map((page) => page.locator('.spot[aria-label]').evaluateAll((spots) => spots.map((spot) => spot.getAttribute("aria-label")!).filter((label) => /[♣♦♥♠]/.test(label)))));
  for (const hand of hands) expect(hand.length).toBeGreaterThanOrEqual(13);
  for (let n = 0; n < 4; n++) {
    const page = await whoseTurn(pages);
    const turns = await Promise.all(pages.map((page) => page.locator('[data-status="yours"]').count()));
    expect(turns.filter((one) => one === 1)).toHaveLength(1);
    const before = await page.locator("main").getAttribute("data-step");
    await page.locator('.spot[aria-disabled="false"]').first().focus();
    await page.keyboard.press("Enter");
    for (const other of pages) await other.locator(`main:not([data-step="${before}"])`).waitFor();
  }
  for (const page of pages) expect(await page.locator(".moves .pair button").count()).toBe(4);
});

// [TB22] [TB24]
test("Salt Road: four plan in secret before a public screen that shows only who is ready", async () => {
  const pages = await sitTogether(room, "salt-road", ["Ada", "Ben", "Cleo", "Dan"]);
  const watch = await pages[0]!.getByRole("textbox", { name: "Watch link" }).inputValue();
  const wall = await room.visit(watch);
  await wall.getByText("You are watching.").waitFor();
  // Everybody puts a caravan on the map, one after the other.
  for (let n = 0; n < 4; n++) {
    await playSome(await whoseTurn(pages), 1);
  }
  await Promise.all(pages.map((page) => page.getByRole("region", { name: "Plan your steps" }).getByRole("button", { name: "rest", exact: true }).waitFor()));
  const planning = (index: number) => pages[index]!.getByRole("region", { name: "Plan your steps" });
  const lay = async (index: number) => {
    for (let step = 0; step < 6; step++) await planning(index).getByRole("button", { name: step % 2 === 0 ? "rest" : "trade", exact: true }).click();
  };
  // A plan is laid out before it is said: steps are taken out and carried elsewhere, and survive a reload.
  await lay(0);
  expect(await planning(0).getByRole("button", { name: "rest", exact: true }).isDisabled()).toBe(true);
  await planning(0).getByRole("button", { name: "Step 2, trade: take it out" }).click();
  await planning(0).getByRole("button", { name: "Ready, 1 left" }).waitFor();
  await planning(0).getByRole("button", { name: "Step 1, rest: take it out" }).press("ArrowRight");
  await pages[0]!.reload();
  await planning(0).getByRole("button", { name: "Ready, 1 left" }).waitFor();
  await planning(0).getByRole("button", { name: "rest", exact: true }).click();
  expect(await wall.locator(".waiting li", { hasText: "Ada" }).getByText("has chosen").count()).toBe(0);
  const plan = async (index: number) => {
    if (index > 0) await lay(index);
    await planning(index).getByRole("button", { name: "Ready", exact: true }).click();
  };
  await plan(0);
  await wall.locator(".waiting li", { hasText: "Ada" }).getByText("has chosen").waitFor();
  await wall.locator(".waiting li", { hasText: "Dan" }).getByText("is choosing").waitFor();
  expect(await wall.locator("body").innerText()).not.toMatch(/\btrade\b/);
  expect(await pages[1]!.locator(".moves").innerText()).not.toMatch(/\btrade\b/);
  // The others say theirs at the same time.
  await Promise.all([1, 2, 3].map(plan));
  // All plans are carried out; the next round is planned, or somebody is asked in the middle of a step.
  await wall.locator(".known", { hasText: "round 2" }).waitFor();
});

test("a seat is handed to a phone, and the large screen shows what everybody may see", async () => {
  const page = await openTable(room, "battleships", "Play");
  await yourTurn(page);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Phone as my hand" }).click();
  const dialog = page.getByRole("dialog", { name: "Phone as my hand" });
  await dialog.getByRole("img", { name: "Phone as my hand" }).waitFor();
  const link = await dialog.getByRole("textbox", { name: "Link for this seat alone" }).inputValue();
  await dialog.getByRole("button", { name: "Show here what everybody may see" }).click();
  await page.getByText("plays on a phone").waitFor();
  expect(await page.locator('.spot[aria-disabled="false"]').count()).toBe(0);
  const phone = await room.visit(link, { phone: true });
  await phone.getByText("Only you see this").waitFor();
  await phone.getByRole("button", { name: "Cover" }).tap();
  expect(await phone.locator(".spot").count()).toBe(0);
  await phone.getByRole("button", { name: "Uncover" }).last().tap();
  await playSome(phone, 1);
  // The ship is told to its owner, and to the large screen only that there was a choice.
  const own = phone.locator(".moves .pair button", { hasText: "Guest" }).first();
  await own.waitFor({ state: "attached" });
  expect(await own.textContent()).toMatch(/[a-j]\d+/);
  const seen = page.locator(".moves .pair button", { hasText: "Guest" }).first();
  await seen.waitFor();
  expect(await seen.textContent()).not.toMatch(/[a-j]\d+/);
});

test("house rules, seat and clock are settled before, seen by who is invited, and hold at the table", async () => {
  const host = await room.visit("/g/tic-tac-toe");
  await host.getByRole("radiogroup", { name: "Only empty cells" }).getByRole("radio", { name: "off" }).click();
  await host.getByRole("combobox", { name: "You play" }).selectOption("O");
  await host.getByText("Manners").click();
  await host.getByRole("combobox", { name: "Clock" }).selectOption("10 min + 5 s a move");
  await host.getByRole("button", { name: "With friends" }).click();
  // Nobody has been asked for a name before somebody else is involved.
  const link = await host.getByRole("textbox", { name: "Send this link" }).inputValue();
  await host.getByRole("textbox", { name: "Your name" }).fill("Ada");
  await host.getByRole("button", { name: "Sit down" }).click();
  await host.locator(".seats li.mine", { hasText: "Ada" }).waitFor();
  const guest = await room.visit(link);
  await guest.getByText("Ada invites you to Tic-tac-toe.").waitFor();
  const house = guest.locator(".house li", { hasText: "Only empty cells" });
  await house.getByText("off").waitFor();
  await guest.getByText("10 min + 5 s a move").waitFor();
  await guest.getByRole("textbox", { name: "Your name" }).fill("Ben");
  await guest.getByRole("button", { name: "Sit down" }).click();
  await host.locator(".seats li", { hasText: "Ben" }).waitFor();
  await host.getByRole("button", { name: "Start" }).click();
  await yourTurn(guest);
  await guest.getByRole("timer").first().waitFor();
  await click(guest, "b2");
  await moved(host, "b2");
  await click(host, "b2");
  await moved(guest, "b2", 1);
});

test("the machine sits down and gets up again, seats change places, and links go with whom they were made for", async () => {
  const host = await room.visit("/g/tic-tac-toe", { name: "Ada" });
  await host.getByRole("button", { name: "With friends" }).click();
  await host.getByRole("button", { name: "Put the machine here" }).click();
  const level = host.getByRole("combobox", { name: "How well the machine plays O" });
  await level.selectOption("7");
  await expect.poll(() => level.inputValue()).toBe("7");
  await host.getByRole("button", { name: "Free O again" }).click();
  await host.locator(".seats li.open", { hasText: "O" }).waitFor();
  const link = await host.getByRole("textbox", { name: "Send this link" }).inputValue();
  await host.getByRole("button", { name: "Swap seats" }).click();
  await host.locator(".seats li.mine", { hasText: "O" }).waitFor();
  await accessible(host);
  expect(await host.getByRole("textbox", { name: "Send this link" }).inputValue()).toBe(link);
  const guest = await room.visit(link);
  await guest.getByText("You would play X.").waitFor();
  await guest.getByRole("textbox", { name: "Your name" }).fill("Ben");
  await guest.getByRole("button", { name: "Sit down" }).click();
  await host.locator(".seats li", { hasText: "Ben" }).waitFor();
  await host.getByRole("button", { name: "Start" }).click();
  await yourTurn(guest);
  await click(guest, "b2");
  await moved(host, "b2");
  await yourTurn(host);
});

test("a move is taken back when the other agrees", async () => {
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  await click(ada!, "b2");
  await moved(ben!, "b2");
  await ada!.getByRole("button", { name: "Ask to undo" }).click();
  await ben!.getByText("take the last decision back").waitFor();
  await ben!.getByRole("button", { name: "Decline" }).click();
  await ada!.getByText(/Ben declined/).waitFor();
  await ada!.getByRole("button", { name: "Ask to undo" }).click();
  await ben!.getByRole("button", { name: "Agree" }).click();
  await ada!.getByText("1 taken back").waitFor();
  await yourTurn(ada!);
  await click(ada!, "a1");
  await moved(ben!, "a1");
});

/** A line between browser and server that can be cut. */
async function line(to: string): Promise<{ address: string; cut(): Promise<void>; mend(): Promise<void>; end(): void }> {
  const port = Number(new URL(to).port);
  const sockets = new Set<Socket>();
  let listener: Listener;
  let own = 0;
  const mend = () =>
    new Promise<void>((done) => {
      listener = createServer((near) => {
        const far = connect(port, "127.0.0.1");
        for (const socket of [near, far]) {
          sockets.add(socket);
          socket.on("error", () => socket.destroy());
          socket.on("close", () => sockets.delete(socket));
        }
        near.pipe(far).pipe(near);
      }).listen(own, "127.0.0.1", () => {
        own = (listener.address() as { port: number }).port;
        done();
      });
    });
  const cut = () =>
    new Promise<void>((done) => {
      listener.close(() => done());
      for (const socket of sockets) socket.destroy();
    });
  await mend();
  return { address: `http://127.0.0.1:${own}`, cut, mend, end: () => void cut() };
}

/** The same seat at the end of a line that can be cut; nothing has been played yet. */
async function behind(address: string, page: Page): Promise<Page> {
  const state = await page.context().storageState();
  const table = new URL(page.url()).pathname;
  const far = await room.visit(`${address}${table}`, { storageState: { ...state, origins: state.origins.map((origin) => ({ ...origin, origin: address })) } });
  await far.getByText("Ada is to move").waitFor();
  // The parts that are fetched after the first board have come as well.
  await far.waitForLoadState("networkidle");
  return far;
}

test("a lost network is told, and what was missed is there when it is back", async () => {
  const wire = await line(room.server.address);
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  const far = await behind(wire.address, ben!);
  await far.waitForFunction(() => performance.getEntriesByType("resource").some((one) => one.name.includes("CodeEditor")));
  await wire.cut();
  await far.getByText("Reconnecting… nothing is lost").waitFor();
  // What is opened sooner or later came before: the rules can be read meanwhile.
  await far.keyboard.press("r");
  await far.getByRole("complementary", { name: "Rules of this table" }).waitFor();
  await far.keyboard.press("Escape");
  await click(ada!, "b2");
  await moved(ada!, "b2");
  await wire.mend();
  await yourTurn(far);
  await moved(far, "b2");
  await click(far, "a1");
  await moved(ada!, "a1");
  wire.end();
});

test("a laptop that was closed for a while shows what was missed when it is opened", async () => {
  const wire = await line(room.server.address);
  const [ada, ben] = await sitTogether(room, "tic-tac-toe", ["Ada", "Ben"]);
  const far = await behind(wire.address, ben!);
  await ben!.close();
  const lid = await far.context().newCDPSession(far);
  // Closed: nothing of the page runs, and the line is dead when it does again.
  await lid.send("Page.setWebLifecycleState", { state: "frozen" });
  await wire.cut();
  await click(ada!, "b2");
  await moved(ada!, "b2");
  await wire.mend();
  await lid.send("Page.setWebLifecycleState", { state: "active" });
  await yourTurn(far);
  await status(far).getByText("You missed: Ada").waitFor();
  await moved(far, "b2");
  await click(far, "a1");
  await moved(ada!, "a1");
  wire.end();
});

test("nothing is lost when the page is loaded again in the middle of a question, or the server dies", async () => {
  const page = await openTable(room, "nine-mens-morris", "Same screen");
  for (const point of ["a7", "a1", "d7", "d1", "g7"]) {
    await yourTurn(page);
    await click(page, point);
    await moved(page, point);
  }
  const question = page.getByRole("region", { name: "Take which man?" });
  await question.waitFor();
  await page.reload();
  await question.getByRole("button", { name: "a1" }).waitFor();
  await page.waitForLoadState("networkidle");
  await room.server.restart("SIGKILL");
  await question.getByRole("button", { name: "d1" }).waitFor();
  // The move that led to the question is taken back and made again, once the line is there again.
  await page.locator('main[data-step] [data-status="yours"]').waitFor();
  await yourTurn(page);
  await question.getByRole("button", { name: "Take the move back" }).click();
  await question.waitFor({ state: "detached" });
  await yourTurn(page);
  await click(page, "g7");
  await question.getByRole("button", { name: "d1" }).waitFor();
  await click(page, "a1");
  await moved(page, "a1", 1);
  expect(await question.count()).toBe(0);
});
