// The pictures that lie beside a game: kept in this browser with its text, and drawn in the workspace.

import type { SourceFile } from "../protocol/generated";

export interface Picture {
  name: string;
  url: string;
  width: number;
  height: number;
  bytes: number;
}

export type Unfit = "type" | "large" | "full" | "broken";

const TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif", "image/svg+xml"]);
const LARGEST = 4 << 20;
const ALL = 32 << 20;

function database(): Promise<IDBDatabase> {
  return new Promise((done, failed) => {
    const opening = indexedDB.open("houserules-studio", 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("images");
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => failed(opening.error ?? new Error("IndexedDB"));
  });
}

function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error ?? new Error("IndexedDB"));
  });
}

export class Images {
  known: ReadonlyMap<string, Picture> = $state.raw(new Map());
  #game: string;

  constructor(game: string) {
    this.#game = game;
  }

  /** png first, then by name, as the folder of a game shows them. */
  get listed(): Picture[] {
    const png = (picture: Picture) => Number(!picture.name.toLowerCase().endsWith(".png"));
    return [...this.known.values()].toSorted((one, other) => png(one) - png(other) || one.name.localeCompare(other.name));
  }

  /** The files of a game with the pictures that they name: so they are sent along when it is played. */
  along(files: SourceFile[]): SourceFile[] {
    const named = this.listed.filter((picture) => files.some((file) => file.text.includes(picture.name)));
    return [...files, ...named.map((picture) => ({ path: picture.name, text: picture.url }))];
  }

  async open(): Promise<void> {
    try {
      const store = (await database()).transaction("images").objectStore("images");
      const range = IDBKeyRange.bound([this.#game], [this.#game, []]);
      const [keys, blobs] = await Promise.all([answered(store.getAllKeys(range)), answered(store.getAll(range) as IDBRequest<Blob[]>)]);
      const found = await Promise.all(keys.map((key, nth) => measured((key as string[])[1]!, blobs[nth]!)));
      this.known = new Map([...this.known, ...found.filter((one) => one !== null).map((one) => [one.name, one] as const)]);
    } catch {
      // Without a database they last as long as the page.
    }
  }

  /** Takes a file into the game's folder; why it cannot be taken, or its name there. */
  async take(file: File): Promise<{ name: string } | { unfit: Unfit }> {
    if (!TYPES.has(file.type)) return { unfit: "type" };
    if (file.size > LARGEST) return { unfit: "large" };
    const others = [...this.known.values()].filter((one) => one.name !== file.name);
    if (others.reduce((sum, one) => sum + one.bytes, file.size) > ALL) return { unfit: "full" };
    const picture = await measured(file.name, file);
    if (picture === null) return { unfit: "broken" };
    this.known = new Map([...this.known, [file.name, picture]]);
    try {
      // A transaction does not wait for anything else.
      const blob = new Blob([await file.arrayBuffer()], { type: file.type });
      const store = (await database()).transaction("images", "readwrite").objectStore("images");
      await answered(store.put(blob, [this.#game, file.name]));
    } catch {
      // It lasts as long as the page.
    }
    return { name: file.name };
  }
}

/** How large it is, as the browser draws it; none where it is no picture. A drawing in SVG runs nothing in an image. */
async function measured(name: string, blob: Blob): Promise<Picture | null> {
  const url = await new Promise<string>((done, failed) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result as string);
    reader.onerror = () => failed(reader.error ?? new Error(name));
    reader.readAsDataURL(blob);
  });
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
  } catch {
    return null;
  }
  return { name, url, width: image.naturalWidth || 64, height: image.naturalHeight || 64, bytes: blob.size };
}
