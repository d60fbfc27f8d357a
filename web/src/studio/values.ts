// Values as they are written in the language, and as a person types them into a cell.
import { spelled } from "./document.svelte";
import type { Held, ValueKind } from "./types";

/** A text between quotes. */
export function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;
}

export function written(held: Held): string {
  switch (held.kind) {
    case "nothing":
      return "()";
    case "id":
      return held.text === "" ? "nil" : `(entity ${quoted(held.text)})`;
    case "text":
      return quoted(held.text.replaceAll("{", "{{"));
    case "number":
      return held.text === "" ? "0" : held.text;
    case "list":
      return `(${["list", ...(held.entries ?? []).map((entry) => written(entry.held))].join(" ")})`;
    case "dictionary":
      return `(${["dictionary", ...(held.entries ?? []).map((entry) => `${quoted(entry.key ?? "")} ${written(entry.held)}`)].join(" ")})`;
    case "computed":
      return held.text;
  }
}

const FIRST: Record<ValueKind, Held> = {
  nothing: { kind: "nothing", text: "" },
  number: { kind: "number", text: "0" },
  text: { kind: "text", text: "" },
  id: { kind: "id", text: "" },
  list: { kind: "list", text: "", entries: [] },
  dictionary: { kind: "dictionary", text: "", entries: [] },
  computed: { kind: "computed", text: "()" },
};

/** What a new value of a type begins with. */
export function first(kind: ValueKind): Held {
  return structuredClone(FIRST[kind]);
}

const NUMBER = /^-?\d+([.,]\d+)?$/;

/** What was typed into the cell of a value. */
export function typed(old: Held, text: string, things: string[]): Held {
  const said = text.trim();
  if (old.kind === "text") return { kind: "text", text };
  if (old.kind === "id") return { kind: "id", text: said };
  if (said === "") return first("nothing");
  if (NUMBER.test(said)) return { kind: "number", text: said.replace(",", ".") };
  if (/^[("]/.test(said)) return { kind: "computed", text: said };
  if (old.kind === "number") return { kind: "text", text: said };
  if (things.includes(said)) return { kind: "id", text: said };
  return old.kind === "computed" && !/\s/.test(said) ? { kind: "computed", text: spelled(said) } : /\s/.test(said) ? { kind: "text", text: said } : { kind: "computed", text: spelled(said) };
}

/** The numbers of a list, the keys of a dictionary: where something lies inside a value. */
export type Path = string[];

/** Every ID inside a value, with where it lies; the first level first. */
export function ids(held: Held, path: Path = []): { path: Path; to: string }[] {
  if (held.kind === "id") return held.text === "" ? [] : [{ path, to: held.text }];
  return (held.entries ?? []).flatMap((entry, nth) => ids(entry.held, [...path, entry.key ?? String(nth)]));
}

/** Every list and dictionary inside a value, itself included. */
export function containers(held: Held, path: Path = []): { path: Path; kind: "list" | "dictionary" }[] {
  if (held.kind !== "list" && held.kind !== "dictionary") return [];
  return [{ path, kind: held.kind }, ...(held.entries ?? []).flatMap((entry, nth) => containers(entry.held, [...path, entry.key ?? String(nth)]))];
}
