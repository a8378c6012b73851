// The tree panel: one at a time, drawing the sentence at the cursor of the treebank editor that was
// last used. The server draws; the page shows; here is who asks for what, and when: one state that
// all of it turns on, and so longer than other files are.
import * as vscode from 'vscode';
import { besideRequest, pictureRequest, type PlaceArgument } from '../protocol';
import type { Server } from '../server/server';
import { isSame, showDocument } from '../showDocument';
import { isTreebankLanguage } from '../treebanks';
import { pictureColumn } from './column';
import { givenTexts, openVersions, withOurUris, writtenIn, type Drawn } from './drawn';
import { Edits } from './edits';
import {
  isCure,
  type Cure,
  type Emptiness,
  type Format,
  type FromPage,
  type Remembered,
  type Target,
  type ToPage,
} from './messages';
import { pageHtml } from './page';
import { nodeAt, type Choice, type Picture, type PictureNode, type Place } from './picture';
import { deliver, pictureFile } from './save';
import { asRange, goTo, keepInViewWhileMoved, keepSentenceInView, Light, putCursor } from './text';

export const viewType = 'treelens.picture';
const debounceMilliseconds = 60;
/** So long the editors beside a panel that has opened may still be given their places. */
const settlingMilliseconds = 1500;

interface Followed {
  uri: vscode.Uri;
  position: vscode.Position;
  /** The one of the editor that was used last. */
  column?: vscode.ViewColumn | undefined;
}

export class TreePanel implements vscode.Disposable, vscode.WebviewPanelSerializer<Remembered> {
  private panel: vscode.WebviewPanel | undefined;
  private followed: Followed | undefined;
  /** The number of the last node that was chosen in the page. */
  private heard = 0;
  /** The same when the cursor was last moved in the text: what was chosen later stays so. */
  private heardThen = 0;
  /** Where choosing nodes has put the cursor since. */
  private readonly chosen = new Set<string>();
  private drawn: Drawn | undefined;
  /** Another sentence that is drawn below, until the cursor goes elsewhere. */
  private beside: { line: number; other: PlaceArgument } | undefined;
  private choice: Choice = { layout: 'overlaid', folded: [], all: false };
  private asking: vscode.CancellationTokenSource | undefined;
  private timer: NodeJS.Timeout | undefined;
  /** The panel is new: nothing has been drawn in it yet. */
  private hasOpened = false;
  /** What is asked next is about the same nodes: the current one stays. */
  private keep = false;
  private saveTo: vscode.Uri | undefined;
  private readonly edits: Edits;
  private readonly light = new Light();
  private readonly subscriptions: vscode.Disposable;

  constructor(
    private readonly server: Server,
    private readonly dist: vscode.Uri,
  ) {
    this.edits = new Edits(server, (text) => this.post({ type: 'say', text }));
    this.subscriptions = vscode.Disposable.from(
      this.light,
      vscode.window.registerWebviewPanelSerializer(viewType, this),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        // Of other editors it is this panel that moves the cursor.
        const [selection] = selections;
        if (textEditor !== vscode.window.activeTextEditor || selection === undefined) return;
        // (As of that which had the focus before this panel, for which it still is the active one.)
        if (this.chosen.has(keyOf(textEditor.document.uri.toString(), selection))) return;
        this.follow(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0 && this.isDrawnFrom(document.uri)) this.refresh(true);
      }),
      vscode.workspace.onDidOpenTextDocument(({ uri }) => {
        // In a window that is loaded anew it may come after the panel, and nothing else changes.
        if (this.isDrawnFrom(uri)) this.refresh(true);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        if (uri.toString() !== this.followed?.uri.toString()) return;
        this.followed = undefined;
        this.refresh(false);
      }),
      server.onDidChange(() => this.refresh(true)),
    );
  }

  dispose(): void {
    this.subscriptions.dispose();
    this.panel?.dispose();
  }

  /** Shows the panel; where it is seen already, goes into it. `place`: another than the cursor's;
   * `other`: of a sentence that is drawn below. */
  async show(place?: PlaceArgument, other?: PlaceArgument): Promise<void> {
    if (place !== undefined) {
      const { line, character } = place.position;
      this.beside = other === undefined ? undefined : { line, other };
      const position = new vscode.Position(line, character);
      const column = vscode.window.activeTextEditor?.viewColumn;
      this.followed = { uri: vscode.Uri.parse(place.uri), position, column };
      putCursor(this.followed.uri, position, column);
    }
    if (this.panel !== undefined) {
      if (this.panel.visible && place === undefined) this.enter();
      else this.panel.reveal(undefined, true);
      this.refresh(false);
      return;
    }
    if (place === undefined) this.follow(vscode.window.activeTextEditor);
    const viewColumn = await pictureColumn();
    const title = { viewColumn, preserveFocus: true };
    this.use(vscode.window.createWebviewPanel(viewType, 'Tree', title));
  }

  async deserializeWebviewPanel(
    panel: vscode.WebviewPanel,
    remembered: Remembered | undefined,
  ): Promise<void> {
    if (remembered?.choice !== undefined) this.choice = remembered.choice;
    if (remembered?.uri !== undefined) {
      const position = new vscode.Position(remembered.line ?? 0, 0);
      this.followed ??= { uri: vscode.Uri.parse(remembered.uri), position };
    }
    this.panel?.dispose();
    this.use(panel);
    return Promise.resolve();
  }

  /** Has the page make the picture in a format; what it makes goes onto the clipboard. */
  async copy(format: Format): Promise<void> {
    // Only who has the focus may write images there.
    this.enter();
    await this.export(format, 'clipboard');
  }

  async saveAs(): Promise<void> {
    if (this.drawn === undefined) return;
    const { uri, picture } = this.drawn;
    const chosen = await pictureFile(uri, picture.sentence + 1);
    if (chosen === undefined) return;
    this.saveTo = chosen.uri;
    await this.export(chosen.format, 'file');
  }

  /** Has the page make a copy; the server, where it is LaTeX. */
  private async export(format: Format, target: Target): Promise<void> {
    if (format !== 'tex') {
      this.post({ type: 'export', format, target });
      return;
    }
    const here = this.place();
    const picture = here && (await this.ask(here, true));
    if (picture?.latex) await this.deliver({ format, target, content: picture.latex });
  }

  private async deliver(made: Parameters<typeof deliver>[0]): Promise<void> {
    this.post({ type: 'say', text: await deliver(made, this.saveTo) });
  }

  /** In the text that was last changed from here, else in the one that is followed. */
  async undo(command: 'undo' | 'redo'): Promise<void> {
    const uri = this.edits.last ?? this.followed?.uri;
    if (uri === undefined) return;
    await showDocument({ uri, selection: undefined, takeFocus: true });
    await vscode.commands.executeCommand(command);
    const { activeTextEditor: active } = vscode.window; // or whoever went elsewhere meanwhile
    if (active !== undefined && isSame(active.document.uri, uri)) this.enter();
  }

  /** VS Code forgets to hand the focus on to the page where that was left a moment before. */
  private enter(): void {
    this.panel?.reveal(undefined, false);
    this.post({ type: 'focus' });
  }

  // --- what is followed ------------------------------------------------------------------------

  private follow(editor: vscode.TextEditor | undefined): void {
    if (editor === undefined || !isTreebankLanguage(editor.document.languageId)) return;
    const { uri } = editor.document;
    this.light.show(undefined);
    this.chosen.clear();
    if (uri.toString() !== this.followed?.uri.toString()) this.edits.last = undefined;
    this.followed = placeIn(editor);
    if (this.beside?.line !== editor.selection.active.line) this.beside = undefined;
    if (this.panel === undefined) return;
    const id = this.nodeHere(editor);
    if (id === undefined) this.refresh(false);
    else if (this.timer === undefined) this.post({ type: 'light', id, heard: this.heard });
  }

  /** The node at the cursor, where the drawing is of this text as it is now. */
  private nodeHere({ document, selection }: vscode.TextEditor): string | undefined {
    const uri = document.uri.toString();
    if (this.drawn?.uri.toString() !== uri) return undefined;
    if (this.drawn.versions.get(uri) !== document.version) return undefined;
    return nodeAt(this.drawn.picture, uri, selection.active);
  }

  private isDrawnFrom(uri: vscode.Uri): boolean {
    const name = uri.toString();
    if (name === this.followed?.uri.toString()) return true;
    return this.drawn?.picture.partners.some((partner) => partner.uri === name) === true;
  }

  // --- asking ----------------------------------------------------------------------------------

  /** Soon; `keep`: the current node stays so. */
  private refresh(keep: boolean): void {
    if (this.panel?.visible !== true) return;
    // A move of the cursor counts for more than a change of the text.
    if (!keep) this.heardThen = this.heard;
    this.keep = this.timer === undefined ? this.keep || keep : this.keep && keep;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.draw();
    }, debounceMilliseconds);
  }

  private async draw(): Promise<void> {
    this.asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.asking = asking;
    const { keep, heardThen } = this;
    this.keep = false;
    const here = this.place();
    if (here === undefined) {
      this.showEmpty('no file');
      return;
    }
    if (this.server.trouble !== undefined) {
      this.showEmpty(this.server.trouble);
      return;
    }
    const versions = openVersions();
    const picture = await this.ask(here, false, asking.token);
    if (asking.token.isCancellationRequested || picture === undefined) return;
    if (picture === null) {
      this.showEmpty('no sentence');
      return;
    }
    const isFolded = this.choice.all || this.choice.folded.length > 0;
    if (isFolded && this.isOtherSentence(picture, here.uri)) {
      // That was for the sentence before; the names may mean other nodes in this one.
      this.choice = { ...this.choice, folded: [], all: false };
      await this.draw();
      return;
    }
    this.drawn = { picture: withOurUris(picture), uri: here.uri, versions };
    this.showDrawn(keep, heardThen);
    // (Who has gone on while it was asked for is shown the next one in a moment.)
    if (!this.hasOpened || this.place()?.position.isEqual(here.position) !== true) return;
    this.keepDrawnInView(this.drawn, here.position);
    this.hasOpened = false;
  }

  private isOtherSentence(picture: Picture, uri: vscode.Uri): boolean {
    return (
      this.drawn?.picture.sentence !== picture.sentence ||
      this.drawn.uri.toString() !== uri.toString()
    );
  }

  private async ask(
    { uri, position }: Followed,
    latex: boolean,
    token?: vscode.CancellationToken,
  ): Promise<Picture | null | undefined> {
    const { line, character } = position;
    const params = {
      textDocument: { uri: this.server.asUri(uri) },
      position: { line, character },
      ...this.choice,
      latex,
    };
    return this.beside === undefined
      ? this.server.ask(pictureRequest, params, token)
      : this.server.ask(besideRequest, { ...params, other: this.beside.other }, token);
  }

  /** Where the cursor is now: an edit may have moved it. */
  private place(): Followed | undefined {
    const { followed } = this;
    const isFollowed = ({ document }: vscode.TextEditor): boolean =>
      followed === undefined
        ? isTreebankLanguage(document.languageId)
        : isSame(document.uri, followed.uri);
    // A file may be open in two columns: its cursor is where it was last used.
    const { activeTextEditor: active, visibleTextEditors: visible } = vscode.window;
    const editors = [...(active === undefined ? [] : [active]), ...visible].filter(isFollowed);
    const same = editors.find(({ viewColumn }) => viewColumn === followed?.column);
    const editor = same ?? editors[0];
    if (editor !== undefined) this.followed = placeIn(editor);
    return this.followed;
  }

  // --- the page --------------------------------------------------------------------------------

  private use(panel: vscode.WebviewPanel): void {
    this.panel = panel;
    this.setShown(panel.visible);
    panel.webview.options = { enableScripts: true, localResourceRoots: [this.dist] };
    panel.iconPath = vscode.Uri.joinPath(this.dist, '..', 'images', 'tree.svg');
    panel.webview.onDidReceiveMessage(async (message: FromPage) => {
      try {
        await this.hear(message);
      } catch (error) {
        const text = error instanceof Error ? error.message : String(error);
        void vscode.window.showErrorMessage(`Treelens: ${text}`);
      }
    });
    panel.onDidChangeViewState(() => {
      this.setShown(panel.visible);
      if (!panel.visible) this.setTyping(false);
      else if (this.drawn === undefined) this.refresh(false);
    });
    panel.onDidDispose(() => {
      if (this.panel !== panel) return;
      this.light.show(undefined);
      this.panel = this.drawn = undefined;
      this.asking?.cancel();
      this.setShown(false);
      this.setTyping(false);
    });
    panel.webview.html = pageHtml(panel.webview, this.dist);
  }

  private async hear(message: FromPage): Promise<void> {
    if (message.type === 'select') this.heard = message.number;
    switch (message.type) {
      case 'ready':
        this.isReady();
        break;
      case 'choose':
        this.choose(message.choice);
        break;
      case 'cure':
        if (isCure(message.cure)) await run(message.cure);
        break;
      case 'saveAs':
        await this.saveAs();
        break;
      case 'typing':
        this.setTyping(message.on);
        break;
      case 'trouble':
        await this.complain(message.text);
        break;
      case 'exported':
        await this.deliver(message);
        break;
      case 'copyLatex':
        await this.export('tex', 'clipboard');
        break;
      case 'select':
      case 'edit':
      case 'actions':
      case 'act':
      case 'labels':
        if (this.drawn !== undefined) await this.hearOfNode(message, this.drawn);
    }
  }

  private isReady(): void {
    this.hasOpened = true;
    this.heard = 0;
    this.chosen.clear();
    this.refresh(false);
  }

  /** What opens beside or below takes room: of the sentence as much is seen as there is room for. */
  private keepDrawnInView(drawn: Drawn, position: vscode.Position): void {
    const sentence = writtenIn(drawn);
    const column = this.followed?.column;
    if (sentence !== undefined) keepSentenceInView(drawn.uri, sentence, column);
    const cursor = new vscode.Range(position, position);
    const subscription = keepInViewWhileMoved(drawn.uri, cursor, column);
    setTimeout(() => void subscription.dispose(), settlingMilliseconds);
  }

  private async hearOfNode(
    message: Extract<FromPage, { id: string }>,
    drawn: Drawn,
  ): Promise<void> {
    const node = drawn.picture.nodes.find(({ id }) => id === message.id);
    const place = node?.places[0];
    if (node === undefined || place === undefined) return;
    switch (message.type) {
      case 'select':
        await this.select(node, place, message.focus);
        break;
      case 'edit':
        await this.edits.edit(drawn, node, message);
        break;
      case 'actions': {
        const titles = await this.edits.actionTitles(place);
        this.post({ type: 'actions', id: message.id, titles });
        break;
      }
      case 'act':
        await this.edits.act(place, message.title);
        break;
      case 'labels':
        this.post({ type: 'labels', id: message.id, labels: await this.edits.labels(place) });
    }
  }

  private async select(node: PictureNode, place: Place, focus: boolean): Promise<void> {
    this.light.show(focus ? undefined : node);
    if (!focus) this.chosen.add(keyOf(place.uri, asRange(place.selection)));
    const position = await goTo(place, focus, this.followed?.column);
    if (place.uri === this.followed?.uri.toString()) this.followed.position = position;
  }

  private choose(choice: Choice): void {
    this.choice = choice;
    this.keep = true;
    void this.draw();
  }

  private showDrawn(keep: boolean, heard: number): void {
    if (this.drawn === undefined || this.panel === undefined) return;
    const { picture, uri } = this.drawn;
    this.panel.title = `Tree ${picture.sentence + 1}`;
    const colours = vscode.workspace
      .getConfiguration('treelens')
      .get<'print' | 'theme'>('picture.colours', 'print');
    this.post({
      type: 'show',
      uri: uri.toString(),
      line: this.followed?.position.line ?? 0,
      picture,
      given: givenTexts(picture),
      choice: this.choice,
      keep,
      heard,
      colours,
    });
  }

  private showEmpty(why: Emptiness): void {
    this.drawn = undefined;
    if (this.panel !== undefined) this.panel.title = 'Tree';
    this.post({ type: 'empty', why });
  }

  private post(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  /** The palette offers copies of what is in view, wherever the focus is. */
  private setShown(on: boolean): void {
    void vscode.commands.executeCommand('setContext', 'treelens.pictureShown', on);
  }

  private setTyping(on: boolean): void {
    void vscode.commands.executeCommand('setContext', 'treelens.pictureTyping', on);
  }

  private async complain(text: string): Promise<void> {
    const message = `The picture could not be copied: ${text}. Save it as a file instead.`;
    const choice = await vscode.window.showErrorMessage(message, 'Save As…');
    if (choice !== undefined) await this.saveAs();
  }
}

function placeIn({ document, selection, viewColumn }: vscode.TextEditor): Followed {
  return { uri: document.uri, position: selection.active, column: viewColumn };
}

function keyOf(uri: string, { start, end }: vscode.Range): string {
  return [uri, start.line, start.character, end.line, end.character].join(' ');
}

async function run(cure: Cure): Promise<void> {
  await vscode.commands.executeCommand(`treelens.${cure}`);
}
