// A change of rules, in words.
import type { Change } from "../protocol/generated";
import { words } from "../words/index.svelte";

export function inWords(change: Change): string {
  switch (change.kind) {
    case "mode":
      return `${change.rule} → ${words(`rules.${change.mode}`)}`;
    case "setting":
      return `${change.name} → ${change.value}`;
    case "text":
      return headline(change.text);
  }
}

/** The name of what a text defines, or else how it begins. */
export function headline(text: string): string {
  const named = /#(?:law|sideeffect|rule)\s+"([^"]+)"/.exec(text);
  if (named) return `+ ${named[1]}`;
  const first = text.trim().split("\n")[0] ?? "";
  return first.length > 60 ? `${first.slice(0, 57)}…` : first;
}
