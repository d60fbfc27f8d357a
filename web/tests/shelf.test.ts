import { expect, test } from "vitest";
import { chosen, fits, NO_FILTER, readFilter, writeFilter, type Filter } from "../src/pages/shelf";
import type { GameCard } from "../src/protocol/generated";

const card = (change: Partial<GameCard>): GameCard => ({
  id: "go", title: "Go", summary: "Surround points.", least_seats: 2, most_seats: 2, seats: ["Black", "White"],
  tags: [], language: "gdl", n_variants: 8, rules: ["No suicide", "Superko"], picture: "", ...change,
});

test("a filter survives the address", () => {
  const filter: Filter = { text: "ko & co", players: "4", hidden: true, chance: false, short: true, language: "bgd" };
  expect(readFilter(new URL(writeFilter(filter), "http://x").searchParams)).toEqual(filter);
  expect(writeFilter(NO_FILTER)).toBe("/");
});

test("the name of a rule finds its game", () => {
  expect(fits(card({}), { ...NO_FILTER, text: "KO" })).toBe(true);
  expect(fits(card({}), { ...NO_FILTER, text: "castling" })).toBe(false);
});

test("a game of three to six fits four players and three, not two", () => {
  const caravans = card({ least_seats: 3, most_seats: 6 });
  expect((["2", "3", "4"] as const).map((players) => fits(caravans, { ...NO_FILTER, players }))).toEqual([false, true, true]);
});

test("a game written in two languages is shown once, and in the other where that is asked for", () => {
  const othello = card({ id: "othello", title: "Othello" });
  const twin = card({ id: "othello.cep", title: "Othello", language: "ceptre" });
  const alone = card({ id: "skirmish.cep", title: "Skirmish", language: "ceptre" });
  const ids = (filter: Filter) => chosen([othello, twin, alone], filter).map((shown) => shown.id);
  expect(ids(NO_FILTER)).toEqual(["othello", "skirmish.cep"]);
  expect(ids({ ...NO_FILTER, language: "ceptre" })).toEqual(["othello.cep", "skirmish.cep"]);
});

test("what can be played in most ways stands first", () => {
  const [plain, rich] = [card({ id: "plain", title: "Plain", n_variants: 0 }), card({ id: "rich", title: "Rich", n_variants: 3 })];
  expect(chosen([plain, rich], NO_FILTER).map((shown) => shown.id)).toEqual(["rich", "plain"]);
});
