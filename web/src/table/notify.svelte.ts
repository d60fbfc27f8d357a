// It is one's turn, and the page is out of sight: the system says so, once its owner has been asked in words and has agreed.
import { preferences } from "../preferences.svelte";

/** What the browser is asked for here, so that a test needs no system. */
export interface Notices {
  permission(): NotificationPermission | "none";
  ask(): Promise<NotificationPermission>;
  show(title: string, body: string, about: string): void;
}

/** Those of the browser; none where it has none, as on pages that are not served safely. */
export const browserNotices: Notices = {
  permission: () => ("Notification" in window && isSecureContext ? Notification.permission : "none"),
  ask: () => Notification.requestPermission(),
  show(title, body, about) {
    try {
      const notice = new Notification(title, { body, tag: about, icon: "/mark.svg" });
      notice.onclick = () => {
        window.focus();
        notice.close();
      };
    } catch {
      // Some phones have notices only for programs that run beside the page.
    }
  },
};

export class Calls {
  /** A notice would have helped: whoever comes back is asked whether to have one the next time. */
  wondering: boolean = $state(false);
  #mine: boolean;

  constructor(
    readonly table: string,
    readonly notices: Notices = browserNotices,
    /** Whose turn it is already. */
    mine = false,
  ) {
    this.#mine = mine;
  }

  /** Whose turn it is has been told; `hidden`: nobody can see it. */
  turn(mine: boolean, hidden: boolean, title: string, body: string): void {
    const came = mine && !this.#mine;
    this.#mine = mine;
    if (!came || !hidden) return;
    const permission = this.notices.permission();
    if (preferences.notify === "on" && permission === "granted") this.notices.show(title, body, this.table);
    else if (preferences.notify === "ask" && (permission === "default" || permission === "granted")) this.wondering = true;
  }

  async agree(): Promise<void> {
    this.wondering = false;
    const permission = this.notices.permission() === "granted" ? "granted" : await this.notices.ask();
    preferences.set("notify", permission === "granted" ? "on" : "off");
  }

  decline(): void {
    this.wondering = false;
    preferences.set("notify", "off");
  }
}
