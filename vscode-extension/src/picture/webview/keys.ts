// What each key does in the panel.
import { layouts, type PictureLayout, type Operation } from '../picture';

export type Keys = Readonly<Partial<Record<string, () => void>>>;

/** Along the drawing, from the current node. */
export type Way = 'parent' | 'first' | 'next' | 'previous';

export interface KeyActions {
  go: (way: Way) => void;
  first: () => void;
  push: (right: number, down: number) => void;
  zoom: (direction: 1 | -1) => void;
  fit: () => void;
  layout: (layout: PictureLayout) => void;
  fold: () => void;
  enter: () => void;
  escape: () => void;
  relabel: () => void;
  edit: (operation: Operation) => void;
  wrap: () => void;
  move: () => void;
  menu: () => void;
}

/** By the names of keys, such as `Alt+ArrowUp` and `w`. */
export function keysOf(act: KeyActions): Keys {
  return {
    ArrowUp: () => act.go('parent'),
    ArrowDown: () => act.go('first'),
    ArrowRight: () => act.go('next'),
    ArrowLeft: () => act.go('previous'),
    Home: act.first,
    'Shift+ArrowUp': () => act.push(0, -1),
    'Shift+ArrowDown': () => act.push(0, 1),
    'Shift+ArrowRight': () => act.push(1, 0),
    'Shift+ArrowLeft': () => act.push(-1, 0),
    '+': () => act.zoom(1),
    '=': () => act.zoom(1),
    '-': () => act.zoom(-1),
    '0': act.fit,
    ...Object.fromEntries(layouts.map((layout, at) => [`${at + 1}`, () => act.layout(layout)])),
    ' ': act.fold,
    Enter: act.enter,
    Escape: act.escape,
    F2: act.relabel,
    Delete: () => act.edit('delete'),
    Backspace: () => act.edit('delete'),
    'Alt+ArrowUp': () => act.edit('raise'),
    'Alt+ArrowDown': () => act.edit('lower'),
    w: act.wrap,
    m: act.move,
    ContextMenu: act.menu,
    'Shift+F10': act.menu,
  };
}

export function keyName(event: KeyboardEvent): string {
  return [
    ...(event.ctrlKey || event.metaKey ? ['Ctrl'] : []),
    ...(event.altKey ? ['Alt'] : []),
    ...(event.shiftKey && event.key.length > 1 ? ['Shift'] : []),
    event.key.length === 1 ? event.key.toLowerCase() : event.key,
  ].join('+');
}
