// From what the checker says of a text to marks in an editor.
import type { Diagnostic } from "../protocol/generated";

export interface Mark {
  from: number;
  to: number;
  severity: "error" | "warning" | "info";
  message: string;
  /** The word that was probably meant. */
  fix?: string;
}

/** The checker counts bytes, an editor counts what JavaScript calls characters. */
export function characters(text: string, bytes: number): number {
  let [at, counted] = [0, 0];
  for (const letter of text) {
    if (counted >= bytes) break;
    const code = letter.codePointAt(0)!;
    counted += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += letter.length;
  }
  return at;
}

/** What has no place in this text stands under it, not in it. */
export function marks(diagnostics: Diagnostic[], text: string): Mark[] {
  return diagnostics.flatMap((one) => {
    if (one.place === undefined) return [];
    const from = characters(text, one.place.start);
    const to = Math.max(characters(text, one.place.end), Math.min(from + 1, text.length));
    if (from > text.length) return [];
    const message = [one.title, one.label, one.hint].filter(Boolean).join(" ");
    const fix = /Did you mean [`“]([^`”]+)[`”]/.exec(message)?.[1];
    return [{ from, to, severity: one.severity === "to-do" ? "info" : one.severity, message, ...(fix === undefined ? {} : { fix }) }];
  });
}
