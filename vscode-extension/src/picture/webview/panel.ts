// The panel: which node is the current one, and what keys, mouse and messages do to it.
import type { Cure, FromPage, PageFormat, Remembered, Target, ToPage } from '../messages';
import type { Choice, Operation, PictureNode } from '../picture';
import { Drawing, elementId } from './drawing';
import { emptyText } from './empty';
import { actionEntries, copyEntries, nodeEntries } from './entries';
import { exported } from './exporting';
import { Field } from './field';
import { keyName, keysOf, type Keys, type Way } from './keys';
import { showLegend } from './legend';
import { Menu, type Groups } from './menu';
import { Pointer } from './pointer';
import { Stage } from './stage';
import { Toolbar } from './toolbar';
import type { Point } from './viewport';

type Show = Extract<ToPage, { type: 'show' }>;

export class Panel {
  onRemember: (remembered: Remembered) => void = () => undefined;
  private shown: Show | undefined;
  private drawing: Drawing | undefined;
  private current: PictureNode | undefined;
  /** How many nodes were chosen here. */
  private chosen = 0;
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
      setLayout: (layout) => this.choose({ layout }),
      setPartner: (partner) => this.choose({ partner }),
      zoomIn: () => this.stage.zoom(1),
      zoomOut: () => this.stage.zoom(-1),
      actualSize: () => this.stage.actualSize(),
      fit: () => this.stage.fit(),
      unfold: () => this.choose({ folded: [], all: true }),
      legend: () => this.setLegend(!this.legend),
      copy: (button) => {
        const { left, bottom } = button.getBoundingClientRect();
        this.menu.open({ x: left, y: bottom }, 'Copy or save', this.copyEntries(), button);
      },
    });
    this.stage = new Stage(this.stageRoot, this.sheet, (scale) => this.toolbar.showScale(scale));
    this.field = new Field(this.stageRoot, (on) => post({ type: 'typing', on }));
    new Pointer(this.stageRoot, this.stage, {
      drawing: () => this.drawing,
      select: (node) => {
        if (this.moving === undefined) this.select(node, false);
        else this.drop(this.moving, node);
      },
      fold: (node) => this.fold(node),
      relabel: () => this.relabel(),
      menu: (node, at) => {
        if (node !== undefined) this.select(node, false);
        this.openMenu(at);
      },
      drop: (source, target) => this.drop(source, target),
    });
    this.stageRoot.addEventListener('keydown', this.onKey);
    byId('cure').addEventListener('click', () => {
      if (this.cure !== undefined) post({ type: 'cure', cure: this.cure });
    });
    window.addEventListener('focus', () => this.takeFocus());
    this.setLegend(legend);
  }

  hear(message: ToPage): void {
    switch (message.type) {
      case 'show':
        this.show(message);
        break;
      case 'light':
        if (message.heard >= this.chosen) this.light(this.drawing?.node(message.id));
        break;
      case 'empty':
        this.showEmpty(message.why);
        break;
      case 'say':
        this.say(message.text);
        break;
      case 'actions':
        this.addActions(message.id, message.titles);
        break;
      case 'labels':
        this.field.offerLabels(message.labels);
        break;
      case 'focus':
        window.focus();
        this.takeFocus();
        break;
      case 'export':
        void this.export(message.format, message.target);
    }
  }

  private takeFocus(): void {
    if (document.activeElement === document.body) this.stageRoot.focus();
  }

  // --- what is shown ---------------------------------------------------------------------------

  private show(message: Show): void {
    const { picture, choice } = message;
    const before = this.shown;
    this.shown = message;
    document.body.classList.remove('empty');
    this.stageRoot.dataset.message = picture.message ?? '';
    const isSame = before?.uri === message.uri && before.picture.sentence === picture.sentence;
    // (Whoever walks on while it is being drawn is not taken back to where it was asked for.)
    const keeps = message.keep || message.heard < this.chosen;
    const kept = keeps && isSame ? this.current?.id : undefined;
    let opened = false;
    if (this.drawing === undefined || before?.picture.svg !== picture.svg) {
      this.drawing = new Drawing(picture);
      this.drawing.mount(this.sheet);
      const isSameDrawing = isSame && before.choice.layout === choice.layout;
      opened = !isSameDrawing && this.drawing.isRoot(picture.at);
      const first = opened ? this.drawing.start() : this.drawing.boxOf(picture.at);
      this.stage.replace(this.drawing.size, picture.mirrored, isSameDrawing, first);
    } else {
      this.drawing.renew(picture);
    }
    const anyFolded = picture.nodes.some(({ folded }) => folded);
    this.toolbar.show(picture.title, choice.layout, picture.partners, anyFolded);
    this.stageRoot.setAttribute('aria-label', picture.title);
    this.drawLegend();
    // (What stands above all may be far from what is to be seen.)
    this.light(this.drawing.node(kept) ?? this.drawing.node(picture.at), !opened);
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

  private light(node: PictureNode | undefined, bring = true): void {
    this.current = node;
    if (node === undefined) {
      this.drawing?.unlight();
      this.stageRoot.removeAttribute('aria-activedescendant');
      this.say('');
      return;
    }
    const box = this.drawing?.light(node);
    if (box !== undefined && bring) this.stage.bring(box);
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
    const { legend, drawing, shown } = this;
    if (legend && drawing !== undefined && shown !== undefined) {
      showLegend(byId('legend'), drawing, shown.picture);
    } else {
      byId('legend').replaceChildren();
    }
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
    this.chosen++;
    this.post({ type: 'select', id: node.id, focus, number: this.chosen });
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
    const operation = ['arc', 'enhanced'].includes(node.kind) ? 'relation' : 'relabel';
    const old = this.shown?.given[node.id] ?? node.label;
    this.ask(`New name of ${node.label}`, old, (argument) => {
      if (argument !== old) this.edit(operation, { argument });
    });
  }

  private wrap(): void {
    this.ask('Label of the new bracket', '', (argument) => this.edit('wrap', { argument }));
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
    const act = this.keys[keyName(event)];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };

  private readonly keys: Keys = keysOf({
    go: (way) => this.go(way),
    first: () => {
      const root = this.drawing?.first();
      if (root !== undefined) this.select(root, false);
    },
    push: (right, down) => this.stage.push(right, down),
    zoom: (direction) => this.stage.zoom(direction),
    fit: () => this.stage.fit(),
    layout: (layout) => this.choose({ layout }),
    fold: () => {
      if (this.current !== undefined) this.fold(this.current);
    },
    enter: () => {
      if (this.current === undefined) return;
      if (this.moving === undefined) this.select(this.current, true);
      else this.drop(this.moving, this.current);
    },
    escape: () => {
      const { moving } = this;
      this.stopMoving();
      if (moving !== undefined) this.light(moving);
    },
    relabel: () => this.relabel(),
    edit: (operation) => this.edit(operation),
    wrap: () => this.wrap(),
    move: () => this.move(),
    menu: () => this.openMenuAtNode(),
  });

  private go(way: Way): void {
    const to = this.drawing?.node(this.current?.[way]);
    const node = this.current === undefined ? this.drawing?.first() : to;
    if (node === undefined) return;
    if (this.moving === undefined) {
      this.select(node, false);
      return;
    }
    this.light(node);
    this.drawing?.aim(node);
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
    const entries = nodeEntries(node, this.drawing.hasArcs, this.keys);
    this.menu.open(at, node.description, entries, this.stageRoot);
    this.post({ type: 'actions', id: node.id });
  }

  private addActions(id: string, titles: string[]): void {
    if (this.current?.id !== id) return;
    const act = (title: string): void => this.post({ type: 'act', id, title });
    this.menu.add(actionEntries(titles, act));
  }

  private copyEntries(): Groups {
    return copyEntries(
      (format) => {
        if (format === 'tex') this.post({ type: 'copyLatex' });
        else void this.export(format, 'clipboard');
      },
      () => this.post({ type: 'saveAs' }),
    );
  }

  private async export(format: PageFormat, target: Target): Promise<void> {
    const { drawing, shown } = this;
    if (drawing === undefined || shown === undefined) return;
    try {
      const content = await exported(drawing, { format, target, colours: shown.colours });
      this.post({
        type: 'exported',
        format,
        target,
        ...(content === undefined ? {} : { content }),
      });
    } catch (error) {
      this.post({ type: 'trouble', text: error instanceof Error ? error.message : String(error) });
    }
  }
}

function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no #${id}`);
  return element;
}
