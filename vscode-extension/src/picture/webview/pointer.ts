// Mouse, pen and fingers on the drawing: a click chooses, a drag of the ground moves the view, a drag
// of a node hangs it elsewhere; resting on a node explains it.
import type { PictureNode } from '../picture';
import type { Drawing } from './drawing';
import type { Stage } from './stage';
import type { Point } from './viewport';

const slack = 5;
const rest = 350;

export interface Gestures {
  drawing: () => Drawing | undefined;
  select: (node: PictureNode) => void;
  fold: (node: PictureNode) => void;
  relabel: () => void;
  menu: (node: PictureNode | undefined, at: Point) => void;
  drop: (source: PictureNode, target: PictureNode) => void;
}

interface Press {
  pointer: number;
  from: Point;
  node: PictureNode | undefined;
  handle: PictureNode | undefined;
  /** What the drag is of, once it is one. */
  dragging: 'node' | 'ground' | undefined;
}

export class Pointer {
  private press: Press | undefined;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private readonly tip = note('tip');
  private readonly ghost = note('ghost');

  constructor(
    private readonly root: HTMLElement,
    private readonly stage: Stage,
    private readonly gestures: Gestures,
  ) {
    root.addEventListener('pointerdown', this.onDown);
    root.addEventListener('pointermove', this.onMove);
    root.addEventListener('pointerup', this.onUp);
    root.addEventListener('pointercancel', this.onCancel);
    root.addEventListener('pointerleave', () => this.explain(undefined));
    root.addEventListener('dblclick', (event) => {
      if (!isField(event.target) && this.nodeAt(event) !== undefined) gestures.relabel();
    });
    root.addEventListener('contextmenu', (event) => {
      event.preventDefault();
      // The keyboard's own way to a menu is among the keys.
      if (event instanceof PointerEvent && event.pointerType === '') return;
      gestures.menu(this.nodeAt(event), { x: event.clientX, y: event.clientY });
    });
    window.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.end();
    });
  }

  private readonly onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || isField(event.target)) return;
    this.explain(undefined);
    const drawing = this.gestures.drawing();
    this.root.focus();
    this.stage.grab(event);
    if (this.press !== undefined) {
      // A second finger: this is no click.
      this.press.dragging = 'ground';
      return;
    }
    this.press = {
      pointer: event.pointerId,
      from: { x: event.clientX, y: event.clientY },
      node: drawing?.nodeOf(event.target),
      handle: drawing?.handleOf(event.target),
      dragging: undefined,
    };
    event.preventDefault();
  };

  private readonly onMove = (event: PointerEvent): void => {
    const { press } = this;
    if (press === undefined) {
      if (event.pointerType !== 'touch') this.explain(event);
      return;
    }
    const far = Math.hypot(event.clientX - press.from.x, event.clientY - press.from.y) > slack;
    if (press.dragging === undefined && far) {
      // Fingers move the view wherever they start.
      const isNode = press.node !== undefined && event.pointerType !== 'touch';
      press.dragging = isNode ? 'node' : 'ground';
    }
    if (press.dragging === 'ground') this.stage.drag(event);
    else if (press.dragging === 'node') this.drag(press, event);
  };

  private readonly onUp = (event: PointerEvent): void => {
    const { press } = this;
    this.stage.release(event);
    if (press?.pointer !== event.pointerId) return;
    const target = this.targetAt(event);
    this.end();
    if (press.dragging === 'node') {
      if (press.node !== undefined && target !== undefined) this.gestures.drop(press.node, target);
    } else if (press.dragging === undefined) {
      if (press.handle !== undefined) this.gestures.fold(press.handle);
      else if (press.node !== undefined) this.gestures.select(press.node);
    }
  };

  private readonly onCancel = (event: PointerEvent): void => {
    this.stage.release(event);
    this.end();
  };

  private drag(press: Press, event: PointerEvent): void {
    const found = this.targetAt(event);
    const target = found?.id === press.node?.id ? undefined : found;
    const names = [press.node?.label, target?.label].filter((name) => name !== undefined);
    this.ghost.textContent = names.join(' → ');
    put(this.ghost, event);
    this.gestures.drawing()?.aim(target);
  }

  private end(): void {
    this.press = undefined;
    this.ghost.remove();
    this.gestures.drawing()?.aim(undefined);
  }

  /** What a node that is let go here would hang on: in trees a constituent. */
  private targetAt(event: PointerEvent): PictureNode | undefined {
    const drawing = this.gestures.drawing();
    const node = this.nodeAt(event);
    if (drawing === undefined || drawing.hasArcs || node?.kind !== 'word') return node;
    return drawing.node(node.parent);
  }

  private nodeAt({ clientX, clientY }: MouseEvent): PictureNode | undefined {
    // The pointer is captured: events name the window, not what is below the pointer.
    return this.gestures.drawing()?.nodeOf(document.elementFromPoint(clientX, clientY));
  }

  private explain(event: PointerEvent | undefined): void {
    clearTimeout(this.resting);
    this.tip.remove();
    const node = event === undefined ? undefined : this.gestures.drawing()?.nodeOf(event.target);
    if (event === undefined || node === undefined || node.description === '') return;
    this.resting = setTimeout(() => {
      this.tip.textContent = node.description;
      put(this.tip, event);
    }, rest);
  }
}

/** Beside the pointer, inside the window. */
function put(element: HTMLElement, { clientX, clientY }: MouseEvent): void {
  if (!element.isConnected) document.body.append(element);
  const [x, y] = [clientX + 12, clientY + 14];
  const isLow = y + element.offsetHeight > window.innerHeight;
  element.style.left = `${Math.max(0, Math.min(x, window.innerWidth - element.offsetWidth - 8))}px`;
  element.style.top = `${isLow ? clientY - element.offsetHeight - 8 : y}px`;
}

function note(className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  element.setAttribute('aria-hidden', 'true');
  return element;
}

function isField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('.field') !== null;
}
