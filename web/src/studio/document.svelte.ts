// The one document of the studio as this browser knows it. The server holds the tree; here is its text, and what is drawn.
import { characters } from "../parts/marks";
import type { SourceFile } from "../protocol/generated";
import type { Around, Blocks, Change, FormLine, Picture, Span, State } from "./types";

const NOTHING: Picture = { version: 0, title: "", models: [], things: [], play: [], game: [], variants: [], messages: [] };

/** What is typed within this time goes together into one step. */
const TOGETHER = 1000;

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
  /** Goes up after every answer that brought another text or picture. */
  version = $state(0);
  /** When the text was last changed, on the browser's clock. */
  changedAt = 0;

  #socket: WebSocket | null = null;
  #waiting = new Map<number, { done: (value: unknown) => void; failed: (refusal: Refusal) => void }>();
  #next = 1;
  #opened: Promise<void> = Promise.resolve();
  #files: SourceFile[] = [];
  #sent = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #typedAt = 0;
  #flushing: Promise<void> = Promise.resolve();
  #closed = false;

  /** The first file is the text; the others are what it builds on. */
  open(files: SourceFile[]): Promise<void> {
    this.#files = files;
    this.text = files[0]?.text ?? "";
    this.#opened = this.#connect();
    return this.#opened;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  /** All files, the text as it stands. */
  get files(): SourceFile[] {
    const [first, ...others] = this.#files;
    return [{ path: first?.path ?? "game.gdl", text: this.text }, ...others];
  }

  get errors(): number {
    return this.picture.messages.filter((message) => message.is_error).length;
  }

  get warnings(): number {
    return this.picture.messages.length - this.errors;
  }

  /** The line of a byte, from 1. */
  line(byte: number): number {
    return this.text.slice(0, characters(this.text, byte)).split("\n").length;
  }

  async #connect(): Promise<void> {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/api/editing`);
    this.#socket = socket;
    const ready = new Promise<boolean>((done) => {
      socket.onopen = () => done(true);
      socket.onerror = () => done(false);
    });
    socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as { id?: number; result?: unknown; error?: { message: string; data?: string } });
    socket.onclose = () => {
      for (const waiting of this.#waiting.values()) waiting.failed({ code: "offline", words: "" });
      this.#waiting.clear();
      if (this.#closed || this.#socket !== socket) return;
      this.offline = true;
      // The text is here; the server opens it again, with a history that begins now.
      setTimeout(() => !this.#closed && (this.#opened = this.#connect()), 1000);
    };
    if (!(await ready)) return;
    try {
      await this.#ask("initialize", { capabilities: {} });
      const state = (await this.#ask("studio/open", { files: this.files })) as State;
      this.offline = false;
      this.#sent = state.text;
      this.#take(state);
      const table = (await this.#ask("studio/forms", {})) as { forms: FormLine[]; words: string[] };
      this.forms = table.forms;
      this.known = table.words;
      // It waits until this has ended.
      void this.look(this.at);
    } catch (refusal) {
      this.refusal = refusal as Refusal;
    }
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
    if (text === this.text) return;
    this.text = text;
    this.changedAt = performance.now();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), 60);
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
    } catch {
      // It is told again with what is typed next, or when the connection is back.
    }
  }

  #take(state: State): void {
    this.picture = state.picture;
    this.steps = state.steps;
    this.done = state.done;
    this.version += 1;
  }

  /** Makes a change by looking and clicking; whether it was made. */
  async change(change: Change): Promise<boolean> {
    this.refusal = null;
    try {
      return this.#stepped((await this.request("studio/change", { change })) as State);
    } catch (refusal) {
      this.refusal = refusal as Refusal;
      return false;
    }
  }

  async undo(): Promise<void> {
    this.#stepped((await this.request("studio/undo", {}).catch(() => null)) as State | null);
  }

  async redo(): Promise<void> {
    this.#stepped((await this.request("studio/redo", {}).catch(() => null)) as State | null);
  }

  async jump(to: number): Promise<void> {
    this.#stepped((await this.request("studio/jump", { to }).catch(() => null)) as State | null);
  }

  #stepped(state: State | null): boolean {
    if (state === null) return false;
    this.changedAt = performance.now();
    this.#sent = state.text;
    this.text = state.text;
    this.#typedAt = 0;
    this.#take(state);
    this.moved += 1;
    // What is looked at stays, where the edits were elsewhere.
    let at = this.at;
    for (const edit of [...state.edits].reverse()) {
      const grown = new TextEncoder().encode(edit.text).length - (edit.end - edit.start);
      if (edit.end <= this.at && !(edit.start === this.at)) at += grown;
    }
    void this.look(Math.max(0, at));
    return true;
  }

  /** Draws what stands at a byte: its statements, and what runs around them. */
  async look(at: number): Promise<void> {
    this.at = at;
    try {
      const [blocks, around, names] = await Promise.all([this.request("studio/blocks", { at }), this.request("studio/around", { at }), this.request("studio/names", {})]);
      if (this.at !== at) return;
      this.blocks = blocks as Blocks | null;
      this.around = around as Around | null;
      this.names = names as [string, string][];
    } catch {
      // Drawn again when the connection is back.
    }
  }

  /** Where a name is made, or every place that means it. */
  async places(what: "definition" | "references", text: string, at: number): Promise<Span[]> {
    type Place = { line: number; character: number };
    const before = text.slice(0, at).split("\n");
    const position = { line: before.length - 1, character: before[before.length - 1]!.length };
    const document = { uri: "game.gdl", version: 1, languageId: "gdl", text };
    await this.#opened;
    this.#socket?.send(JSON.stringify({ jsonrpc: "2.0", method: "textDocument/didOpen", params: { textDocument: document } }));
    const found = (await this.request(`textDocument/${what}`, { textDocument: document, position }).catch(() => null)) as { range: { start: Place; end: Place } }[] | null;
    const lines = text.split("\n");
    const offset = (place: Place) => lines.slice(0, place.line).reduce((sum, line) => sum + line.length + 1, 0) + place.character;
    return (found ?? []).map(({ range }) => ({ start: offset(range.start), end: offset(range.end) }));
  }
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
