// The panel: which node is the current one, and what keys, mouse and messages do to it.
import type { Cure, Format, FromPage, Remembered, Target, ToPage } from '../messages';
import { layouts, type Choice, type Operation, type PictureNode } from '../picture';
import { bakedPng, bakedSvg } from './baking';
import { Drawing, elementId } from './drawing';
import { emptyText } from './empty';
import { Field } from './field';
import { showLegend } from './legend';
import { Menu, type Groups } from './menu';
import { Pointer } from './pointer';
import { Stage } from './stage';
import { Toolbar } from './toolbar';
import type { Point } from './viewport';

type Show = Extract<ToPage, { type: 'show' }>;

/** Actions of the server's that have a key here too, by how their titles start. */
const keysOfActions = [
  ['Delete ', 'Del'],
  ['Raise ', 'Alt+↑'],
  ['Lower ', 'Alt+↓'],
] as const;

export class Panel {
  onRemember: (remembered: Remembered) => void = () => undefined;
  private shown: Show | undefined;
  private drawing: Drawing | undefined;
  private current: PictureNode | undefined;
  /** What is being moved by keys, to be hung on another node. */
  private moving: PictureNode | undefined;

  /** What the button of the empty panel does. */
  private cure: Cure | undefined;

  private readonly stageRoot = byId('stage');
  private readonly sheet = byId('sheet');
  private readonly said = byId('said');
  private readonly stage: Stage;
  private readonly toolbar: Toolbar;
  private readonly menu = new Menu();
  private readonly field: Field;

  constructor(
    private readonly post: (message: FromPage) => void,
    private legend: boolean,
  ) {
    this.toolbar = new Toolbar(byId('toolbar'), {
      setLayout: (layout) => {
        this.choose({ layout });
      },
      setPartner: (partner) => {
        this.choose({ partner });
      },
      zoomIn: () => {
        this.stage.zoom(1);
      },
      zoomOut: () => {
        this.stage.zoom(-1);
      },
      actualSize: () => {
        this.stage.actualSize();
      },
      fit: () => {
        this.stage.fit();
      },
      unfold: () => {
        this.choose({ folded: [], all: true });
      },
      legend: () => {
        this.setLegend(!this.legend);
      },
      copy: (button) => {
        const { left, bottom } = button.getBoundingClientRect();
        this.menu.open({ x: left, y: bottom }, 'Copy or save', this.copyEntries(), button);
      },
    });
    this.stage = new Stage(this.stageRoot, this.sheet, (scale) => {
      this.toolbar.showScale(scale);
    });
    this.field = new Field(this.stageRoot, (on) => {
      post({ type: 'typing', on });
    });
    new Pointer(this.stageRoot, this.stage, {
      drawing: () => this.drawing,
      select: (node) => {
        if (this.moving === undefined) this.select(node, false);
        else this.drop(this.moving, node);
      },
      fold: (node) => {
        this.fold(node);
      },
      relabel: () => {
        this.relabel();
      },
      menu: (node, at) => {
        if (node !== undefined) this.select(node, false);
        this.openMenu(at);
      },
      drop: (source, target) => {
        this.drop(source, target);
      },
    });
    this.stageRoot.addEventListener('keydown', this.onKey);
    byId('cure').addEventListener('click', () => {
      if (this.cure !== undefined) post({ type: 'cure', cure: this.cure });
    });
    window.addEventListener('focus', () => {
      if (document.activeElement === document.body) this.stageRoot.focus();
    });
    this.setLegend(legend);
  }

  hear(message: ToPage): void {
    if (message.type === 'show') this.show(message);
    else if (message.type === 'light') this.light(this.drawing?.node(message.id));
    else if (message.type === 'empty') this.showEmpty(message.why);
    else if (message.type === 'say') this.say(message.text);
    else if (message.type === 'actions') this.addActions(message.id, message.titles);
    else if (message.type === 'labels') this.field.offerLabels(message.labels);
    else void this.export(message.format, message.target);
  }

  // --- what is shown ---------------------------------------------------------------------------

  private show(message: Show): void {
    const { picture, choice } = message;
    const before = this.shown;
    this.shown = message;
    document.body.classList.remove('empty');
    this.stageRoot.dataset.message = picture.message ?? '';
    const isSame = before?.uri === message.uri && before.picture.sentence === picture.sentence;
    const kept = message.keep && isSame ? this.current?.id : undefined;
    if (this.drawing === undefined || before?.picture.svg !== picture.svg) {
      this.drawing = new Drawing(picture);
      this.drawing.mount(this.sheet);
      const isSameDrawing = isSame && before.choice.layout === choice.layout;
      this.stage.replace(this.drawing.size, picture.mirrored, isSameDrawing);
    } else {
      this.drawing.renew(picture);
    }
    const anyFolded = picture.nodes.some(({ folded }) => folded);
    this.toolbar.show(picture.title, choice.layout, picture.partners, anyFolded);
    this.stageRoot.setAttribute('aria-label', picture.title);
    this.drawLegend();
    this.light(this.drawing.node(kept) ?? this.drawing.node(picture.at));
    this.remember();
  }

  private showEmpty(why: Extract<ToPage, { type: 'empty' }>['why']): void {
    this.shown = this.drawing = this.current = this.moving = undefined;
    this.sheet.replaceChildren();
    document.body.classList.add('empty');
    const { heading, advice, button } = emptyText(why);
    byId('empty-heading').textContent = heading;
    byId('empty-advice').textContent = advice;
    this.cure = button?.cure;
    byId('cure').hidden = button === undefined;
    byId('cure').textContent = button?.label ?? '';
    this.say('');
  }

  private light(node: PictureNode | undefined): void {
    this.current = node;
    if (node === undefined) {
      this.drawing?.unlight();
      this.stageRoot.removeAttribute('aria-activedescendant');
      this.say('');
      return;
    }
    const box = this.drawing?.light(node);
    if (box !== undefined) this.stage.bring(box);
    this.stageRoot.setAttribute('aria-activedescendant', elementId(node.id));
    this.say(node.description);
  }

  private say(text: string): void {
    this.said.textContent = text;
    this.said.title = text;
  }

  private setLegend(on: boolean): void {
    this.legend = on;
    this.toolbar.showLegend(on);
    this.drawLegend();
    this.remember();
  }

  private drawLegend(): void {
    showLegend(byId('legend'), this.legend ? this.drawing : undefined);
  }

  private remember(): void {
    const { legend, shown } = this;
    if (shown === undefined) return;
    const { uri, line, choice } = shown;
    this.onRemember({ uri, line, choice: { ...choice, folded: [] }, legend });
  }

  // --- what is done ----------------------------------------------------------------------------

  private select(node: PictureNode, focus: boolean): void {
    this.light(node);
    this.post({ type: 'select', id: node.id, focus });
  }

  private choose(change: Partial<Choice>): void {
    if (this.shown === undefined) return;
    this.post({ type: 'choose', choice: { ...this.shown.choice, ...change } });
  }

  private fold(node: PictureNode): void {
    if (!node.foldable || this.shown === undefined) {
      this.say(`${node.label} has nothing to fold.`);
      return;
    }
    const { picture, choice } = this.shown;
    // What is folded now is what stays so, whoever folded it.
    const folded = new Set(picture.nodes.filter((one) => one.folded).map(({ id }) => id));
    if (!folded.delete(node.id)) folded.add(node.id);
    this.current = node;
    this.choose({ folded: [...folded], all: choice.all || node.folded });
  }

  private edit(operation: Operation, more: { argument?: string; target?: string } = {}): void {
    const node = this.current;
    if (node !== undefined) this.post({ type: 'edit', id: node.id, operation, ...more });
  }

  private relabel(): void {
    const node = this.current;
    if (node === undefined) return;
    const operation = node.kind === 'arc' ? 'relation' : 'relabel';
    const old = this.shown?.given[node.id] ?? node.label;
    this.ask(`New name of ${node.label}`, old, (argument) => {
      if (argument !== old) this.edit(operation, { argument });
    });
  }

  private wrap(): void {
    this.ask('Label of the new bracket', '', (argument) => {
      this.edit('wrap', { argument });
    });
  }

  private ask(name: string, value: string, then: (label: string) => void): void {
    const node = this.current;
    const box = node === undefined ? undefined : this.drawing?.box(node);
    if (node === undefined || box === undefined) return;
    this.stage.bring(box);
    this.field.open(this.stage.shown(box), name, value, (label) => {
      if (label !== undefined) then(label);
    });
    this.post({ type: 'labels', id: node.id });
  }

  /** By keys: the next node that is chosen is where this one goes. */
  private move(): void {
    this.moving = this.current;
    if (this.moving === undefined) return;
    this.say(`Choose where ${this.moving.label} goes, then press Enter; Escape leaves it here.`);
    this.stageRoot.classList.add('moving');
  }

  private stopMoving(): void {
    this.moving = undefined;
    this.stageRoot.classList.remove('moving');
    this.drawing?.aim(undefined);
  }

  private drop(source: PictureNode, target: PictureNode): void {
    this.stopMoving();
    this.light(source);
    if (source.id === target.id) return;
    const operation = this.drawing?.hasArcs === true ? 'head' : 'attach';
    this.edit(operation, { target: target.id });
  }

  // --- keys ------------------------------------------------------------------------------------

  private readonly onKey = (event: KeyboardEvent): void => {
    if (event.target !== this.stageRoot || this.drawing === undefined) return;
    const act = this.actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  private actionOf(event: KeyboardEvent): (() => void) | undefined {
    const name = [
      ...(event.ctrlKey || event.metaKey ? ['Ctrl'] : []),
      ...(event.altKey ? ['Alt'] : []),
      ...(event.shiftKey && event.key.length > 1 ? ['Shift'] : []),
      event.key.length === 1 ? event.key.toLowerCase() : event.key,
    ].join('+');
    return this.keys[name];
  }

  private readonly keys: Record<string, () => void> = {
    ArrowUp: this.go('parent'),
    ArrowDown: this.go('first'),
    ArrowRight: this.go('next'),
    ArrowLeft: this.go('previous'),
    Home: () => {
      const root = this.drawing?.first();
      if (root !== undefined) this.select(root, false);
    },
    'Shift+ArrowUp': this.push(0, -1),
    'Shift+ArrowDown': this.push(0, 1),
    'Shift+ArrowRight': this.push(1, 0),
    'Shift+ArrowLeft': this.push(-1, 0),
    '+': () => {
      this.stage.zoom(1);
    },
    '=': () => {
      this.stage.zoom(1);
    },
    '-': () => {
      this.stage.zoom(-1);
    },
    '0': () => {
      this.stage.fit();
    },
    ...Object.fromEntries(
      layouts.map((layout, at) => [
        String(at + 1),
        () => {
          this.choose({ layout });
        },
      ]),
    ),
    ' ': () => {
      if (this.current !== undefined) this.fold(this.current);
    },
    Enter: () => {
      if (this.current === undefined) return;
      if (this.moving === undefined) this.select(this.current, true);
      else this.drop(this.moving, this.current);
    },
    Escape: () => {
      const { moving } = this;
      this.stopMoving();
      if (moving !== undefined) this.light(moving);
    },
    F2: () => {
      this.relabel();
    },
    Delete: () => {
      this.edit('delete');
    },
    Backspace: () => {
      this.edit('delete');
    },
    'Alt+ArrowUp': () => {
      this.edit('raise');
    },
    'Alt+ArrowDown': () => {
      this.edit('lower');
    },
    w: () => {
      this.wrap();
    },
    m: () => {
      this.move();
    },
    ContextMenu: () => {
      this.openMenuAtNode();
    },
    'Shift+F10': () => {
      this.openMenuAtNode();
    },
  };

  private go(way: 'parent' | 'first' | 'next' | 'previous'): () => void {
    return () => {
      const to = this.drawing?.node(this.current?.[way]);
      const node = this.current === undefined ? this.drawing?.first() : to;
      if (node === undefined) return;
      if (this.moving === undefined) {
        this.select(node, false);
        return;
      }
      this.light(node);
      this.drawing?.aim(node);
    };
  }

  private push(right: number, down: number): () => void {
    return () => {
      this.stage.push(right, down);
    };
  }

  // --- menus -----------------------------------------------------------------------------------

  private openMenuAtNode(): void {
    const box = this.current === undefined ? undefined : this.drawing?.box(this.current);
    const origin = this.stageRoot.getBoundingClientRect();
    if (box === undefined) {
      this.openMenu({ x: origin.x + 16, y: origin.y + 16 });
      return;
    }
    const { x, y, width, height } = this.stage.shown(box);
    this.openMenu({ x: origin.x + x + width / 2, y: origin.y + y + height + 4 });
  }

  private openMenu(at: Point): void {
    const node = this.current;
    if (this.drawing === undefined) return;
    if (node === undefined) {
      this.menu.open(at, 'Picture', this.copyEntries(), this.stageRoot);
      return;
    }
    this.menu.open(at, node.description, this.entries(node), this.stageRoot);
    this.post({ type: 'actions', id: node.id });
  }

  private entries(node: PictureNode): Groups {
    const entry = (label: string, hint: string, key = hint): Groups[0][0] => ({
      label,
      key: hint,
      run: () => this.keys[key]?.(),
    });
    const isTree = this.drawing?.hasArcs === false;
    return [
      [
        entry('Go to Text', 'Enter'),
        ...(node.foldable ? [entry(node.folded ? 'Unfold' : 'Fold', 'Space', ' ')] : []),
      ],
      [
        entry('Relabel…', 'F2'),
        ...(isTree ? [entry('Wrap in…', 'W', 'w')] : []),
        entry(isTree ? 'Choose Its Parent…' : 'Choose Its Head…', 'M', 'm'),
      ],
    ];
  }

  /** What the server offers for the node, the most of it by the server's own words. */
  private addActions(id: string, titles: string[]): void {
    if (this.current?.id !== id) return;
    const offered = titles.filter((title) => !title.startsWith('Wrap '));
    const entries = offered.map((title) => {
      const key = keysOfActions.find(([start]) => title.startsWith(start))?.[1];
      const run = (): void => {
        this.post({ type: 'act', id, title });
      };
      return { label: title, run, ...(key === undefined ? {} : { key }) };
    });
    this.menu.add([entries]);
  }

  private copyEntries(): Groups {
    const copy = (label: string, format: Format): Groups[0][0] => ({
      label,
      run: () => {
        void this.export(format, 'clipboard');
      },
    });
    const saveAs = (): void => {
      this.post({ type: 'saveAs' });
    };
    return [
      [copy('Copy as SVG', 'svg'), copy('Copy as PNG', 'png'), copy('Copy as LaTeX', 'tex')],
      [{ label: 'Save Picture As…', run: saveAs }],
    ];
  }

  // --- the picture elsewhere -------------------------------------------------------------------

  private async export(format: Format, target: Target): Promise<void> {
    const { drawing, shown } = this;
    if (drawing === undefined || shown === undefined) return;
    try {
      if (format === 'png') await this.exportPng(drawing, shown.colours, target);
      else {
        const content = format === 'svg' ? bakedSvg(drawing, shown.colours) : shown.picture.latex;
        this.post({ type: 'exported', format, target, content });
      }
    } catch (error) {
      this.post({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
    }
  }

  private async exportPng(
    drawing: Drawing,
    colours: 'print' | 'theme',
    target: Target,
  ): Promise<void> {
    const blob = bakedPng(drawing, colours);
    if (target === 'clipboard') {
      await focus();
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      this.post({ type: 'exported', format: 'png', target });
      return;
    }
    const content = await base64(await blob);
    this.post({ type: 'exported', format: 'png', target, content });
  }
}

/** Only a page that has the focus may write to the clipboard; from the palette it is on its way. */
async function focus(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise((resolve) => {
    window.addEventListener('focus', resolve, { once: true });
    setTimeout(resolve, 2000);
  });
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => {
      reject(new Error('the picture could not be read'));
    };
    reader.readAsDataURL(blob);
  });
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}
