// The account of a move, folded: a message that goes on from thing to thing is one line, and so is a rule that says the same again.
import type { RuleInfo, Traced } from "../protocol/generated";

export interface Told {
  depth: number;
  is: "message" | "law" | "after-law" | "side-effect" | "refused";
  words: string;
  /** How often the same was said in a row. */
  times: number;
  /** Not as it is printed. */
  house: boolean;
}

/** `seed to hole 6 left 8 origin hole 5`: the message, then who receives it. */
const RECEIVED = /^(\S+) to (.+)$/;

export function told(trace: Traced[], rules: RuleInfo[]): Told[] {
  const lines: Told[] = [];
  for (const { depth, words } of trace) {
    const rule = /^“(.+?)”/.exec(words)?.[1];
    const known = rule === undefined ? undefined : rules.find((one) => one.name === rule);
    const is = rule === undefined ? "message" : /” refuses/.test(words) ? "refused" : (known?.kind ?? "law");
    const line: Told = { depth, is, words, times: 1, house: known !== undefined && (known.printed !== known.mode || known.rewritten === true) };
    const last = lines.at(-1);
    if (last === undefined || last.is !== is) lines.push(line);
    else if (is === "message") {
      const [before, now] = [RECEIVED.exec(last.words), RECEIVED.exec(words)];
      if (before === null || now === null || before[1] !== now[1]) lines.push(line);
      else lines[lines.length - 1] = { ...last, words: `${last.words}, ${common(last.words, words)}`, times: last.times + 1 };
    } else if (said(last.words) === said(words)) last.times += 1;
    else lines.push(line);
  }
  return lines;
}

const said = (words: string) => words.trim();

/** Of a message that is one of several alike: who receives it, as far as it is not what its attributes say. */
function common(first: string, words: string): string {
  const receiver = RECEIVED.exec(words)?.[2] ?? words;
  // Attributes come after the receiver, by names that the first of the row has as well.
  const names = first.split(" ");
  const parts = receiver.split(" ");
  const at = parts.findIndex((part, index) => index > 0 && names.indexOf(part, 3) > 2 && Number.isNaN(Number(part)));
  return at < 0 ? receiver : parts.slice(0, at).join(" ");
}
