// Which page an address means. Tokens stand in the fragment, which browsers send to nobody.

export type Page =
  | { name: "library" }
  | { name: "game"; game: string }
  | { name: "table"; table: string; token: string | null; hand: boolean }
  | { name: "write"; game: string }
  | { name: "studio"; game: string | null }
  | { name: "study"; table: string; study: string }
  | { name: "replay"; table: string | null; token: string | null; step: number | null }
  | { name: "unknown" };

export interface Address {
  path: string;
  query: URLSearchParams;
  fragment: string;
}

export function read(address: Address): Page {
  const parts = address.path.split("/").filter((part) => part !== "").map(decode);
  const [first, second] = parts;
  if (first === undefined) return { name: "library" };
  if (first === "g" && second !== undefined && parts.length === 2) return { name: "game", game: second };
  if (first === "write" && second !== undefined && parts.length === 2) return { name: "write", game: second };
  if (first === "studio" && parts.length <= 2) return { name: "studio", game: second ?? null };
  if (first === "t" && second !== undefined && parts.length === 2) {
    return { name: "table", table: second, token: address.fragment === "" ? null : address.fragment, hand: address.query.has("hand") };
  }
  if (first === "study" && second !== undefined && parts.length === 3) return { name: "study", table: second, study: parts[2]! };
  if (first === "replay" && parts.length <= 2) {
    const step = Number(address.query.get("step") ?? NaN);
    return { name: "replay", table: second ?? null, token: address.fragment === "" ? null : address.fragment, step: Number.isInteger(step) && step >= 0 ? step : null };
  }
  return { name: "unknown" };
}

/** A mistyped escape is a part that fits nothing, not a page that fails. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function here(): Address {
  return { path: location.pathname, query: new URLSearchParams(location.search), fragment: location.hash.slice(1) };
}

let address: Address = $state.raw({ path: "/", query: new URLSearchParams(), fragment: "" });

export const route = {
  get page(): Page {
    return read(address);
  },
  get query(): URLSearchParams {
    return address.query;
  },
};

export function begin(): void {
  address = here();
  addEventListener("popstate", () => (address = here()));
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.target !== "" || link.hasAttribute("download") || link.origin !== location.origin || link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}

export function go(to: string, how: "push" | "replace" = "push"): void {
  if (how === "push") history.pushState(null, "", to);
  else history.replaceState(null, "", to);
  const before = address.path;
  address = here();
  if (address.path !== before) scrollTo(0, 0);
}
