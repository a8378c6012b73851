// The row of buttons above the picture.
import { layouts, type PictureLayout, type Partner } from '../picture';
import { icon, type Icon } from './icons';

const layoutNames: Record<PictureLayout, [name: string, explanation: string]> = {
  overlaid: ['Overlaid', 'Both sides in one drawing (1)'],
  beside: ['Each Whole', 'Each side drawn whole (2)'],
  own: ['This File', 'The tree of this file alone (3)'],
};

export interface Actions {
  setLayout: (layout: PictureLayout) => void;
  setPartner: (uri: string) => void;
  zoomIn: () => void;
  zoomOut: () => void;
  actualSize: () => void;
  fit: () => void;
  unfold: () => void;
  legend: () => void;
  copy: (button: HTMLElement) => void;
}

export class Toolbar {
  readonly title = document.createElement('h1');
  private readonly layouts = new Map<PictureLayout, HTMLButtonElement>();
  private readonly partners = document.createElement('select');
  private readonly scale: HTMLButtonElement;
  private readonly unfold: HTMLButtonElement;
  private readonly legend: HTMLButtonElement;
  readonly copy: HTMLButtonElement;

  constructor(root: HTMLElement, actions: Actions) {
    const choice = group('layouts', 'Layout');
    choice.setAttribute('role', 'radiogroup');
    for (const layout of layouts) {
      const [name, explanation] = layoutNames[layout];
      const button = labelled(name, explanation, () => actions.setLayout(layout));
      button.setAttribute('role', 'radio');
      this.layouts.set(layout, button);
      choice.append(button);
    }
    this.partners.title = 'Compared with';
    this.partners.setAttribute('aria-label', 'Compared with');
    this.partners.addEventListener('change', () => actions.setPartner(this.partners.value));
    this.scale = labelled('100%', 'Actual Size', actions.actualSize);
    this.scale.classList.add('scale');
    const zoom = group('zoom', 'Zoom');
    zoom.append(
      pictured('zoomOut', 'Zoom Out (−)', actions.zoomOut),
      this.scale,
      pictured('zoomIn', 'Zoom In (+)', actions.zoomIn),
      pictured('fit', 'Show All of It (0)', actions.fit),
    );
    this.unfold = pictured('unfold', 'Unfold All', actions.unfold);
    this.legend = pictured('legend', 'Legend', actions.legend);
    this.copy = pictured('copy', 'Copy or Save the Picture', () => actions.copy(this.copy));
    this.copy.setAttribute('aria-haspopup', 'menu');
    root.append(this.title, choice, this.partners, zoom, this.unfold, this.legend, this.copy);
  }

  show(title: string, layout: PictureLayout, partners: Partner[], anyFolded: boolean): void {
    this.title.textContent = title;
    this.title.title = title;
    for (const [name, button] of this.layouts) {
      button.setAttribute('aria-checked', String(name === layout));
      button.disabled = name !== 'own' && partners.length === 0;
    }
    this.partners.hidden = partners.length < 2 || layout === 'own';
    this.partners.replaceChildren(
      ...partners.map(({ uri, name, active }) => new Option(name, uri, active, active)),
    );
    this.unfold.disabled = !anyFolded;
  }

  showScale(scale: number): void {
    this.scale.textContent = `${Math.round(scale * 100)}%`;
  }

  showLegend(on: boolean): void {
    this.legend.setAttribute('aria-pressed', String(on));
  }
}

function group(name: string, label: string): HTMLElement {
  const element = document.createElement('div');
  element.className = `group ${name}`;
  element.setAttribute('role', 'group');
  element.setAttribute('aria-label', label);
  return element;
}

function labelled(text: string, explanation: string, act: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.textContent = text;
  button.title = explanation;
  button.addEventListener('click', act);
  return button;
}

function pictured(name: Icon, label: string, act: () => void): HTMLButtonElement {
  const button = labelled('', label, act);
  button.setAttribute('aria-label', label);
  button.append(icon(name));
  return button;
}
