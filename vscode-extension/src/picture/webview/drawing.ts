// The picture in the page: which element is which node, and what is marked on it.
import type { Picture, PictureNode } from '../picture';
import type { Box, Size } from './viewport';

const namespace = 'http://www.w3.org/2000/svg';

/** States of what the other file has, too. */
const asItShouldBe: ReadonlySet<string> = new Set(['matched', 'uncounted']);

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly size: Size;
  private nodes: Map<string, PictureNode>;
  /** What names each node: its label, or a word with its tag; not its lines. */
  private readonly groups = new Map<string, SVGGraphicsElement>();
  private readonly boxes = new Map<string, Box>();
  private readonly ring = made('rect', { class: 'ring' });

  constructor(public picture: Picture) {
    this.svg = parsed(picture.svg);
    this.nodes = byId(picture);
    const { width, height } = this.svg.viewBox.baseVal;
    this.size = { width, height };
  }

  /** Into the page: only there anything has a size. */
  mount(sheet: HTMLElement): void {
    sheet.replaceChildren(this.svg);
    for (const group of this.svg.querySelectorAll<SVGGraphicsElement>('g[data-node]')) {
      const id = group.dataset.node ?? '';
      const { x, y, width, height } = group.getBBox();
      group.id = elementId(id);
      this.groups.set(id, group);
      this.boxes.set(id, { x, y, width, height });
    }
    for (const { id, foldable, folded } of this.picture.nodes) {
      const [group, box] = [this.groups.get(id), this.boxes.get(id)];
      if (!foldable || group === undefined || box === undefined) continue;
      group.append(handle(id, box, folded));
      group.setAttribute('aria-expanded', String(!folded));
    }
  }

  /** The same drawing, of a text that has changed elsewhere. */
  renew(picture: Picture): void {
    this.picture = picture;
    this.nodes = byId(picture);
  }

  get hasArcs(): boolean {
    return this.picture.nodes.some(({ kind }) => kind === 'arc');
  }

  get hasEnhanced(): boolean {
    return this.picture.nodes.some(({ kind }) => kind === 'enhanced');
  }

  node(id: string | null | undefined): PictureNode | undefined {
    return id == null ? undefined : this.nodes.get(id);
  }

  /** The node that something of the page belongs to. */
  nodeOf(target: EventTarget | Element | null): PictureNode | undefined {
    return this.node(closest(target, '[data-node]')?.getAttribute('data-node'));
  }

  /** The node whose handle something is. */
  handleOf(target: EventTarget | null): PictureNode | undefined {
    return this.node(closest(target, '[data-fold]')?.getAttribute('data-fold'));
  }

  /** Where a walk starts: the first node that has none above it. */
  first(): PictureNode | undefined {
    return this.picture.nodes.find(({ parent }) => parent === null) ?? this.picture.nodes[0];
  }

  /** Whether a node stands above all others, or is none. */
  isRoot(id: string | null): boolean {
    return (this.node(id)?.parent ?? null) === null;
  }

  /** What to look at first: the first mismatch as one reads, else the first word. */
  start(): Box | undefined {
    const { nodes, mirrored } = this.picture;
    const wrong = nodes.filter(({ state }) => !asItShouldBe.has(state));
    const words = nodes.filter(({ kind }) => kind === 'word');
    const boxes = (wrong.length > 0 ? wrong : words)
      .map((node) => this.box(node))
      .filter((box) => box !== undefined);
    boxes.sort((one, other) => (mirrored ? other.x - one.x : one.x - other.x));
    return boxes[0];
  }

  boxOf(id: string | null): Box | undefined {
    const node = this.node(id);
    return node === undefined ? undefined : this.box(node);
  }

  /** Marks a node as the current one; says where it is. */
  light(node: PictureNode): Box | undefined {
    this.unlight();
    for (const element of this.elementsOf(node)) element.classList.add('at');
    const box = this.box(node);
    if (box !== undefined) this.surround(box);
    return box;
  }

  unlight(): void {
    for (const element of this.svg.querySelectorAll('.at')) element.classList.remove('at');
    this.ring.remove();
  }

  /** Marks where something that is moved would go. */
  aim(node: PictureNode | undefined): void {
    for (const element of this.svg.querySelectorAll('.target')) element.classList.remove('target');
    if (node !== undefined) this.groups.get(node.id)?.classList.add('target');
  }

  /** Where what names a node is, in the drawing's own measure. */
  box(node: PictureNode): Box | undefined {
    return this.boxes.get(node.id);
  }

  /** Which kinds of marks labels and tags have, or words: classes of the style sheet. */
  has(kind: string, of: '.label, .tag' | '.word'): boolean {
    return this.svg.querySelector(`:is(${of}).${kind}`) !== null;
  }

  /** The picture alone, without what the panel marks on it. */
  plain(): SVGSVGElement {
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    for (const mark of copy.querySelectorAll('.ring, .handle')) mark.remove();
    for (const element of copy.querySelectorAll('.at, .target')) {
      element.classList.remove('at', 'target');
    }
    return copy;
  }

  private elementsOf({ id }: PictureNode): Iterable<Element> {
    return this.svg.querySelectorAll(`[data-node="${CSS.escape(id)}"]`);
  }

  private surround({ x, y, width, height }: Box): void {
    const room = 3;
    const at = { x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room };
    for (const [name, value] of Object.entries(at)) this.ring.setAttribute(name, value.toFixed(1));
    this.svg.append(this.ring);
  }
}

/** What folds a node when it is clicked: behind its name. */
function handle(id: string, { x, y, width, height }: Box, folded: boolean): Element {
  const [middle, centre, arm] = [x + width + 11, y + Math.min(height, 17) / 2, 3];
  const bars = `M${middle - arm} ${centre}h${2 * arm}`;
  const group = made('g', { class: folded ? 'handle folded' : 'handle', 'data-fold': id });
  group.append(
    made('circle', { cx: String(middle), cy: String(centre), r: '6' }),
    made('path', { d: folded ? `${bars}M${middle} ${centre - arm}v${2 * arm}` : bars }),
  );
  return group;
}

function made(name: string, attributes: Record<string, string>): SVGElement {
  const element = document.createElementNS(namespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

export function elementId(id: string): string {
  return `node ${id}`.replaceAll(/\s/g, '_');
}

function byId(picture: Picture): Map<string, PictureNode> {
  return new Map(picture.nodes.map((node) => [node.id, node]));
}

function parsed(svg: string): SVGSVGElement {
  // As HTML: it needs no namespace there, and no script in it ever runs.
  const found = new DOMParser().parseFromString(svg, 'text/html').querySelector('svg');
  const element = found ?? document.createElementNS(namespace, 'svg');
  // The page has tooltips of its own; the browser's would stand on top of them.
  for (const title of element.querySelectorAll('title')) title.remove();
  // As an image its nodes would be nothing to a screen reader; they are items of the page's tree.
  element.setAttribute('role', 'none');
  return document.importNode(element, true);
}

function closest(target: EventTarget | null, selector: string): Element | null {
  return target instanceof Element ? target.closest(selector) : null;
}
