// The one menu that is open: what can be done with what was clicked.

export interface Item {
  label: string;
  run?: () => void;
  /** Why it cannot be done now. */
  no?: string | undefined;
  checked?: boolean;
  bad?: boolean;
  keys?: string;
  items?: Item[];
  /** A line stands above it. */
  apart?: boolean;
}

interface Open {
  title: string;
  about: string;
  items: Item[];
  x: number;
  y: number;
  back: HTMLElement | SVGElement | null;
}

class Menus {
  open: Open | null = $state.raw(null);

  /** Opens at the pointer, or below what has the focus. */
  show(event: MouseEvent | KeyboardEvent, title: string, items: Item[], about = ""): void {
    event.preventDefault();
    event.stopPropagation();
    const back = event.currentTarget instanceof HTMLElement || event.currentTarget instanceof SVGElement ? event.currentTarget : null;
    const box = back?.getBoundingClientRect();
    const byKey = !(event instanceof MouseEvent) || (event.clientX === 0 && event.clientY === 0) || event.button !== 2;
    const [x, y] = byKey && box ? [box.left + Math.min(24, box.width / 2), Math.min(box.bottom, innerHeight - 40)] : [(event as MouseEvent).clientX, (event as MouseEvent).clientY];
    const focus = document.activeElement;
    this.open = { title, about, items, x, y, back: focus instanceof HTMLElement || focus instanceof SVGElement ? (focus === document.body ? back : focus) : back };
  }

  close(): void {
    const back = this.open?.back;
    this.open = null;
    back?.focus();
  }
}

export const menus = new Menus();

/** Whether a key asks for the menu of what has the focus. */
export function asksMenu(event: KeyboardEvent): boolean {
  return event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
}
