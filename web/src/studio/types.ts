// What the studio's requests answer; crates/studio has the types they are made from.

export interface Span {
  start: number;
  end: number;
}

export interface Entry {
  what: string;
  name: string;
  of: string | null;
  at: Span | null;
  mode: "enforced" | "advised" | "off" | null;
  values: Row[];
  n_errors: number;
  n_warnings: number;
}

export interface Row {
  name: string;
  role: "property" | "relation" | "appearance";
  value: string | null;
  kind: "nothing" | "number" | "text" | "id" | "list" | "dictionary" | "computed";
  from: string;
  changed: boolean;
  inherited: boolean;
  at: Span | null;
  value_at: Span | null;
}

export interface ModelEntry {
  name: string;
  parent: string | null;
  at: Span | null;
  rows: Row[];
  states: { name: string; initial: boolean; behaviors: Entry[] }[];
  defines: Entry[];
  n_errors: number;
  n_warnings: number;
}

export interface Message {
  is_error: boolean;
  code: string;
  title: string;
  text: string;
  hint: string | null;
  at: Span | null;
}

export interface Picture {
  version: number;
  title: string;
  models: ModelEntry[];
  things: Entry[];
  play: Entry[];
  game: Entry[];
  variants: Entry[];
  messages: Message[];
}

export interface NameAt {
  at: Span;
  name: string;
}

export interface Block {
  at: Span;
  kind: "flow" | "source" | "pipe" | "sink" | "send" | "declaration" | "empty";
  form: string;
  head: string;
  text: string;
  notes: string[];
  parts: Part[];
  loose: boolean;
}

export interface Part {
  slot: number;
  name: string;
  takes: string;
  optional: boolean;
  given: boolean;
  words: string[];
  names: NameAt[];
  blocks: Block[];
  groups: { name: NameAt | null; blocks: Block[] }[];
}

export interface Blocks {
  at: Span;
  what: string;
  name: string;
  of: string | null;
  state: string | null;
  body: Block[];
  open: boolean;
  values: Block[];
  notes: string[];
}

export interface AroundRule {
  name: string;
  kind: "law" | "after-law" | "side-effect";
  mode: "enforced" | "advised" | "off";
  at: Span | null;
  several: boolean;
}

export interface Around {
  label: string;
  of: string | null;
  state: string | null;
  at: Span | null;
  before: AroundRule[];
  after: AroundRule[];
}

export interface State {
  text: string;
  edits: { start: number; end: number; text: string }[];
  at: Span | null;
  picture: Picture;
  steps: { what: string; name: string }[];
  done: number;
}

export interface FormLine {
  form: string;
  head: string;
  usage: string;
  kind: Block["kind"];
  shelf: string;
  about: string;
  text: string;
}

export type What = "model" | "entity" | "board" | "property" | "relation" | "appearance" | "define" | "state" | "behavior" | "law" | "after-law" | "side-effect" | "action" | "setting";

export type Change =
  | { do: "type"; text: string; joins: boolean }
  | { do: "replace"; at: Span; with: string }
  | { do: "remove"; at: Span }
  | { do: "insert"; at: Span; side: "before" | "after"; text: string }
  | { do: "fill"; at: Span; slot: number; text: string }
  | { do: "clear"; at: Span; slot: number }
  | { do: "move"; at: Span; to: Span; side: "before" | "after" }
  | { do: "wrap"; at: Span; with: string }
  | { do: "add"; what: What; name: string; of?: string; state?: string; value?: string }
  | { do: "remove-model"; model: string }
  | { do: "parent"; model: string; parent: string | null }
  | { do: "value"; of: string; property: string; value: string | null }
  | { do: "with"; at: Span; property: string; value: string | null }
  | { do: "mode"; rule: string; mode: "enforced" | "advised" | "off" }
  | { do: "rename"; at: number; to: string }
  | { do: "format" };
