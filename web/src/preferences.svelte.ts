// What a person has chosen on this device. Nothing of it leaves the browser but the name.

export type Switch = "sound" | "motion" | "confirm" | "targets" | "keys" | "notify";

type Theme = "light" | "dark" | "system";

const kept = <T extends string>(key: string, known: readonly T[], otherwise: T): T => {
  const value = localStorage.getItem(key);
  return known.find((one) => one === value) ?? otherwise;
};

class Preferences {
  theme: Theme = $state(kept("theme", ["light", "dark", "system"], "system"));
  sound: "on" | "off" = $state(kept("sound", ["on", "off"], "on"));
  /** Asks before a move is sent; nobody having said anything, where the places are too small for a finger. */
  confirm: "on" | "off" | "small" = $state(kept("confirm", ["on", "off", "small"], "small"));
  targets: "on" | "off" = $state(kept("targets", ["on", "off"], "on"));
  /** Whether pieces glide; a system that asks for less motion is heard anyway. */
  motion: "on" | "off" = $state(kept("motion", ["on", "off"], "on"));
  /** Whether single letters do something. */
  keys: "on" | "off" = $state(kept("keys", ["on", "off"], "on"));
  /** Whether the system says whose turn it is while the page is out of sight; asked for at the first time it would have helped. */
  notify: "on" | "off" | "ask" = $state(kept("notify", ["on", "off", "ask"], "ask"));
  name: string = $state(localStorage.getItem("name") ?? "");

  setTheme(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem("theme", theme);
    this.show();
  }

  set(key: Switch, value: "on" | "off"): void {
    this[key] = value;
    localStorage.setItem(key, value);
    this.show();
  }

  setName(name: string): void {
    this.name = name;
    localStorage.setItem("name", name);
  }

  get dark(): boolean {
    return this.theme === "dark" || (this.theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  }

  show(): void {
    if (this.theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = this.theme;
    document.documentElement.dataset.motion = this.motion;
  }
}

export const preferences = new Preferences();
