import { beforeEach, expect, test, vi } from "vitest";

const kept = new Map<string, string>();
vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
vi.stubGlobal("document", { documentElement: { dataset: {} } });
const { Calls } = await import("../src/table/notify.svelte");
const { preferences } = await import("../src/preferences.svelte");

/** A browser that answers so when it is asked, with what it has shown. */
function browser(answer: NotificationPermission) {
  const seen: string[] = [];
  let permission: NotificationPermission = "default";
  return {
    seen,
    notices: {
      permission: () => permission,
      ask: () => Promise.resolve((permission = answer)),
      show: (title: string, body: string) => void seen.push(`${title}: ${body}`),
    },
  };
}

beforeEach(() => preferences.set("notify", "ask" as "on"));

test("nobody is asked before a notice would have helped", () => {
  const calls = new Calls("t", browser("granted").notices);
  calls.turn(true, false, "Your turn", "");
  calls.turn(false, true, "Your turn", "");
  expect(calls.wondering).toBe(false);
  calls.turn(true, true, "Your turn", "");
  expect(calls.wondering).toBe(true);
});

test("who agrees is told the next time, once for each turn, and only while nobody looks", async () => {
  const { seen, notices } = browser("granted");
  const calls = new Calls("t", notices);
  calls.turn(true, true, "Your turn", "Move.");
  await calls.agree();
  expect(seen).toEqual([]);
  calls.turn(false, true, "Your turn", "");
  calls.turn(true, true, "Your turn", "Move.");
  calls.turn(true, true, "Your turn", "Move.");
  expect(seen).toEqual(["Your turn: Move."]);
  calls.turn(false, false, "Your turn", "");
  calls.turn(true, false, "Your turn", "Move.");
  expect(seen).toHaveLength(1);
});

test("who declines, here or in the browser's own question, is not asked again", async () => {
  const calls = new Calls("t", browser("denied").notices);
  calls.turn(true, true, "Your turn", "");
  await calls.agree();
  expect(preferences.notify).toBe("off");
  preferences.set("notify", "ask" as "on");
  const other = new Calls("t", browser("granted").notices);
  other.turn(true, true, "Your turn", "");
  other.decline();
  other.turn(false, true, "Your turn", "");
  other.turn(true, true, "Your turn", "");
  expect(other.wondering).toBe(false);
});
