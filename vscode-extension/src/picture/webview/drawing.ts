// The picture in the page: which element is which node, and what is marked on it.
import type { Picture, PictureNode } from '../picture';
import type { Box, Size } from './viewport';

const namespace = 'http://www.w3.org/2000/svg';

export class Drawing {
  readonly svg: SVGSVGElement;
  readonly size: Size;
  private nodes: Map<string, PictureNode>;
  private readonly groups = new Map<string, SVGGraphicsElement[]>();
  private readonly rings: SVGRectElement[] = [];

  constructor(public picture: Picture) {
    this.svg = parsed(picture.svg);
    this.nodes = byId(picture);
    for (const group of this.svg.querySelectorAll<SVGGraphicsElement>('[data-node]')) {
      const id = group.dataset.node ?? '';
      group.id = elementId(id);
      this.groups.set(id, [...(this.groups.get(id) ?? []), group]);
    }
    const { width, height } = this.svg.viewBox.baseVal;
    this.size = { width, height };
  }

  /** The same drawing, of a text that has changed elsewhere. */
  renew(picture: Picture): void {
    this.picture = picture;
    this.nodes = byId(picture);
  }

  get hasArcs(): boolean {
    return this.picture.nodes.some(({ kind }) => kind === 'arc');
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

  /** The node in the middle of what is seen, to start from: the root, or the first word. */
  first(): PictureNode | undefined {
    return this.picture.nodes.find(({ parent }) => parent === null) ?? this.picture.nodes[0];
  }

  /** Marks a node as the current one; says where it is. */
  light(node: PictureNode): Box | undefined {
    this.unlight();
    const groups = this.groups.get(node.id) ?? [];
    for (const group of groups) {
      group.classList.add('at');
      this.ring(this.boxOf(group));
    }
    const [first] = groups;
    return first === undefined ? undefined : this.boxOf(first);
  }

  unlight(): void {
    for (const element of this.svg.querySelectorAll('.at')) element.classList.remove('at');
    for (const ring of this.rings.splice(0)) ring.remove();
  }

  /** Marks where something that is moved would go. */
  aim(node: PictureNode | undefined): void {
    for (const element of this.svg.querySelectorAll('.target')) element.classList.remove('target');
    for (const group of node === undefined ? [] : (this.groups.get(node.id) ?? [])) {
      group.classList.add('target');
    }
  }

  box(node: PictureNode): Box | undefined {
    const group = this.groups.get(node.id)?.[0];
    return group === undefined ? undefined : this.boxOf(group);
  }

  /** The picture alone, without what the panel marks on it. */
  plain(): SVGSVGElement {
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    for (const ring of copy.querySelectorAll('.ring')) ring.remove();
    for (const element of copy.querySelectorAll('.at, .target')) {
      element.classList.remove('at', 'target');
    }
    return copy;
  }

  private ring({ x, y, width, height }: Box): void {
    const ring = document.createElementNS(namespace, 'rect');
    ring.classList.add('ring');
    const room = 3;
    const at = { x: x - room, y: y - room, width: width + 2 * room, height: height + 2 * room };
    for (const [name, value] of Object.entries(at)) ring.setAttribute(name, value.toFixed(1));
    this.svg.append(ring);
    this.rings.push(ring);
  }

  /** In the drawing's own measure; of what names the node, not of its lines. */
  private boxOf(group: SVGGraphicsElement): Box {
    const named = group.querySelector<SVGGraphicsElement>('.label, .tag, .word, .node') ?? group;
    const { x, y, width, height } = named.getBBox();
    const matrix = named.getCTM();
    const own = this.svg.getCTM();
    if (matrix === null || own === null) return { x, y, width, height };
    const corner = new DOMPoint(x, y).matrixTransform(own.inverse().multiply(matrix));
    return { x: corner.x, y: corner.y, width, height };
  }
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
  return document.importNode(element, true);
}

function closest(target: EventTarget | null, selector: string): Element | null {
  return target instanceof Element ? target.closest(selector) : null;
}
