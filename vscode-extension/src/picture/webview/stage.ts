// The window onto the drawing: moved by dragging, wheel and fingers, magnified about the pointer. One
// transform of one element, so that nothing is drawn anew.
import * as viewport from './viewport';
import type { Box, Point, Size, View } from './viewport';

const step = 1.2;
const stride = 60;

export class Stage {
  private view: View = { x: 0, y: 0, scale: 1 };
  private drawing: Size = { width: 1, height: 1 };
  /** The user has chosen a view: a new size of the window does not change it. */
  private chosen = false;
  private mirrored = false;
  /** What the user looks at: seen in a window of any size. */
  private wanted: Box | undefined;
  /** What is looked at first where not all can be. */
  private first: Box | undefined;
  private readonly fingers = new Map<number, Point>();

  constructor(
    readonly root: HTMLElement,
    private readonly sheet: HTMLElement,
    private readonly onScale: (scale: number) => void,
  ) {
    root.addEventListener('wheel', this.onWheel, { passive: false });
    new ResizeObserver(() => {
      if (this.chosen) this.set(this.view);
      else this.open();
    }).observe(root);
  }

  /** Another drawing: `keep` where it is the same sentence's; else `first` is looked at first. */
  replace(drawing: Size, mirrored: boolean, keep: boolean, first?: Box): void {
    this.drawing = drawing;
    this.mirrored = mirrored;
    this.wanted = undefined;
    this.first = first;
    if (keep) this.set(this.view);
    else this.open();
  }

  fit(): void {
    this.chosen = false;
    this.glide(viewport.fitted(this.drawing, this.size()));
  }

  /** About the middle. */
  zoom(direction: 1 | -1): void {
    const { width, height } = this.size();
    this.zoomAbout(direction > 0 ? step : 1 / step, { x: width / 2, y: height / 2 });
  }

  actualSize(): void {
    this.zoomAbout(1 / this.view.scale, { x: this.size().width / 2, y: this.size().height / 2 });
  }

  /** By strides of the keyboard. */
  push(right: number, down: number): void {
    this.chosen = true;
    const { x, y, scale } = this.view;
    this.glide({ x: x - right * stride, y: y - down * stride, scale });
  }

  /** Brings a box of the drawing into the window. */
  bring(box: Box): void {
    this.wanted = box;
    this.glide(viewport.brought(this.view, box, this.size()));
  }

  /** Where in the window a box of the drawing is. */
  shown({ x, y, width, height }: Box): Box {
    const { scale } = this.view;
    return {
      x: x * scale + this.view.x,
      y: y * scale + this.view.y,
      width: width * scale,
      height: height * scale,
    };
  }

  /** A drag of the ground; two fingers magnify. */
  grab(event: PointerEvent): void {
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.root.setPointerCapture(event.pointerId);
    this.root.classList.add('grabbed');
  }

  drag(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.fingers.set(event.pointerId, now);
    this.chosen = true;
    if (other === undefined) {
      const { x, y, scale } = this.view;
      this.set({ x: x + now.x - before.x, y: y + now.y - before.y, scale });
    } else {
      this.zoomAbout(
        distance(now, other) / distance(before, other),
        this.inside(middle(now, other)),
      );
    }
  }

  release(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.fingers.size === 0) this.root.classList.remove('grabbed');
  }

  private readonly onWheel = (event: WheelEvent): void => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    if (event.ctrlKey || event.metaKey) {
      // A wheel's notch is a step; a touchpad's pinch comes in small parts of one.
      const notches = (event.deltaY * lines) / 100;
      const factor = step ** -Math.max(-1, Math.min(1, notches));
      this.zoomAbout(factor, this.inside({ x: event.clientX, y: event.clientY }));
      return;
    }
    this.chosen = true;
    const [right, down] = event.shiftKey
      ? [event.deltaY, event.deltaX]
      : [event.deltaX, event.deltaY];
    const { x, y, scale } = this.view;
    this.set({ x: x - right * lines, y: y - down * lines, scale });
  };

  private open(): void {
    this.chosen = false;
    const [size, { wanted }] = [this.size(), this];
    const view = viewport.opened(this.drawing, size, this.mirrored, this.first);
    this.set(wanted === undefined ? view : viewport.brought(view, wanted, size));
  }

  private zoomAbout(factor: number, about: Point): void {
    this.chosen = true;
    this.set(viewport.zoomed(this.view, factor, about));
  }

  private glide(view: View): void {
    this.set(view, true);
  }

  private set(view: View, gliding = false): void {
    // The style sheet has the transition, for those who want movement.
    this.sheet.classList.toggle('gliding', gliding);
    this.view = viewport.kept(view, this.drawing, this.size());
    const { x, y, scale } = this.view;
    this.sheet.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
    this.onScale(scale);
  }

  private inside({ x, y }: Point): Point {
    const origin = this.root.getBoundingClientRect();
    return { x: x - origin.x, y: y - origin.y };
  }

  private size(): Size {
    return { width: this.root.clientWidth, height: this.root.clientHeight };
  }
}

function distance(one: Point, other: Point): number {
  return Math.max(1, Math.hypot(one.x - other.x, one.y - other.y));
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 };
}
