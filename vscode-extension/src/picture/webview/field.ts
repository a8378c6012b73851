// A line to type a label into, over the node that it is of, with the labels that the corpus has.
import type { Box } from './viewport';

const most = 8;
/** Height of the line, and some. */
const line = 24;

export class Field {
  private readonly root = document.createElement('div');
  private readonly input = document.createElement('input');
  private readonly list = document.createElement('ul');
  private labels: string[] = [];
  private done: ((label: string | undefined) => void) | undefined;

  constructor(
    private readonly stage: HTMLElement,
    private readonly onTyping: (on: boolean) => void,
  ) {
    this.root.className = 'field';
    this.list.setAttribute('role', 'listbox');
    this.list.id = 'labels';
    this.input.setAttribute('role', 'combobox');
    this.input.setAttribute('aria-controls', 'labels');
    this.input.setAttribute('aria-autocomplete', 'list');
    this.input.spellcheck = false;
    this.input.autocomplete = 'off';
    this.root.append(this.input, this.list);
    this.input.addEventListener('keydown', this.onKey);
    this.input.addEventListener('input', () => this.offer());
    this.input.addEventListener('blur', () => this.close(undefined));
    // Before the input loses the focus.
    this.list.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      const chosen = event.target instanceof Element ? event.target.closest('li') : null;
      if (chosen !== null) this.close(chosen.textContent);
    });
  }

  /** `done` hears what was typed, or undefined if it was given up. */
  open(box: Box, name: string, value: string, done: (label: string | undefined) => void): void {
    this.labels = [];
    this.done = done;
    this.input.value = value;
    this.input.setAttribute('aria-label', name);
    this.root.style.left = `${box.x + box.width / 2}px`;
    this.root.style.top = `${box.y + box.height / 2}px`;
    this.input.size = Math.max(6, value.length + 2);
    this.offer();
    this.stage.append(this.root);
    this.input.focus();
    this.input.select();
    this.onTyping(true);
  }

  offerLabels(labels: string[]): void {
    this.labels = labels;
    this.offer();
  }

  private offer(): void {
    const typed = this.input.value.trim().toLowerCase();
    // What was there before is no wish yet: all of the labels are offered.
    const untouched = this.input.selectionEnd !== this.input.selectionStart;
    const fitting = this.labels.filter(
      (label) => untouched || label.toLowerCase().startsWith(typed),
    );
    const items = fitting
      .filter((label) => label !== this.input.value)
      .slice(0, most)
      .map((label, at) => {
        const item = document.createElement('li');
        item.setAttribute('role', 'option');
        item.id = `label-${at}`;
        item.textContent = label;
        return item;
      });
    this.list.replaceChildren(...items);
    this.list.hidden = items.length === 0;
    // Below the line, or above it where there is no room.
    const room = this.stage.clientHeight - this.root.offsetTop;
    this.root.classList.toggle('above', this.list.offsetHeight + line > room);
    this.input.setAttribute('aria-expanded', String(items.length > 0));
    this.input.removeAttribute('aria-activedescendant');
  }

  private readonly onKey = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Enter') this.close(this.picked()?.textContent ?? this.input.value.trim());
    else if (event.key === 'Escape') this.close(undefined);
    else if (event.key === 'ArrowDown') this.pick(1);
    else if (event.key === 'ArrowUp') this.pick(-1);
    else return;
    event.preventDefault();
  };

  private picked(): Element | null {
    return this.list.querySelector('[aria-selected=true]');
  }

  private pick(by: number): void {
    const items = [...this.list.children];
    const before = this.picked();
    const at = before === null ? (by > 0 ? 0 : -1) : items.indexOf(before) + by;
    before?.removeAttribute('aria-selected');
    const now = items.at(at % Math.max(1, items.length));
    now?.setAttribute('aria-selected', 'true');
    if (now !== undefined) this.input.setAttribute('aria-activedescendant', now.id);
  }

  private close(label: string | undefined): void {
    const { done } = this;
    if (done === undefined) return;
    this.done = undefined;
    this.root.remove();
    this.onTyping(false);
    this.stage.focus();
    done(label === '' ? undefined : label);
  }
}
