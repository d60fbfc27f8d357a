// How rules begin, for somebody who has never written one, with the names of the game at hand.
import type { RuleInfo } from "../protocol/generated";

export interface Example {
  name: "example.refuse" | "example.twice" | "example.again" | "example.limit";
  text: string;
}

/** Rules that fit any game: they speak of the action that most laws are about. */
export function examples(rules: RuleInfo[]): Example[] {
  const action = commonest(rules.filter((rule) => rule.kind === "law").flatMap((rule) => rule.on)) ?? "place";
  return [
    { name: "example.refuse", text: `#law "My law" on ${action}\n  (require nil "Say here why not.")\n` },
    { name: "example.twice", text: `#property latest\n\n#law "Never the same twice running" on ${action}\n  (require (!= self latest) "That was just chosen.")\n\n#sideeffect "The latest is remembered" on ${action}\n  (set latest to self)\n` },
    { name: "example.again", text: `#sideeffect "An extra turn" on ${action}\n  (if (= (random 1 6) 6) (again))\n` },
    { name: "example.limit", text: `#property count 0\n\n#sideeffect "After forty moves it is a draw" on ${action}\n  (increase count by 1)\n  (if (>= count 40) (draw))\n` },
  ];
}

function commonest(labels: string[]): string | null {
  const counts = new Map<string, number>();
  for (const label of labels) if (label !== "*") counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}
