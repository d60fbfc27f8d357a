// Matches that are over, or looked back at.
import { expect, test } from "vitest";
import { openTable, stage } from "./stage";
import { click, moved, over, spot, yourTurn } from "./table";

const room = stage();

test("a match is replayed step by step, with what each rule did, and played on from the middle", async () => {
  const page = await openTable(room, "tic-tac-toe", "Same screen");
  for (const cell of ["a1", "a3", "b1", "b3", "c1"]) {
    await yourTurn(page);
    await click(page, cell);
    await moved(page, cell);
  }
  await over(page);
  await page.locator(".moves .pair button", { hasText: "a1" }).click();
  await page.getByText("move 1 of 5").waitFor();
  await page.getByRole("button", { name: "Now" }).click();
  await page.locator(".acts").getByRole("link", { name: "Replay" }).click();
  await page.getByText("move 5 of 5").waitFor();
  const did = page.getByRole("region", { name: "What each rule did" });
  await did.getByText(/A line of marks wins/).waitFor();
  await did.getByRole("button", { name: "Until here" }).click();
  const row = did.getByRole("row", { name: /A line of marks wins/ });
  expect(await row.getByRole("cell").first().innerText()).toBe("5");
  await did.getByRole("button", { name: "This move" }).click();
  await page.keyboard.press("Home");
  await page.getByText("at the start").waitFor();
  await expect.poll(() => spot(page, "a1").getAttribute("aria-label"), { timeout: 10_000 }).toBe("a1");
  for (let n = 0; n < 3; n++) await page.keyboard.press("ArrowRight");
  await page.getByText("move 3 of 5").waitFor();
  // Somebody else sees the same position by its link, and can take it away as a picture.
  await page.getByRole("button", { name: "Share" }).click();
  const sharing = page.getByRole("dialog", { name: "Share this position" });
  const link = await sharing.getByRole("textbox", { name: "Share" }).inputValue();
  await sharing.getByText("a1, b1").waitFor();
  for (const kind of ["SVG", "PNG"]) {
    const [download] = await Promise.all([page.waitForEvent("download"), sharing.getByRole("button", { name: `Picture (${kind})` }).click()]);
    const bytes = Buffer.concat((await (await download.createReadStream()).toArray()) as Buffer[]);
    expect(bytes.length).toBeGreaterThan(1000);
    expect(bytes.subarray(0, 4).toString("latin1")).toBe(kind === "PNG" ? "\x89PNG" : "<svg");
  }
  await page.keyboard.press("Escape");
  const other = await room.visit(link);
  await other.getByText("move 3 of 5").waitFor();
  await expect.poll(() => spot(other, "b1").getAttribute("aria-label"), { timeout: 10_000 }).toBe("b1, X");
  // The fork is a table of its own at that position, and goes on another way.
  const replayed = new URL(page.url()).pathname;
  await page.getByRole("button", { name: "Play on from here" }).click();
  await yourTurn(page);
  expect(new URL(page.url()).pathname).not.toBe(replayed.replace("/replay/", "/t/"));
  expect(await spot(page, "b1").getAttribute("aria-label")).toBe("b1, X");
  expect(await spot(page, "b3").getAttribute("aria-label")).toBe("b3");
  expect(await page.locator(".moves .pair button").count()).toBe(3);
  await click(page, "c1");
  await moved(page, "c1");
  await yourTurn(page);
});

test("a record is dropped into the page, judged, and shows where the match was lost", async () => {
  const played = await openTable(room, "tic-tac-toe", "Same screen");
  // X leaves the middle and overlooks that O has two in a row.
  for (const cell of ["a1", "b2", "a2", "a3", "b1", "c1"]) {
    await yourTurn(played);
    await click(played, cell);
    await moved(played, cell);
  }
  await over(played);
  await played.locator(".acts").getByRole("link", { name: "Replay" }).click();
  const [download] = await Promise.all([played.waitForEvent("download"), played.getByRole("button", { name: "Record" }).click()]);
  const text = (await (await download.createReadStream()).toArray()).map(String).join("");
  expect(text).toContain("houserules record");

  const page = await room.visit("/replay");
  const data = await page.evaluateHandle((text) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], "lost.record", { type: "text/plain" }));
    return transfer;
  }, text);
  await page.locator(".drop").dispatchEvent("drop", { dataTransfer: data });
  await page.getByText("move 6 of 6").waitFor();
  await page.getByRole("button", { name: "Judge the moves" }).click();
  await page.locator(".moves .verdict", { hasText: "??" }).first().waitFor();
  await page.getByRole("img", { name: /Value over time/ }).waitFor();
  await page.locator("figure .verdict").first().click();
  await page.getByText(/Better was/).first().waitFor();
});

test("what is no record is told, and what does not fit its rules", async () => {
  const page = await room.visit("/replay");
  await page.locator('input[type="file"]').setInputFiles({ name: "letter.txt", mimeType: "text/plain", buffer: Buffer.from("Dear all,\n") });
  await page.getByRole("alert").waitFor();
  expect(await page.getByRole("alert").innerText()).not.toBe("");
});
