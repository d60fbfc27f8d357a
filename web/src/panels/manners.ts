// How people deal with each other at a table, in words.
import type { ClockKind, Consent, Manners } from "../protocol/generated";
import { words } from "../words/later";

export function consentWords(consent: Consent): string {
  return words(({ all: "manners.all", majority: "manners.majority", host: "manners.host", nobody: "manners.nobody" } as const)[consent]);
}

export function clockWords(clock: ClockKind): string {
  if (clock.kind === "none") return words("lobby.no-clock");
  if (clock.kind === "move") return clock.seconds >= 86_400 ? words("manners.days", { n: clock.seconds / 86_400 }) : words("manners.move", { seconds: clock.seconds });
  const minutes = clock.seconds / 60;
  return clock.increment === undefined || clock.increment === 0 ? words("lobby.clock-total", { minutes }) : words("lobby.clock-increment", { minutes, seconds: clock.increment });
}

/** What is worth knowing before one sits down: who decides, and how time is counted. */
export function mannersWords(manners: Manners): { what: string; how: string }[] {
  return [
    { what: words("manners.rules"), how: consentWords(manners.rules) },
    { what: words("manners.advised"), how: consentWords(manners.advised) },
    { what: words("manners.undo"), how: consentWords(manners.undo) },
    { what: words("lobby.clock"), how: clockWords(manners.clock) },
  ];
}

/** How well the machine plays: the levels between have no words of their own. */
export function levelWords(n: number): string {
  const known = { 1: "lobby.level.1", 3: "lobby.level.3", 6: "lobby.level.6", 10: "lobby.level.10" } as const;
  const level = words("lobby.level", { n });
  return n in known ? `${level}, ${words(known[n as keyof typeof known])}` : level;
}
