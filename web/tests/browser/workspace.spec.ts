// The workspace, the tables and the panels of the studio: what the tutorial does not touch.
import { expect, test } from "vitest";
import type { Page } from "playwright-core";
import { dialog, keep, kept as text } from "./hands";
import { accessible, stage } from "./stage";

const room = stage();

const GAME = `#game "Roads"
#properties open

#model place
  #property people 0
  #relation next
  #relation ways (dictionary)
  #relation friends (list)
  #appearance "Bild X" 0
  #appearance "Bild Y" 0
  #appearance "Bild Z-Order" 0
  #appearance "Bild Dateiname" ""
  #state "1"
    #onMessage grow ; by one
      (update property people to (+ (property people) 1))
      (say "more")

#model town is place
  #property people 5

#entity Ash is town with "Bild X" 60 "Bild Y" 80
#entity Elm is town with people 7 "Bild X" 220 "Bild Y" 80 ways (dictionary "far" (list (entity "Ash")))
#entity Oak is place with "Bild X" 380 "Bild Y" 80
#entity token is thing

#editor layer ground
#editor layer roads
#editor put Ash on ground
`;

const tree = (page: Page) => page.getByRole("navigation", { name: "Game tree" });
const node = (page: Page, name: string) => page.locator(`.tree .name[data-name="${name}"]`).first();
const tables = (page: Page) => page.getByRole("region", { name: "Properties tables" });
const cell = (page: Page, row: string) => tables(page).getByLabel(`Value ${row}`, { exact: true });
const thing = (page: Page, name: string) => page.locator(`[data-thing="${name}"]`);
const done = async (page: Page) => Number(await page.locator("main.studio").getAttribute("data-done"));

/** A game that is being made. */
async function opened(game = GAME, options: { dark?: boolean } = {}): Promise<Page> {
  const page = await room.visit("/studio", { name: "Ada", ...options });
  await node(page, "Untitled").waitFor();
  await keep(page, game);
  await page.reload();
  await page.locator(".tree .name[data-name]").first().waitFor();
  await page.locator("main.studio").waitFor();
  await expect.poll(() => page.locator("[data-thing]").count(), { timeout: 20_000 }).toBeGreaterThan(0);
  await page.getByRole("button", { name: /^Zoom \d/ }).click();
  return page;
}

async function menu(page: Page, on: ReturnType<Page["locator"]>, ...path: string[]): Promise<void> {
  await on.click({ button: "right" });
  for (const label of path) await page.locator("[role=menu] [role^=menuitem]").filter({ has: page.locator(".label", { hasText: new RegExp(`^${label.replaceAll(/[.…]/g, "\\$&")}$`) }) }).last().click();
}

async function answer(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog(page).getByLabel(label, { exact: true });
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") await field.selectOption({ label: value });
    else await field.fill(value);
  }
  await dialog(page).getByRole("button", { name: "OK", exact: true }).click();
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
  await page.mouse.move(to.x, to.y);
  await page.mouse.up();
}

async function middle(on: ReturnType<Page["locator"]>): Promise<{ x: number; y: number }> {
  const box = (await on.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

const picture = (page: Page, name: string) => middle(thing(page, name).locator(".blank, image"));
const circle = (page: Page, name: string, relation: string) => middle(page.locator(`[data-slot="${name}|${relation}"] .dot`));

/** [GM-90] [GM-92] [GM-93] [GM-94] [GM-97] [GM-98] [GM-99] [GM-101] [GM-104] [GM-106] [GM-107] [GM-243] */
test("models get parents and children, things get models and groups, and nothing becomes a kind of itself", async () => {
  const page = await opened();
  expect((await node(page, "token").innerText()).trim()).toBe("token");
  // A child of a model, then of none, then of another one.
  await menu(page, node(page, "town"), "Add model …");
  await answer(page, { Name: "city" });
  await expect.poll(() => text(page)).toContain("#model city is town");
  await node(page, "city").waitFor();
  expect(await tree(page).locator("li li", { has: page.locator('[data-name="city"]') }).count()).toBeGreaterThan(0);
  await tree(page).getByRole("button", { name: "Fold place" }).click();
  await node(page, "town").waitFor({ state: "detached" });
  await menu(page, node(page, "Oak"), "Change model", "town");
  await expect.poll(() => text(page)).toContain("#entity Oak is town");
  // What was folded stays folded.
  expect(await node(page, "town").count()).toBe(0);
  await tree(page).getByRole("button", { name: "Unfold place" }).click();
  await menu(page, node(page, "place"), "Change model parent");
  const circular = page.getByRole("menuitemcheckbox", { name: "city" });
  expect(await circular.getAttribute("aria-disabled")).toBe("true");
  expect(await circular.getAttribute("title")).toBe("It would be a kind of itself.");
  await page.keyboard.press("Escape");
  await menu(page, node(page, "city"), "Change model parent", "place");
  await expect.poll(() => text(page)).toContain("#model city is place");
  // Who is renamed is meant everywhere by the new name.
  await menu(page, node(page, "Ash"), "Rename …");
  await answer(page, { Name: "Ash Hill" });
  await expect.poll(() => text(page)).toContain('(list (entity "Ash Hill"))');
  expect(await text(page)).toContain('#editor put "Ash Hill" on ground');
  await menu(page, node(page, "Oak"), "Into group", "Add group …");
  await answer(page, { Name: "North" });
  await menu(page, node(page, "Elm"), "Into group", "North");
  await expect.poll(() => text(page)).toContain("#editor group North Oak Elm");
  await menu(page, node(page, "North"), "Ungroup");
  await expect.poll(() => text(page)).not.toContain("#editor group");
  // A thing goes with the links to it, a model leaves its things without one.
  await menu(page, node(page, "Ash Hill"), "Remove entity");
  await expect.poll(() => text(page)).not.toContain("Ash Hill");
  await menu(page, node(page, "city"), "Remove model");
  await menu(page, node(page, "town"), "Remove model");
  await expect.poll(() => text(page)).toContain("#entity Elm is thing");
}, 120_000);

/** [GM-102] [GM-103] [GM-113] [GM-114] [GM-117] [GM-122] [GM-123] [GM-124] [GM-125] [GM-127] [GM-128] [GM-129] [GM-138] [GM-202] */
test("cells are changed in place, and say whose value it is and what is wrong with it", async () => {
  const page = await opened();
  const row = (name: string) => tables(page).locator("tr", { has: page.getByRole("rowheader", { name, exact: true }) });
  await node(page, "place").click();
  expect(await row("people").getAttribute("class")).not.toMatch(/inherited|changed/);
  await node(page, "town").click();
  expect(await row("people").getAttribute("class")).toContain("changed");
  await tables(page).getByRole("tab", { name: "Relationships" }).click();
  expect(await row("next").getAttribute("class")).toContain("inherited");
  expect(await row("next").locator("th").evaluate((one) => getComputedStyle(one).fontStyle)).toBe("italic");
  // A relationship holds things, or lists and dictionaries of them.
  await tables(page).locator("header").getByRole("button", { name: "Add" }).click();
  await page.getByRole("menuitem", { name: "Add" }).click();
  expect(await page.locator("[role=menu] [role=menu] .label").allInnerTexts()).toEqual(["ID", "List", "Dictionary"]);
  await page.keyboard.press("Escape");
  await node(page, "Elm").click();
  await tables(page).getByRole("tab", { name: "Properties" }).click();
  expect(await row("people").locator("th").evaluate((one) => Number(getComputedStyle(one).fontWeight))).toBeGreaterThan(600);
  expect(await cell(page, "people").inputValue()).toBe("7");
  // Things change values and define nothing.
  expect(await tables(page).getByRole("button", { name: "Add" }).count()).toBe(0);
  await menu(page, row("people"), "Copy value");
  await node(page, "Oak").click();
  await menu(page, row("people"), "Paste value");
  await expect.poll(() => text(page)).toContain('#entity Oak is place with people 7 "Bild X" 380');
  await menu(page, row("people"), "Reset to inherited value");
  await expect.poll(() => text(page)).toContain('#entity Oak is place with "Bild X" 380');
  await tables(page).getByRole("tab", { name: "Relationships" }).click();
  expect(await cell(page, "next").locator("option").allInnerTexts()).toEqual(["none", "Ash", "Elm", "Oak", "token"]);
  await cell(page, "next").selectOption("Elm");
  await expect.poll(() => text(page)).toContain('Oak is place with next (entity "Elm")');
  // A name that means nothing is an error: red where it stands, and counted in the tree.
  await node(page, "place").click();
  await tables(page).getByRole("tab", { name: "Properties" }).click();
  await cell(page, "people").fill("(plus 1 2)");
  await cell(page, "people").press("Enter");
  await expect.poll(() => row("people").getAttribute("class")).toContain("wrong");
  await expect.poll(() => node(page, "place").innerText()).toContain("[1]");
  expect(await node(page, "place").getAttribute("class")).toContain("error");
  await tree(page).getByRole("button", { name: "Show errors" }).click();
  expect(await node(page, "place").innerText()).not.toContain("[");
  expect(await node(page, "place").getAttribute("class")).not.toContain("error");
  // Undo comes back to what was looked at when it was done.
  await node(page, "Ash").click();
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await tables(page).getByRole("heading", { name: "place" }).waitFor();
  expect(await cell(page, "people").inputValue()).toBe("0");
}, 120_000);

/** [GM-118] [GM-119] [GM-120] [GM-121] */
test("lists and dictionaries open in dialogs inside of each other, and nothing is written before it is confirmed", async () => {
  const page = await opened();
  await node(page, "Elm").click();
  await tables(page).getByRole("tab", { name: "Relationships" }).click();
  const before = await text(page);
  const steps = await done(page);
  const fill = async () => {
    await cell(page, "ways").click();
    await dialog(page).getByRole("button", { name: "Entry 1", exact: true }).click();
    await dialog(page).getByRole("heading", { name: "Elm · ways · far" }).waitFor();
    await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
    await dialog(page).getByRole("button", { name: "ID", exact: true }).click();
    await dialog(page).getByLabel("Entry 2", { exact: true }).selectOption("Oak");
  };
  await fill();
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await dialog(page).getByRole("button", { name: "Discard" }).click();
  expect(await text(page)).toBe(before);
  await fill();
  await accessible(page);
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await dialog(page).getByRole("button", { name: "Add", exact: true }).click();
  await dialog(page).getByRole("button", { name: "Dictionary", exact: true }).click();
  await dialog(page).getByLabel("Key of entry 2").fill("far");
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await dialog(page).getByRole("alert").waitFor();
  await dialog(page).getByLabel("Key of entry 2").fill("near");
  await dialog(page).getByRole("button", { name: "Confirm" }).click();
  await expect.poll(() => text(page)).toContain('ways (dictionary "far" (list (entity "Ash") (entity "Oak")) "near" (dictionary))');
  expect(await done(page)).toBe(steps + 1);
  await page.getByRole("button", { name: /^Undo/ }).first().click();
  await expect.poll(() => text(page)).toBe(before);
}, 120_000);

/** [GM-163] [GM-164] [GM-165] [GM-167] [GM-171] [GM-172] [GM-174] [GM-181] [GM-182] [GM-184] [GM-187] [GM-188] [GM-191] [GM-240] [GM-244] */
test("things are moved and linked on the workspace, also inside of what they hold; what is protected stays as it is", async () => {
  const page = await opened();
  expect(await thing(page, "Ash").getAttribute("transform")).toBe("translate(60 80)");
  const [ash, elm] = [await picture(page, "Ash"), await picture(page, "Elm")];
  expect(Math.round(elm.x - ash.x)).toBe(160);
  // A link that lies deeper says where.
  expect(await page.locator('[data-link="Elm|ways|Ash"] .path').textContent()).toBe("ways · far · 0");
  // Snapped to the grid and to the others.
  await drag(page, elm, { x: elm.x + 31, y: elm.y + 58 });
  await expect.poll(() => text(page)).toContain('"Bild X" 250 "Bild Y" 140');
  await thing(page, "Oak").focus();
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("ArrowRight");
  await expect.poll(() => text(page)).toContain('#entity Oak is place with "Bild X" 381 "Bild Y" 90');
  // Into a dictionary by a key, and into the list that lies in another one.
  await drag(page, await circle(page, "Oak", "ways"), await picture(page, "Ash"));
  await answer(page, { Key: "west" });
  await expect.poll(() => text(page)).toContain('ways (dictionary "west" (entity "Ash"))');
  await drag(page, await circle(page, "Elm", "ways"), await picture(page, "Oak"));
  await dialog(page).getByRole("option", { name: "ways · far" }).click();
  await expect.poll(() => text(page)).toContain('"far" (list (entity "Ash") (entity "Oak"))');
  await page.locator('[data-link="Elm|ways|Oak"]').waitFor({ state: "attached" });
  // Clicked it is chosen; with Shift its model.
  await page.mouse.click((await picture(page, "Oak")).x, (await picture(page, "Oak")).y);
  await tables(page).getByRole("heading", { name: "Oak" }).waitFor();
  await page.keyboard.down("Shift");
  await page.mouse.click((await picture(page, "Ash")).x, (await picture(page, "Ash")).y);
  await page.keyboard.up("Shift");
  await tables(page).getByRole("heading", { name: "town" }).waitFor();
  // A new thing where the menu was opened.
  const frame = (await page.locator(".frame").boundingBox())!;
  await page.mouse.click(frame.x + 324, frame.y + 324, { button: "right" });
  await page.getByRole("menuitem", { name: "Add entity …" }).click();
  await answer(page, { Name: "Fir", Model: "place" });
  await expect.poll(() => text(page)).toMatch(/#entity Fir is place with "Bild X" \d+ "Bild Y" \d+/);
  await thing(page, "Fir").waitFor();
  // What is drawn later lies above.
  const order = () => page.locator("[data-thing]").evaluateAll((all) => all.map((one) => (one as unknown as SVGElement).dataset.thing));
  expect((await order()).indexOf("Ash")).toBeLessThan((await order()).indexOf("Elm"));
  await menu(page, thing(page, "Ash").locator(".blank"), "To front");
  await expect.poll(async () => (await order()).at(-1)).toBe("Ash");
  // A tint, and half to be seen through.
  await menu(page, node(page, "place"), "Add entity …");
  await page.keyboard.press("Escape");
  await node(page, "place").click();
  await tables(page).getByRole("tab", { name: "Appearances" }).click();
  for (const [kind, name, value] of [["Text", "Bild Farbton", "#ff0000"], ["Number", "Bild Deckkraft", "0.5"]] as const) {
    await tables(page).locator("header").getByRole("button", { name: "Add" }).click();
    await page.getByRole("menuitem", { name: "Add" }).click();
    await page.getByRole("menuitem", { name: kind, exact: true }).click();
    await answer(page, { Name: name });
    await cell(page, name).fill(value);
    await cell(page, name).press("Enter");
  }
  await expect.poll(() => thing(page, "Oak").locator("g").first().getAttribute("opacity")).toBe("0.5");
  expect(await thing(page, "Oak").locator(".blank").evaluate((one) => getComputedStyle(one).fill)).toBe("rgb(255, 0, 0)");
  // A protected layer is left as it is here; the tables change it all the same.
  await page.getByRole("button", { name: "Protect layer ground" }).click();
  await expect.poll(() => text(page)).toContain("#editor layer ground protected");
  const at = await picture(page, "Ash");
  const before = await text(page);
  await drag(page, at, { x: at.x + 50, y: at.y });
  await page.getByText("The layer “ground” is protected.").waitFor();
  expect(await text(page)).toBe(before);
  await node(page, "Ash").click();
  await cell(page, "Bild X").fill("70");
  await cell(page, "Bild X").press("Enter");
  await expect.poll(() => thing(page, "Ash").getAttribute("transform")).toBe("translate(70 80)");
  await accessible(page);
}, 180_000);

/** [GM-168] [GM-169] */
test("which appearances are the picture can be said otherwise, and their names are told by case", async () => {
  const page = await opened(`#game "G"\n#properties open\n\n#model a\n  #appearance left 30\n  #appearance top 40\n  #appearance "bild x" 99\n\n#entity one is a\n`);
  expect(await thing(page, "one").getAttribute("transform")).toBe("translate(0 0)");
  await menu(page, node(page, "a"), "Which appearances are the picture …");
  await answer(page, { "From the left": "left", "From the top": "top" });
  await expect.poll(() => text(page)).toContain('#look x (property "left")');
  await expect.poll(() => thing(page, "one").getAttribute("transform")).toBe("translate(30 40)");
  const at = await picture(page, "one");
  await drag(page, at, { x: at.x + 20, y: at.y + 20 });
  await expect.poll(() => text(page)).toContain("#entity one is a with left 50 top 60");
}, 60_000);

/** [GM-170] [GM-186] */
test("an image is drawn where it is dropped; what is no image is refused", async () => {
  const page = await opened();
  const drop = (name: string, type: string, base64: string) => page.locator(".frame").evaluate((frame, [name, type, base64]: readonly [string, string, string]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (one) => one.charCodeAt(0))], name, { type }));
    const on = document.querySelector('[data-thing="Oak"] .blank')!.getBoundingClientRect();
    frame.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: data, clientX: on.x + 20, clientY: on.y + 20 }));
  }, [name, type, base64] as const);
  await drop("oak.png", "image/png", btoa("this is no image"));
  await page.getByText("This file is no image a browser can draw.").waitFor();
  await drop("oak.txt", "text/plain", btoa("words"));
  await page.getByText("An image is png, jpeg, webp, gif or svg.").waitFor();
  expect(await text(page)).toBe(GAME);
  await drop("oak.svg", "image/svg+xml", btoa('<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="green"/></svg>'));
  await expect.poll(() => text(page)).toContain('"Bild Dateiname" "oak.svg"');
  const image = thing(page, "Oak").locator("image");
  await image.waitFor();
  expect([await image.getAttribute("width"), await image.getAttribute("height")]).toEqual(["40", "30"]);
  // It is still there when the page is opened again, and offered to the others.
  await page.reload();
  await thing(page, "Oak").locator("image").waitFor();
  await menu(page, node(page, "Elm"), "Choose image …");
  await dialog(page).getByRole("button", { name: /oak\.svg/ }).click();
  await thing(page, "Elm").locator("image").waitFor();
}, 90_000);

/** [GM-131] [GM-132] [GM-134] [GM-136] [GM-137] [GM-139] [GM-144] [GM-145] [GM-147] [GM-149] [GM-151] [GM-152] [GM-153] [GM-154] [GM-155] [GM-156] [GM-157] [GM-160] */
test("statements are folded, moved, copied, replaced and taken away, and each kind has its colour", async () => {
  const page = await opened();
  await node(page, "grow").click();
  const blocks = page.locator(".blocks");
  const form = (name: string) => blocks.locator(`[data-form="${name}"]`);
  await form("UpdateProperty").waitFor();
  /** What is seen is what the text says. */
  const drawn = () => expect.poll(() => page.locator("main.studio").evaluate((main) => main.dataset.drawn === main.dataset.version)).toBe(true);
  const act = async (on: ReturnType<Page["locator"]>, label: string) => {
    await drawn();
    await on.locator("> .title").click({ button: "right", position: { x: 60, y: 8 } });
    await page.getByRole("menuitem", { name: label }).first().click();
  };
  const take = async (words: string) => {
    await dialog(page).getByRole("searchbox").fill(words);
    await page.keyboard.press("Enter");
    await dialog(page).waitFor({ state: "detached" });
  };
  // Folded by its title; it stays so when something else changes.
  await form("UpdateProperty").locator("> .title .called").click();
  await expect.poll(() => form("UpdateProperty").locator("> .part").count()).toBe(0);
  await act(form("Say"), "Insert before");
  await take("Define variable");
  await form("Var").waitFor();
  expect(await form("UpdateProperty").locator("> .part").count()).toBe(0);
  await form("UpdateProperty").locator("> .title .called").click();
  await act(form("Say"), "Move up");
  await expect.poll(() => text(page)).toMatch(/\(say "more"\)\s+\(var x\)/);
  await act(form("Say"), "Copy");
  await act(form("Var"), "Paste");
  await expect.poll(async () => (await text(page)).split('(say "more")').length).toBe(3);
  await act(form("Say").last(), "Remove");
  await expect.poll(async () => (await text(page)).split('(say "more")').length).toBe(2);
  await act(form("Say"), "Replace with");
  await take("Send message");
  await expect.poll(() => text(page)).toContain("(send name to self)");
  await form("Send").getByRole("button", { name: "+ with" }).click();
  await expect.poll(() => text(page)).toContain("(send name to self with name ())");
  await form("Send").locator(".group > input").fill("amount");
  await form("Send").locator(".group > input").press("Enter");
  await expect.poll(() => text(page)).toContain("(send name to self with amount ())");
  await form("Send").getByRole("button", { name: "Leave out with" }).click();
  await expect.poll(() => text(page)).toContain("(send name to self)");
  await form("Add").getByRole("combobox", { name: "Operator" }).selectOption({ label: "Multiply" });
  await expect.poll(() => text(page)).toContain("(* (property people) 1)");
  // A constant of another type.
  const one = blocks.locator('[data-form="Number"] input').last();
  await one.fill('"much"');
  await one.press("Enter");
  await expect.poll(() => text(page)).toContain('(* (property people) "much")');
  await blocks.locator(".add").click();
  await take("If");
  await form("If").getByRole("button", { name: "+ else" }).click();
  await expect.poll(() => text(page)).toMatch(/\(if \(\) else \(\)\)/);
  await form("If").getByRole("button", { name: "Leave out else" }).click();
  await expect.poll(() => text(page)).toMatch(/\(if \(\)\)/);
  const edge = (name: string) => form(name).first().evaluate((one) => getComputedStyle(one).borderLeftColor);
  const colours = await Promise.all(["If", "Property", "UpdateProperty", "Send", "Multiply", "Var", "Missing"].map(edge));
  expect(new Set(colours).size).toBe(7);
  // States: another number, and gone with what they answer.
  await node(page, "place").click();
  await tables(page).getByRole("tab", { name: "States" }).click();
  await menu(page, tables(page).getByRole("button", { name: /^State 1/ }).first(), "Change number …");
  await answer(page, { Name: "2" });
  await expect.poll(() => text(page)).toContain('#state "2"');
  await menu(page, tables(page).getByRole("button", { name: /^State 2/ }).first(), "Initial state");
  await expect.poll(() => text(page)).toContain('#property state "2"');
  await menu(page, tables(page).getByRole("button", { name: /^State 2/ }).first(), "Remove state");
  await expect.poll(() => text(page)).not.toContain("#onMessage");
}, 180_000);
