// Windows of one browser at one table. The one that sat down last at a seat plays it; the others say so and wait.

export class Windows {
  #channel: BroadcastChannel | null;

  constructor(
    table: string,
    /** The seats of this window. */
    readonly seats: () => number[],
    /** Another window has taken one of them. */
    readonly taken: () => void,
  ) {
    // Where there is no such channel, both windows play, and the server keeps order.
    this.#channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(`table ${table}`);
    if (this.#channel === null) return;
    this.#channel.onmessage = ({ data }) => {
      const others = Array.isArray(data) ? (data as unknown[]) : [];
      if (this.seats().some((seat) => others.includes(seat))) this.taken();
    };
  }

  take(seats: number[]): void {
    this.#channel?.postMessage([...seats]);
  }

  close(): void {
    this.#channel?.close();
  }
}
