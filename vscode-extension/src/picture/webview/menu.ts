// A menu that opens at a place: by mouse or keys, one at a time, closed by whatever is done elsewhere.
import type { Point } from './viewport';

export interface Entry {
  label: string;
  /** Shown at the right. */
  key?: string;
  run: () => void;
}

/** Groups are set apart by lines. */
export type Groups = Entry[][];

export class Menu {
  private list: HTMLElement | undefined;
  private back: HTMLElement | undefined;

  /** `back` gets the focus again when the menu is closed. */
  open(at: Point, name: string, groups: Groups, back: HTMLElement): void {
    this.close();
    this.back = back;
    const list = document.createElement('div');
    list.className = 'menu';
    list.setAttribute('role', 'menu');
    list.setAttribute('aria-label', name);
    list.addEventListener('keydown', this.onKey);
    list.addEventListener('focusout', this.onLeave);
    this.list = list;
    this.fill(groups);
    document.body.append(list);
    this.place(at);
    this.items()[0]?.focus();
  }

  /** More entries for the menu that is open. */
  add(groups: Groups): void {
    if (this.list === undefined) return;
    this.fill(groups);
    this.place({ x: this.list.offsetLeft, y: this.list.offsetTop });
  }

  close(): void {
    const { list, back } = this;
    if (list === undefined) return;
    this.list = undefined;
    const had = list.contains(document.activeElement);
    list.remove();
    if (had) back?.focus();
  }

  private fill(groups: Groups): void {
    for (const group of groups.filter((entries) => entries.length > 0)) {
      if (this.items().length > 0) {
        const line = document.createElement('hr');
        line.setAttribute('role', 'separator');
        this.list?.append(line);
      }
      this.list?.append(...group.map((entry) => this.item(entry)));
    }
  }

  private item({ label, key, run }: Entry): HTMLElement {
    const item = document.createElement('button');
    item.setAttribute('role', 'menuitem');
    item.tabIndex = -1;
    const text = document.createElement('span');
    text.textContent = label;
    item.append(text);
    if (key !== undefined) {
      const hint = document.createElement('kbd');
      hint.textContent = key;
      item.append(hint);
    }
    item.addEventListener('click', () => {
      this.close();
      run();
    });
    item.addEventListener('pointermove', () => item.focus());
    return item;
  }

  private items(): HTMLElement[] {
    return [...(this.list?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])];
  }

  /** Inside the window. */
  private place({ x, y }: Point): void {
    const { list } = this;
    if (list === undefined) return;
    const room = 4;
    const left = Math.min(x, window.innerWidth - list.offsetWidth - room);
    const top = Math.min(y, window.innerHeight - list.offsetHeight - room);
    list.style.left = `${Math.max(room, left)}px`;
    list.style.top = `${Math.max(room, top)}px`;
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    const items = this.items();
    const at = items.findIndex((item) => item === document.activeElement);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) items.at(to % items.length)?.focus();
    else if (event.key === 'Escape' || event.key === 'Tab') this.close();
    else if (event.key.length === 1 && event.key !== ' ') this.jump(items, at, event.key);
    if (event.key !== 'Enter' && event.key !== ' ') event.preventDefault();
    event.stopPropagation();
  };

  /** To the next entry that starts with a letter. */
  private jump(items: HTMLElement[], at: number, letter: string): void {
    const order = [...items.slice(at + 1), ...items.slice(0, at + 1)];
    const starts = (item: HTMLElement): boolean =>
      item.textContent.toLowerCase().startsWith(letter.toLowerCase());
    order.find(starts)?.focus();
  }

  private readonly onLeave = (event: FocusEvent): void => {
    if (!(event.relatedTarget instanceof Node && this.list?.contains(event.relatedTarget))) {
      this.close();
    }
  };
}
