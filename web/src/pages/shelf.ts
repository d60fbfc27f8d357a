// Which games of the library fit what was typed and chosen. All of it is in the address, so that a filter is a link.
import type { GameCard } from "../protocol/generated";

export interface Filter {
  text: string;
  players: "any" | "2" | "3" | "4";
  hidden: boolean;
  chance: boolean;
  short: boolean;
  language: string;
}

export const NO_FILTER: Filter = { text: "", players: "any", hidden: false, chance: false, short: false, language: "" };

export function readFilter(query: URLSearchParams): Filter {
  const players = query.get("players");
  return {
    text: query.get("q") ?? "",
    players: players === "2" || players === "3" || players === "4" ? players : "any",
    hidden: query.has("hidden"),
    chance: query.has("chance"),
    short: query.has("short"),
    language: query.get("language") ?? "",
  };
}

export function writeFilter(filter: Filter): string {
  const query = new URLSearchParams();
  if (filter.text !== "") query.set("q", filter.text);
  if (filter.players !== "any") query.set("players", filter.players);
  for (const key of ["hidden", "chance", "short"] as const) if (filter[key]) query.set(key, "");
  if (filter.language !== "") query.set("language", filter.language);
  const text = query.toString().replaceAll("=&", "&").replace(/=$/, "");
  return text === "" ? "/" : `/?${text}`;
}

export function fits(card: GameCard, filter: Filter): boolean {
  const n = Number(filter.players);
  const seats = filter.players === "any" || (filter.players === "4" ? card.most_seats >= 4 : card.least_seats <= n && n <= card.most_seats);
  return (
    seats &&
    (!filter.hidden || card.tags.includes("hidden")) &&
    (!filter.chance || card.tags.includes("chance")) &&
    (!filter.short || (card.minutes !== undefined && card.minutes < 15)) &&
    (filter.language === "" || card.language === filter.language) &&
    says(card, filter.text)
  );
}

/** The games to show, those first that can be played in most ways. One that is written in several languages is shown once, unless a language is asked for. */
export function chosen(cards: GameCard[], filter: Filter): GameCard[] {
  const fitting = cards.filter((card) => fits(card, filter)).sort((a, b) => b.n_variants - a.n_variants);
  if (filter.language !== "") return fitting;
  const own = new Set(cards.filter((card) => card.language === "gdl").map((card) => card.title));
  return fitting.filter((card) => card.language === "gdl" || !own.has(card.title));
}

/** Every word typed is looked for in the title, the summary and the names of the rules: “ko” finds Go. */
function says(card: GameCard, text: string): boolean {
  const all = [card.title, card.summary, ...card.tags, ...card.rules].join("\n").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => word === "" || all.includes(word));
}
