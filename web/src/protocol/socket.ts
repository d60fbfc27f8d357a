// One socket to one table. It comes back by itself and says what it has, so that nothing is missed.
import { PROTOCOL, type Command, type Hello, type Refusal, type ToClient, type Update } from "./generated";

/** What the table says; an update is sent without the word. */
export type Said = ToClient | ({ is: "update" } & Update);

export const read = (text: string): Said => ({ is: "update", ...(JSON.parse(text) as ToClient | Update) }) as Said;

export type Link = "connecting" | "open" | "lost" | "ended";

export interface Listener {
  /** What the last update was, and every token of this table that this browser has. */
  hello(): Pick<Hello, "last" | "tokens">;
  heard(message: Said): void;
  changed(link: Link, refusal: Refusal | null): void;
}

interface Waiting {
  done: (message: Said) => void;
  failed: (refusal: Refusal) => void;
}

/** Codes after which coming back would only be refused again. */
const FINAL = ["table/unknown", "table/closed", "token/missing", "token/not-allowed", "request/version", "request/origin"];

const LOST: Refusal = { code: "server/closing", words: "" };

export class TableSocket {
  #socket: WebSocket | null = null;
  #waiting = new Map<number, Waiting>();
  #next = 1;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #bye: Refusal | null = null;

  constructor(
    readonly url: string,
    readonly listener: Listener,
  ) {}

  open(): void {
    if (this.#ended) return;
    clearTimeout(this.#timer);
    this.listener.changed(this.#tries === 0 ? "connecting" : "lost", null);
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ protocol: PROTOCOL, ...this.listener.hello() } satisfies Hello));
    socket.onmessage = (event) => this.#heard(read(event.data as string));
    socket.onclose = () => this.#closed(socket);
  }

  /** Asks something of the table; the promise ends with its answer, or fails with the refusal. */
  send(command: Command): Promise<Said> {
    const socket = this.#socket;
    if (socket === null || socket.readyState !== WebSocket.OPEN) return Promise.reject(LOST);
    const id = this.#next++;
    return new Promise((done, failed) => {
      this.#waiting.set(id, { done, failed });
      socket.send(JSON.stringify({ id, ...command }));
    });
  }

  /** Comes back at once instead of waiting longer: the network is there again, or the page is looked at. */
  hurry(): void {
    if (!this.#ended && this.#socket === null) this.open();
  }

  close(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#socket?.close();
  }

  #heard(message: Said): void {
    if (message.is === "welcome") {
      this.#tries = 0;
      this.listener.changed("open", null);
    }
    if (message.is === "bye") this.#bye = message.refusal;
    const answered = message.is === "update" ? message.done : "id" in message ? message.id : undefined;
    if (answered !== undefined) {
      const waiting = this.#waiting.get(answered);
      this.#waiting.delete(answered);
      if (message.is === "refused") waiting?.failed(message.refusal);
      else waiting?.done(message);
    }
    this.listener.heard(message);
  }

  #closed(socket: WebSocket): void {
    if (socket !== this.#socket) return;
    this.#socket = null;
    for (const waiting of this.#waiting.values()) waiting.failed(LOST);
    this.#waiting.clear();
    const bye = this.#bye;
    this.#bye = null;
    if (this.#ended || (bye !== null && FINAL.includes(bye.code))) {
      this.#ended = true;
      this.listener.changed("ended", bye);
      return;
    }
    this.#tries += 1;
    this.listener.changed("lost", bye);
    // Everybody comes back after a restart; chance keeps them from coming at the same moment.
    const wait = Math.min(8000, 250 * 2 ** Math.min(this.#tries, 5)) * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => this.open(), wait);
  }
}
