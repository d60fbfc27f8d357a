// Changes of the rules of a match: in words, taken back, kept as a variant.
import type { Change, Mode, RuleInfo, SettingInfo } from "../protocol/generated";
import { toldValue } from "../parts/value";
import { words } from "../words/later";

export function inWords(change: Change): string {
  switch (change.kind) {
    case "mode":
      return `${change.rule} → ${words(`rules.${change.mode}`)}`;
    case "setting":
      return `${change.name} → ${toldValue(change.value)}`;
    case "text":
      return headline(change.text);
  }
}

/** The name of what a text defines, or else how it begins. */
export function headline(text: string): string {
  const named = defined(text);
  if (named !== null) return `+ ${named}`;
  const first = text.trim().split("\n")[0] ?? "";
  return first.length > 60 ? `${first.slice(0, 57)}…` : first;
}

/** The first rule that a text defines. */
function defined(text: string): string | null {
  return /#(?:law|sideeffect|rule)\s+"([^"]+)"/.exec(text)?.[1] ?? null;
}

export interface Print {
  /** As the definition has them. */
  rules: RuleInfo[];
  settings: SettingInfo[];
}

/** What takes the last of these changes back: it leads to what the others and the print say. None where that is not known. */
export function back(changes: Change[], print: Print): Change | null {
  const last = changes[changes.length - 1];
  const before = changes.slice(0, -1);
  if (last === undefined) return null;
  switch (last.kind) {
    case "mode": {
      const earlier = before.findLast((one) => one.kind === "mode" && one.rule === last.rule) as { mode: Mode } | undefined;
      const mode = earlier?.mode ?? print.rules.find((rule) => rule.name === last.rule)?.mode ?? "enforced";
      return mode === last.mode ? null : { kind: "mode", rule: last.rule, mode };
    }
    case "setting": {
      const earlier = before.findLast((one) => one.kind === "setting" && one.name === last.name) as { value: string } | undefined;
      const value = earlier?.value ?? print.settings.find((setting) => setting.name === last.name)?.printed;
      return value === undefined || value === last.value ? null : { kind: "setting", name: last.name, value };
    }
    case "text": {
      const name = defined(last.text);
      if (name === null) return null;
      const earlier = before.findLast((one) => one.kind === "text" && defined(one.text) === name) as { text: string } | undefined;
      const text = earlier?.text ?? print.rules.find((rule) => rule.name === name)?.text;
      // A rule that was not there before cannot be taken out of a running match; switched off it does nothing.
      return text === undefined ? { kind: "mode", rule: name, mode: "off" } : { kind: "text", text };
    }
  }
}

/** These changes as a variant in the definition language, each thing said once, as it stands in the end. */
export function asVariant(name: string, changes: Change[]): string {
  const last = new Map<string, string>();
  for (const change of changes) {
    const [key, text] = written(change);
    // What is said again later stands later, so that a switch follows the text it is about.
    last.delete(key);
    last.set(key, text);
  }
  return [`#variant ${quoted(name)}`, ...last.values()].join("\n") + "\n";
}

function written(change: Change): [key: string, text: string] {
  switch (change.kind) {
    case "mode":
      return [`mode ${change.rule}`, `#rule ${quoted(change.rule)} ${change.mode}`];
    case "setting":
      return [`setting ${change.name}`, `#set ${change.name} ${change.value}`];
    case "text":
      return [`text ${defined(change.text) ?? change.text}`, change.text.trim()];
  }
}

const quoted = (text: string) => `"${text.replaceAll('"', "'")}"`;
