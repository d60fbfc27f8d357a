// The language server, asked over a socket of its own: which words fit at a place, and what a word means.
import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import type { Diagnostic, SourceFile } from "../protocol/generated";

interface Answer {
  id?: number;
  result?: unknown;
  method?: string;
  params?: { diagnostics: Fault[] };
}

/** As the protocol has it: a hint stands in a line of its own. */
interface Fault {
  range: { start: Place; end: Place };
  severity: number;
  code?: string;
  message: string;
}

interface Place {
  line: number;
  character: number;
}

const URI = "typed.gdl";

/** One text and one conversation about it. Without a connection nothing is offered, and nothing else is amiss. */
export class Editing {
  #socket: WebSocket | null = null;
  #ready: Promise<boolean>;
  #waiting = new Map<number, (result: unknown) => void>();
  #next = 1;
  #version = 0;
  #told: string | null = null;

  /** `within`: the game that the text is put into; none where it is a whole game itself. */
  constructor(
    within: SourceFile[],
    /** Hears what is wrong with the text that was told last. */
    readonly found: (diagnostics: Diagnostic[]) => void = () => {},
  ) {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.#ready = new Promise((ready) => {
      const socket = new WebSocket(`${scheme}//${location.host}/api/editing`);
      this.#socket = socket;
      socket.onmessage = (event) => this.#heard(JSON.parse(event.data as string) as Answer);
      socket.onclose = () => {
        ready(false);
        for (const done of this.#waiting.values()) done(null);
        this.#waiting.clear();
      };
      socket.onopen = () => void this.#ask("initialize", { capabilities: {}, initializationOptions: { within } }).then((able) => ready(able !== null));
    });
  }

  close(): void {
    this.#socket?.close();
  }

  /** What stands there now; what is wrong with it is heard of. */
  async tell(text: string): Promise<void> {
    if (await this.#ready) this.#hand(text);
  }

  /** For CodeMirror. */
  complete = async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[#\w-]+/);
    const after = context.state.sliceDoc(Math.max(0, context.pos - 1), context.pos);
    if (word === null && !context.explicit && after !== "(") return null;
    const text = context.state.doc.toString();
    const found = (await this.#about(text, context.pos, "completion")) as { items: { label: string; detail?: string; kind?: number }[] } | null;
    if (found === null || found.items.length === 0 || context.aborted) return null;
    const kinds: Record<number, string> = { 3: "function", 6: "variable", 14: "keyword", 21: "constant" };
    return {
      from: word?.from ?? context.pos,
      options: found.items.map((item, nth) => ({ label: item.label, detail: item.detail, type: kinds[item.kind ?? 0], boost: -nth / 10 })),
      validFor: /^[#\w-]*$/,
    };
  };

  explain = async (text: string, at: number): Promise<{ from: number; to: number; text: string } | null> => {
    const said = (await this.#about(text, at, "hover")) as { contents: { value: string }; range: { start: Place; end: Place } } | null;
    if (said === null) return null;
    return { from: offset(text, said.range.start), to: offset(text, said.range.end), text: said.contents.value.replace(/^```\n?/gm, "") };
  };

  async #about(text: string, at: number, what: "completion" | "hover"): Promise<unknown> {
    if (!(await this.#ready)) return null;
    this.#hand(text);
    return this.#ask(`textDocument/${what}`, { textDocument: { uri: URI }, position: place(text, at) });
  }

  #hand(text: string): void {
    if (this.#told === text) return;
    const textDocument = { uri: URI, version: ++this.#version };
    if (this.#told === null) this.#tell("textDocument/didOpen", { textDocument: { ...textDocument, languageId: "gdl", text } });
    else this.#tell("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
    this.#told = text;
  }

  #tell(method: string, params: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify({ jsonrpc: "2.0", method, params }));
  }

  #ask(method: string, params: unknown): Promise<unknown> {
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const id = this.#next++;
    this.#socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    return new Promise((done) => this.#waiting.set(id, done));
  }

  #heard(answer: Answer): void {
    if (answer.method === "textDocument/publishDiagnostics" && this.#told !== null) this.found(answer.params?.diagnostics.map((one) => diagnostic(this.#told!, one)) ?? []);
    if (answer.id === undefined) return;
    this.#waiting.get(answer.id)?.(answer.result ?? null);
    this.#waiting.delete(answer.id);
  }
}

/** Lines and characters count as the protocol counts them, which is as JavaScript does. */
export function place(text: string, at: number): Place {
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, character: before[before.length - 1]!.length };
}

export function offset(text: string, { line, character }: Place): number {
  const lines = text.split("\n");
  const before = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, before + Math.min(character, lines[line]?.length ?? 0));
}

/** The same as the checker says it over HTTP. */
export function diagnostic(text: string, fault: Fault): Diagnostic {
  const bytes = (place: Place) => new TextEncoder().encode(text.slice(0, offset(text, place))).length;
  const [said, hint] = fault.message.split("\nHint: ", 2);
  // The first line says what it is, the others what is wrong with it here.
  const [title, ...label] = (said ?? "").split("\n");
  const { start, end } = fault.range;
  return {
    severity: ({ 1: "error", 3: "to-do" } as const)[fault.severity] ?? "warning",
    code: fault.code ?? "",
    title: (title ?? "").replace(/\.$/, ""),
    label: label.join(" "),
    ...(hint === undefined ? {} : { hint }),
    place: { file: URI, line: start.line + 1, column: start.character + 1, start: bytes(start), end: bytes(end) },
    drawn: fault.message,
  };
}
