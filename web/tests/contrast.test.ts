// The contrasts that tokens.css promises, computed from the file itself.
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("../src/styles/tokens.css", import.meta.url), "utf8");

type Theme = "light" | "dark";
const tokens = new Map<string, Record<Theme, string>>();
for (const [, name, value] of css.matchAll(/--([\w-]+):\s*(light-dark\([^;]*?\)|#[0-9a-f]{3,8});/g)) {
  const pair = /light-dark\((#[0-9a-f]+),\s*(#[0-9a-f]+)\)/.exec(value!);
  if (pair) tokens.set(name!, { light: pair[1]!, dark: pair[2]! });
  else if (value!.startsWith("#")) tokens.set(name!, { light: value!, dark: value! });
}

function luminance(hex: string): number {
  const digits = hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g)!;
  const [red, green, blue] = digits.map((pair) => {
    const part = parseInt(pair, 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function contrast(one: string, other: string, theme: Theme): number {
  const [a, b] = [one, other].map((name) => {
    const token = tokens.get(name);
    if (!token) throw new Error(`tokens.css has no colour --${name}`);
    return luminance(token[theme]);
  });
  return (Math.max(a!, b!) + 0.05) / (Math.min(a!, b!) + 0.05);
}

const seats = [1, 2, 3, 4, 5, 6, 7, 8];
const grounds = ["bg", "surface", "sunk"];
const text: [string, string][] = [
  ...["ink", "ink-2", "ink-3"].flatMap((ink) => grounds.map((ground): [string, string] => [ink, ground])),
  ...["accent", "pencil", "advised", "refused", "good"].map((ink): [string, string] => [ink, "surface"]),
  ["accent", "accent-soft"], ["pencil", "pencil-soft"], ["refused", "refused-soft"], ["good", "good-soft"], ["advised", "advised-soft"],
  ["on-accent", "accent"], ["on-ink", "ink"],
  ...seats.flatMap((n): [string, string][] => [[`seat-${n}-ink`, "surface"], [`seat-${n}-ink`, `seat-${n}-soft`], [`seat-${n}-on`, `seat-${n}`], ["ink", `seat-${n}-soft`]]),
  ["wood-ink", "wood-field"], ["sq-ink", "bg"], ["paper-ink", "paper-field"], ["felt-ink", "felt-field"], ["sea-ink", "sea-field"],
];
const edges: [string, string][] = [
  ["line-strong", "surface"], ["line-strong", "bg"],
  ...seats.map((n): [string, string] => [`seat-${n}`, "surface"]),
  ["wood-line", "wood-field"], ["paper-line", "paper-field"], ["felt-line", "felt-field"], ["sea-line", "sea-field"],
  ["wood-target", "wood-field"], ["sq-target", "sq-a"], ["paper-target", "paper-field"], ["felt-target", "felt-field"], ["sea-target", "sea-field"],
];

for (const theme of ["light", "dark"] as const) {
  test(`text can be read in the ${theme} theme`, () => {
    for (const [ink, ground] of text) expect(contrast(ink, ground, theme), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });
  test(`edges can be seen in the ${theme} theme`, () => {
    for (const [ink, ground] of edges) expect(contrast(ink, ground, theme), `${ink} on ${ground}`).toBeGreaterThanOrEqual(3);
  });
}
