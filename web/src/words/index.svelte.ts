// The language of the page: one catalogue each, English where nothing else is known.
import { now, type Catalogue, type Key } from "./en";

export type { Key };

/** A further language is a further file beside these, with its code as its name: `fr.ts` exports `fr`. */
const files = import.meta.glob<Record<string, Catalogue>>(["./??.ts", "!./en.ts"]);
const codes = ["en", ...Object.keys(files).map((file) => file.slice(2, -3))].sort();

/** What a language calls itself. */
function nameOf(code: string): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

export const known = codes.map((code) => ({ code, name: nameOf(code) }));

let language = $state("en");
/** As far as it has come: the rest comes with whoever says it. */
let english: Partial<Catalogue> = now;
let catalogue: Partial<Catalogue> = $state.raw(english);

export function current(): string {
  return language;
}

/** The person's own choice, else what the browser prefers among what there is. */
export async function settle(): Promise<void> {
  const wanted = [localStorage.getItem("language"), ...navigator.languages.map((tag) => tag.split("-")[0] ?? tag)];
  const code = wanted.find((code) => code !== null && codes.includes(code)) ?? "en";
  await choose(code);
}

export async function choose(code: string): Promise<void> {
  if (!codes.includes(code)) return;
  const file = await files[`./${code}.ts`]?.();
  catalogue = file?.[code] ?? english;
  language = code;
  document.documentElement.lang = code;
}

/** More of the English words. */
export function learn(more: Partial<Catalogue>): void {
  english = { ...english, ...more };
  if (language === "en") catalogue = english;
}

export function remember(code: string): Promise<void> {
  localStorage.setItem("language", code);
  return choose(code);
}

export type Values = Record<string, string | number>;

export function words(key: Key, values: Values = {}): string {
  return fill(catalogue[key] ?? "", values, language);
}

/** `{n}` becomes its value, `{n, one:game, other:games}` the form that fits the number. */
export function fill(text: string, values: Values, language: string): string {
  return text.replace(/\{(\w+)(?:,\s*([^}]*))?\}/g, (whole, name: string, forms: string | undefined) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (forms === undefined) return String(value);
    const form = new Intl.PluralRules(language).select(Number(value));
    const known = new Map(forms.split(/,\s*/).map((part) => part.split(":", 2) as [string, string]));
    return known.get(form) ?? known.get("other") ?? String(value);
  });
}
