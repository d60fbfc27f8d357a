// The one document of the studio as this browser knows it. The server holds the tree; here is its text, and what is drawn.
import { characters } from "../parts/marks";
import type { SourceFile } from "../protocol/generated";
import type { Act } from "./effort.svelte";
import type { Around, Blocks, Change, Diagram, FormLine, Graph, Picture, Place, Span, State, Step } from "./types";

const NOTHING: Picture = { version: 0, title: "", models: [], things: [], play: [], game: [], variants: [], workspace: { size: null, layers: [], slots: [], puts: [], groups: [] }, messages: [] };

/** What is typed is told when nothing more was typed for so long. */
const PAUSE = 10;

/** What is typed within this time goes together into one step. */
const TOGETHER = 1000;

/** More are forgotten by the server. */
const MOST_STEPS = 1000;

/** Why a change was not made. */
export interface Refusal {
  code: string;
  words: string;
}

export class StudioModel {
  text = $state("");
  picture: Picture = $state.raw(NOTHING);
  steps: State["steps"] = $state.raw([]);
  done = $state(0);
  blocks: Blocks | null = $state.raw(null);
  around: Around | null = $state.raw(null);
  forms: FormLine[] = $state.raw([]);
  /** Words that mean something in every game, such as `player`. */
  known: string[] = $state.raw([]);
  names: [string, string][] = $state.raw([]);
  refusal: Refusal | null = $state.raw(null);
  offline = $state(false);
  /** Where the text stands that is looked at, in bytes. */
  at = $state(0);
  /** Another number whenever the text was changed by something else than typing. */
  moved = $state(0);
  /** What the last change wrote. */
  wrote: Span | null = $state.raw(null);
  /** Where the statements begin that are folded, in bytes; they move with the text. */
  folded: ReadonlySet<number> = $state.raw(new Set());
  /** Told of everything that was done, and of what was refused. */
  noted: ((act: Act, step: Step | { what: string; name: string }) => void) | null = null;
  /** Told before every change, and after every step back or forth. */
  remember: (() => void) | null = null;
  recall: ((done: number) => void) | null = null;
  /** Goes up after every answer that brought another text or picture. */
  version = $state(0);
  /** For which of them the statements are drawn that are looked at. */
  drawn = $state(0);
  /** All files of the game; the first is the one it begins with. */
  paths: string[] = $state.raw([]);
  /** The one that is looked at. */
  path = $state("");
  /** It was opened from a game file in XML. */
  xml = $state(false);
  /** Somebody else writes: nothing is changed here. */
  readonly = $state(false);
  /** Asks for the name of the rule that a statement becomes. */
  ruling: ((at: Span) => void) | null = null;
  /** What the match must be told, and when that was known, on the browser's clock. */
  fit: { sound: boolean; text?: string | null } | null = null;
  fitAt = 0;
  /** When the text was last changed, on the browser's clock. */
  changedAt = 0;

  #socket: WebSocket | null = null;
  #waiting = new Map<number, { done: (value: unknown) => void; failed: (refusal: Refusal) => void }>();
  #next = 1;
  #begun: () => void = () => {};
  /** What is clicked before anything was opened waits for it. */
  #opened: Promise<void> = new Promise((done) => (this.#begun = done));
  #files: SourceFile[] = [];
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typedAt = 0;
  #flushing: Promise<void> = Promise.resolve();
  #closed = false;
  /** What was done, in all files: the server forgets it when the connection is lost. */
  #journal: Step[] = [];
  /** Where that stands now which was drawn for an older text. */
  #carried = new Map<Span, Span | null>();

  /** The first file is that with which the game begins; `path` says which is looked at, and what was done to all of them. */
  async open(files: SourceFile[], path?: string, journal: Step[] = [], done = 0): Promise<boolean> {
    const before = { files: this.files, path: this.path, journal: this.#journal, done: this.done, xml: this.xml };
    this.#put(files, path, journal, done);
    await this.#opened;
    const refused = this.refusal;
    if (refused === null || !refused.code.startsWith("studio/") || before.files.length === 0) return refused === null;
    // What was open stays open.
    this.#put(before.files, before.path, before.journal, before.done);
    this.xml = before.xml;
    await this.#opened;
    this.refusal = refused;
    return false;
  }

  #put(files: SourceFile[], path: string | undefined, journal: Step[], done: number): void {
    this.refusal = null;
    this.#files = files;
    this.path = path ?? files[0]?.path ?? "game.gdl";
    this.text = this.#files.find((file) => file.path === this.path)?.text ?? "";
    this.#journal = journal;
    this.steps = journal.map(({ what, name }) => ({ what, name }));
    this.done = Math.min(done, journal.length);
    this.#sent = this.text;
    this.xml = false;
    this.#opened = this.#connect();
    void this.#opened.then(this.#begun);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** All files, the text as it stands. */
  get files(): SourceFile[] {
    return this.#files.map((file) => (file.path === this.path ? { path: file.path, text: this.text } : file));
  }

  /** What was done, so that it can be taken back after the page was closed. */
  get journal(): Step[] {
    return this.#journal;
  }

  get errors(): number {
    return this.picture.messages.filter((message) => message.is_error).length;
  }

  get warnings(): number {
    return this.picture.messages.length - this.errors;
  }

  /** The line of a byte, from 1; of the file that is looked at, or of another one. */
  line(byte: number, path = this.path): number {
    const text = this.textOf(path);
    return text.slice(0, characters(text, byte)).split("\n").length;
  }

  async #connect(): Promise<void> {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/editing`);
    this.#lose();
    this.#socket?.close();
    this.#socket = socket;
    const ready = new Promise<boolean>((done) => {
      socket.onopen = () => done(true);
      socket.onerror = () => done(false);
    });
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as { id?: number; result?: unknown; error?: { message: string; data?: string } });
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.#lose();
      if (this.#closed) return;
      this.offline = true;
      // The text and what was done to it are here; the server opens them again.
      setTimeout(() => !this.#closed && (this.#opened = this.#connect()), 1000);
    };
    if (!(await ready)) return;
    try {
      await this.#ask("initialize", { capabilities: {} });
      // As it was told last, for that is where the steps lead; what was typed since is told next.
      const told = this.#sent;
      const files = this.#files.map((file) => (file.path === this.path ? { path: file.path, text: told } : file));
      const state = (await this.#ask("studio/open", { files, file: this.path, steps: this.#journal, done: this.done, xml: this.xml })) as State;
      this.offline = false;
      this.#sent = state.text;
      if (this.text === told) this.text = state.text;
      this.#take(state);
      const table = (await this.#ask("studio/forms", {})) as { forms: FormLine[]; words: string[] };
      this.forms = table.forms;
      this.known = table.words;
      if (this.text !== this.#sent) void this.flush();
      // It waits until this has ended.
      void this.look(this.at);
    } catch (refusal) {
      this.refusal = refusal as Refusal;
    }
  }

  #lose(): void {
    for (const waiting of this.#waiting.values()) waiting.failed({ code: "offline", words: "" });
    this.#waiting.clear();
  }

  #heard(answer: { id?: number; result?: unknown; error?: { message: string; data?: string } }): void {
    if (answer.id === undefined) return;
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error) waiting?.failed({ code: answer.error.data ?? "", words: answer.error.message });
    else waiting?.done(answer.result);
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.reject({ code: "offline", words: "" } satisfies Refusal);
    const id = this.#next++;
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /** Asks when everything typed has been told. */
  async request(method: string, params: unknown): Promise<unknown> {
    await this.#opened;
    await this.flush();
    return this.#ask(method, params);
  }

  /** The editor has another text. */
  typed(text: string): void {
    if (text === this.text || this.readonly) return;
    this.text = text;
    this.changedAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), PAUSE);
  }

  /** Tells what was typed; several at once wait for each other. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#flushing = this.#flushing.then(() => this.#tell());
    return this.#flushing;
  }

  async #tell(): Promise<void> {
    const text = this.text;
    if (text === this.#sent || this.offline) return;
    const now = performance.now();
    const joins = now - this.#typedAt < TOGETHER;
    this.#typedAt = now;
    try {
      const state = (await this.#ask("studio/change", { change: { do: "type", text, joins } satisfies Change })) as State;
      this.#sent = text;
      this.#take(state);
      this.noted?.("step", { what: "type", name: "" });
    } catch {
      // It is told again with what is typed next, or when the connection is back.
    }
  }

  #take(state: State): void {
    if (state.files !== null) {
      this.#files = state.files;
      this.paths = state.files.map((file) => file.path);
    }
    if (this.path !== state.path) {
      // What was drawn of the other file has no place in this one.
      this.folded = new Set();
      for (const drawn of spans(this.blocks)) this.#carried.set(drawn, null);
    }
    const turned = this.path !== state.path;
    this.path = state.path;
    this.fit = state.fit;
    this.fitAt = performance.now();
    this.xml = state.xml;
    if (state.step === null) this.#journal = [];
    else if (state.steps.length >= this.#journal.length || state.done === state.steps.length) {
      // The oldest are forgotten there, too.
      if (state.steps.length === this.#journal.length && state.steps.length >= MOST_STEPS && state.done === state.steps.length) this.#journal.shift();
      this.#journal = [...this.#journal.slice(0, state.steps.length - 1), state.step];
    }
    this.picture = state.picture;
    this.steps = state.steps;
    this.done = state.done;
    this.wrote = state.at;
    if (turned) return void (this.version += 1);
    if (this.folded.size > 0) this.folded = new Set([...this.folded].map((at) => moved(at, state.edits)));
    for (const drawn of spans(this.blocks)) {
      const at = this.#carried.has(drawn) ? this.#carried.get(drawn)! : drawn;
      this.#carried.set(drawn, at === null ? null : carried(at, state.edits));
    }
    this.version += 1;
  }

  /** Makes a change by looking and clicking; whether it was made. */
  async change(change: Change): Promise<boolean> {
    this.refusal = null;
    if (this.readonly) return false;
    this.remember?.();
    try {
      await this.#opened;
      await this.flush();
      if (this.readonly) return false;
      const meant = this.#meant(change);
      // Pressed twice: what it was about went with the first time.
      if (meant === null) return false;
      const made = this.#stepped((await this.#ask("studio/change", { change: meant })) as State);
      const last = this.steps[this.done - 1];
      if (made && last) this.noted?.("step", last);
      return made;
    } catch (refusal) {
      this.refusal = refusal as Refusal;
      this.noted?.("refused", { what: "", name: this.refusal.words });
      return false;
    }
  }

  /** The same where the text stands now, for what was clicked may have been drawn for the one before; none where it is gone. */
  #meant(change: Change): Change | null {
    let gone = false;
    const meant = (part: unknown): unknown => {
      if (Array.isArray(part)) return part.map(meant);
      if (typeof part !== "object" || part === null) return part;
      const at = this.#carried.get(part as Span);
      gone ||= at === null;
      return at ?? Object.fromEntries(Object.entries(part).map(([key, inside]) => [key, meant(inside)]));
    };
    const found = meant(change) as Change;
    return gone ? null : found;
  }

  async undo(): Promise<void> {
    if (this.readonly) return;
    this.#walked((await this.request("studio/undo", {}).catch(() => null)) as State | null);
  }

  async redo(): Promise<void> {
    if (this.readonly) return;
    this.#walked((await this.request("studio/redo", {}).catch(() => null)) as State | null);
  }

  async jump(to: number): Promise<void> {
    if (this.readonly) return;
    this.#walked((await this.request("studio/jump", { to }).catch(() => null)) as State | null);
  }

  #walked(state: State | null): void {
    const before = this.done;
    if (!this.#stepped(state)) return;
    for (let nth = before; nth > this.done; nth -= 1) this.noted?.("undone", this.steps[nth - 1]!);
    for (let nth = before; nth < this.done; nth += 1) this.noted?.("redone", this.steps[nth]!);
    this.recall?.(this.done);
  }

  fold(at: number, folds: boolean): void {
    const next = new Set(this.folded);
    if (folds) next.add(at);
    else next.delete(at);
    this.folded = next;
  }

  /** The document as a game file in XML; none where the text has a slip. */
  async gameFile(): Promise<string | null> {
    try {
      return (await this.request("studio/game-file", {})) as string;
    } catch (refusal) {
      this.refusal = refusal as Refusal;
      return null;
    }
  }

  #stepped(state: State | null): boolean {
    if (state === null) return false;
    this.changedAt = performance.now();
    const turned = state.path !== this.path;
    this.#sent = state.text;
    this.text = state.text;
    this.#typedAt = 0;
    this.#take(state);
    this.moved += 1;
    // What is looked at stays, where the edits were elsewhere.
    void this.look(turned ? 0 : Math.max(0, moved(this.at, state.edits, false)));
    return true;
  }

  /** Draws what stands at a byte: its statements, and what runs around them. */
  async look(at: number): Promise<void> {
    this.at = at;
    try {
      await this.#opened;
      await this.flush();
      const version = this.version;
      const seen = (await this.#ask("studio/look", { at })) as { blocks: Blocks | null; around: Around | null; names: [string, string][] };
      if (this.at !== at || this.version !== version) return;
      this.drawn = version;
      this.#carried = new Map();
      this.blocks = seen.blocks;
      this.around = seen.around;
      this.names = seen.names;
    } catch {
      // Drawn again when the connection is back.
    }
  }

  /** Another file of the game is looked at; with a text it is made, where it is not there yet. */
  async turnTo(path: string, text?: string, at = 0): Promise<boolean> {
    this.refusal = null;
    try {
      await this.flush();
      const state = (await this.request("studio/file", { path, ...(text === undefined ? {} : { text }) })) as State;
      this.#sent = state.text;
      this.text = state.text;
      this.#take(state);
      this.moved += 1;
      void this.look(at);
      return true;
    } catch (refusal) {
      this.refusal = refusal as Refusal;
      return false;
    }
  }

  graph(): Promise<Graph | null> {
    return this.request("studio/graph", {}).catch(() => null) as Promise<Graph | null>;
  }

  diagram(): Promise<Diagram | null> {
    return this.request("studio/diagram", {}).catch(() => null) as Promise<Diagram | null>;
  }

  /** Every place of the game that means what the name at a byte means, those where it is made first. */
  places(at: number): Promise<Place[]> {
    return this.request("studio/places", { at }).catch(() => []) as Promise<Place[]>;
  }

  /** The text of a file as it stands. */
  textOf(path: string): string {
    return this.files.find((file) => file.path === path)?.text ?? "";
  }
}

/** Where something stands after some edits; what is put exactly there pushes it on, or does not. */
function moved(at: number, edits: State["edits"], pushed = true): number {
  let to = at;
  for (const edit of edits) {
    const grown = new TextEncoder().encode(edit.text).length - (edit.end - edit.start);
    if (edit.end <= at && (pushed || edit.start !== at)) to += grown;
  }
  return to;
}

/** Everything that is drawn from somewhere in the text. */
function spans(drawn: unknown): Span[] {
  if (typeof drawn !== "object" || drawn === null) return [];
  return typeof (drawn as Partial<Span>).start === "number" ? [drawn as Span] : Object.values(drawn).flatMap(spans);
}

/** Where something stands after some edits; nowhere if they cut it away. */
function carried(at: Span, edits: State["edits"]): Span | null {
  if (edits.some((edit) => edit.end > edit.start && edit.start <= at.start && at.end <= edit.end)) return null;
  return { start: moved(at.start, edits), end: moved(at.end, edits, false) };
}

/** A byte of what stands before a place the editor counts in characters. */
export function bytes(text: string, at: number): number {
  return new TextEncoder().encode(text.slice(0, at)).length;
}

/** A name as it is written: in quotes only where it needs them. */
export function spelled(name: string): string {
  const plain = /^[\p{L}\p{N}\-_+*/=<>!?.'%&:@$^~|]+$/u.test(name) && !/^[\d.-]+$/.test(name);
  return plain ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
