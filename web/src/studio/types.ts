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
  /** The directives of a variant or a view. */
  inside: Entry[];
  /** Where it stands in another file of the game. */
  there: There | null;
  n_errors: number;
  n_warnings: number;
}

/** A place in a file that is not looked at. */
export interface There {
  path: string;
  start: number;
}

export type ValueKind = "nothing" | "number" | "text" | "id" | "list" | "dictionary" | "computed";

/** A value with everything inside of it. */
export interface Held {
  kind: ValueKind;
  /** Of an ID the name, of a text what stands between its quotes, else what is written. */
  text: string;
  entries?: { key?: string; held: Held }[];
}

export interface Row {
  name: string;
  role: "property" | "relation" | "appearance";
  value: string | null;
  held: Held;
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
  states: { name: string; initial: boolean; name_at: Span | null; behaviors: Entry[] }[];
  defines: Entry[];
  looks: Looks;
  there: There | null;
  n_errors: number;
  n_warnings: number;
}

/** By which appearances things are drawn. */
export interface Looks {
  x: string;
  y: string;
  image: string;
  order: string;
  tint: string;
  opacity: string;
}

export type Lane = "top" | "left" | "right" | "bottom";

/** What only an editor wants to know. */
export interface Workspace {
  size: [number, number] | null;
  layers: { name: string; visible: boolean; protected: boolean; at: Span | null; name_at: Span | null }[];
  slots: { relation: string; of: string; lane: Lane | null; layer: string | null }[];
  puts: [string, string][];
  groups: { name: string; entities: string[]; at: Span | null; name_at: Span | null }[];
}

export interface Message {
  is_error: boolean;
  code: string;
  title: string;
  text: string;
  hint: string | null;
  at: Span | null;
  there: There | null;
}

export interface Picture {
  version: number;
  title: string;
  models: ModelEntry[];
  things: Entry[];
  play: Entry[];
  game: Entry[];
  variants: Entry[];
  workspace: Workspace;
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

/** Something that was done, with the edits that do it and take it back, file by file. */
export interface Step {
  what: string;
  name: string;
  strokes: { path: string; forth: Edit[]; back: Edit[] }[];
}

export interface Edit {
  start: number;
  end: number;
  text: string;
}

/** A place that means something. */
export interface Place {
  path: string;
  at: Span;
  defines: boolean;
}

/** What leads where; where things are drawn is no part of it. */
export interface Graph {
  relations: { model: string; name: string; to: string[]; many: boolean; at: Span | null }[];
  links: { from: string; name: string; to: string[]; many: boolean; at: Span | null }[];
}

/** Messages and states, and what leads from one to the other. */
export interface Diagram {
  boxes: { name: string; lines: string[]; choice: boolean; start: boolean; end: boolean }[];
  arrows: { from: number; to: number; label: string }[];
}

export interface State {
  text: string;
  path: string;
  /** All files, where not only this one may be another. */
  files: { path: string; text: string }[] | null;
  xml: boolean;
  /** What a running match must be told, once one has been told. */
  fit: { sound: boolean; text?: string | null } | null;
  step: Step | null;
  edits: Edit[];
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

export type What = "model" | "entity" | "board" | "property" | "relation" | "appearance" | "define" | "state" | "behavior" | "law" | "after-law" | "side-effect" | "action" | "setting" | "layer" | "players" | "turns" | "variant" | "view" | "set" | "rule";

export type Change =
  | { do: "type"; text: string; joins: boolean }
  | { do: "replace"; at: Span; with: string }
  | { do: "remove"; at: Span }
  | { do: "insert"; at: Span; side: "before" | "after"; text: string }
  | { do: "fill"; at: Span; slot: number; text: string }
  | { do: "clear"; at: Span; slot: number }
  | { do: "move"; at: Span; to: Span; side: "before" | "after" }
  | { do: "wrap"; at: Span; with: string }
  | { do: "add"; what: What; name: string; of?: string; state?: string; value?: string; within?: Span }
  | { do: "remove-model"; model: string }
  | { do: "parent"; model: string; parent: string | null }
  | { do: "value"; of: string; property: string; value: string | null }
  | { do: "with"; at: Span; property: string; value: string | null }
  | { do: "give"; at: Span; values: Record<string, string | null> }
  | { do: "link"; at: Span; relation: string; path?: string[]; key?: string; to: string }
  | { do: "unlink"; at: Span; relation: string; path?: string[] }
  | { do: "made-from"; at: Span; model: string | null }
  | { do: "remove-entity"; at: Span }
  | { do: "remove-state"; model: string; state: string }
  | { do: "look"; model: string; attribute: "x" | "y" | "image" | "layer"; property: string }
  | { do: "layer"; name: string; visible?: boolean; protected?: boolean }
  | { do: "remove-layer"; name: string }
  | { do: "slot"; relation: string; of: string; lane?: Lane; layer?: string }
  | { do: "on-layer"; entities: string[]; layer: string | null }
  | { do: "group"; entities: string[]; group: string | null }
  | { do: "size"; width: number; height: number }
  | { do: "all"; changes: Change[]; deed?: "place" | "link" | "break" | "add" | "remove" | "value" | "image" | "slot" | "layer"; name?: string }
  | { do: "mode"; rule: string; mode: "enforced" | "advised" | "off" }
  | { do: "rename"; at: number; to: string }
  | { do: "push-up"; at: Span }
  | { do: "extract"; at: Span; name: string }
  | { do: "format" };
