// A picture that stands alone: what the style sheet says of each element becomes its attributes, in
// a form that drawing programs and office suites read too. They know neither variables nor `:is`,
// and few know which of a letter's stroke and fill is painted first.
import type { Drawing } from './drawing';
import { signFontRule } from './signs';
import type { Size } from './viewport';

const namespace = 'http://www.w3.org/2000/svg';

const inherited = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-linecap'],
  ...['stroke-linejoin', 'font-family', 'font-size', 'font-weight', 'font-style', 'text-anchor'],
];
/** What a program takes that is told nothing. */
const initial: Record<string, string> = {
  fill: 'rgb(0, 0, 0)',
  'fill-opacity': '1',
  stroke: 'none',
  'stroke-width': '1px',
  'stroke-dasharray': 'none',
  'stroke-linecap': 'butt',
  'stroke-linejoin': 'miter',
  'text-anchor': 'start',
};
const kept = new Set([
  ...['d', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'dx', 'dy'],
  ...['width', 'height', 'viewBox', 'points', 'transform', 'direction'],
]);
/** Around the drawing. */
const margin = 8;
/** Larger ones are refused by browsers. */
const largestSide = 16_000;

/** The text of an SVG file. */
export function bakedSvg(drawing: Drawing, colours: 'print' | 'theme'): string {
  const source = drawing.plain();
  const frame = document.createElement('div');
  frame.className = `baking ${colours}`;
  frame.append(source);
  document.body.append(frame);
  const copy = baked(source, initial) as SVGSVGElement;
  const paper = getComputedStyle(frame).backgroundColor;
  frame.remove();
  const { width, height } = bakedSize(drawing);
  copy.setAttribute('xmlns', namespace);
  copy.setAttribute('viewBox', [-margin, -margin, width, height].join(' '));
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  copy.prepend(
    textElement('title', drawing.picture.title),
    textElement('style', signFontRule),
    ground({ width, height }, paper),
  );
  return new XMLSerializer().serializeToString(copy);
}

/** A PNG of twice the picture's size. */
export async function bakedPng(drawing: Drawing, colours: 'print' | 'theme'): Promise<Blob> {
  const { width, height } = bakedSize(drawing);
  const scale = Math.min(2, largestSide / Math.max(width, height));
  const image = new Image();
  image.src = URL.createObjectURL(
    new Blob([bakedSvg(drawing, colours)], { type: 'image/svg+xml' }),
  );
  try {
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => {
        if (blob === null) reject(new Error('the browser makes no image of this size'));
        else resolve(blob);
      }, 'image/png');
    });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}

/** An element with what is said of it, and all that is seen inside it. */
function baked(source: Element, above: Record<string, string>): Element {
  const style = getComputedStyle(source);
  const copy = document.createElementNS(namespace, source.localName);
  for (const { name, value } of source.attributes) {
    if (kept.has(name)) copy.setAttribute(name, value);
  }
  const here = Object.fromEntries(inherited.map((name) => [name, style.getPropertyValue(name)]));
  for (const [name, value] of Object.entries(here)) {
    if (value !== above[name]) copy.setAttribute(name, value.replace(/(\d)px\b/g, '$1'));
  }
  if (style.opacity !== '1') copy.setAttribute('opacity', style.opacity);
  if (source.localName === 'rect' && style.rx !== 'auto') {
    copy.setAttribute('rx', style.rx.replace('px', ''));
  }
  for (const child of source.childNodes) {
    if (!(child instanceof Element)) copy.append(child.cloneNode());
    else if (isSeen(child)) copy.append(...behind(child, baked(child, here)));
  }
  if (source.localName === 'text' && style.dominantBaseline === 'central') {
    copy.setAttribute('dy', '0.35em');
  }
  return copy;
}

/** A text whose stroke clears the ground behind it: first the stroke, then the letters. */
function behind(source: Element, copy: Element): Element[] {
  const style = getComputedStyle(source);
  const isCleared = style.paintOrder.startsWith('stroke') && style.stroke !== 'none';
  if (source.localName !== 'text' || !isCleared) return [copy];
  const under = copy.cloneNode(true) as Element;
  under.setAttribute('fill', style.stroke);
  under.setAttribute('stroke-linejoin', 'round');
  copy.setAttribute('stroke', 'none');
  return [under, copy];
}

function isSeen(element: Element): boolean {
  const style = getComputedStyle(element);
  return style.display !== 'none' && style.visibility !== 'hidden' && !element.matches('.hit');
}

function textElement(name: string, text: string): Element {
  const element = document.createElementNS(namespace, name);
  element.textContent = text;
  return element;
}

function bakedSize({ size }: Drawing): Size {
  return { width: size.width + 2 * margin, height: size.height + 2 * margin };
}

function ground({ width, height }: Size, paper: string): Element {
  const rect = document.createElementNS(namespace, 'rect');
  const attributes = { x: -margin, y: -margin, width, height, fill: paper };
  for (const [name, value] of Object.entries(attributes)) rect.setAttribute(name, String(value));
  return rect;
}
