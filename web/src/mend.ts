// A part of the page that is fetched while the line is lost, or after the program was renewed, would be missing for good.

const PAUSE = 2000;

/** Opens the page anew as soon as the program answers, once a part of it could not be fetched. */
export function mend(): void {
  const lost = new WeakSet<object>();
  let waiting = false;
  const retry = async (): Promise<void> => {
    const there = await fetch("/healthz", { cache: "no-store" }).then((answer) => answer.ok, () => false);
    if (there) location.reload();
    else setTimeout(() => void retry(), PAUSE);
  };
  // The page says by itself that the line is lost.
  addEventListener("unhandledrejection", (event) => {
    if (typeof event.reason === "object" && lost.has(event.reason)) event.preventDefault();
  });
  addEventListener("vite:preloadError", (event) => {
    lost.add((event as Event & { payload: Error }).payload);
    if (waiting) return;
    waiting = true;
    setTimeout(() => void retry(), PAUSE);
  });
}
