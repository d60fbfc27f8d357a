// The language of the page: one catalogue each, English where nothing else is known.
import { en, type Catalogue, type Key } from "./en";

/** A further language is a further line here and a file beside `en.ts`. */
const languages: Record<string, { name: string; load: () => Promise<Catalogue> }> = {
  en: { name: "English", load: async () => en },
  de: { name: "Deutsch", load: async () => (await import("./de")).de },
};

let language = $state("en");
let catalogue: Catalogue = $state.raw(en);

export const known = Object.entries(languages).map(([code, { name }]) => ({ code, name }));

export function current(): string {
  return language;
}

/** The person's own choice, else what the browser prefers among what there is. */
export async function settle(): Promise<void> {
  const wanted = [localStorage.getItem("language"), ...navigator.languages.map((tag) => tag.split("-")[0] ?? tag)];
  const code = wanted.find((code) => code !== null && code in languages) ?? "en";
  await choose(code);
}

export async function choose(code: string): Promise<void> {
  const chosen = languages[code];
  if (chosen === undefined) return;
  catalogue = await chosen.load();
  language = code;
  document.documentElement.lang = code;
}

export function remember(code: string): Promise<void> {
  localStorage.setItem("language", code);
  return choose(code);
}

export type Values = Record<string, string | number>;

export function words(key: Key, values: Values = {}): string {
  return fill(catalogue[key], values, language);
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
