// Marks in the sentence at the cursor only, here and in the files that are compared with it, for
// files in which hardly a sentence is right (`treelens.onlyThisSentence`).
import * as vscode from 'vscode';
import { DocumentDiagnosticRequest, vsdiag, type LanguageClient } from 'vscode-languageclient/node';
import { abreastRequest, type AbreastStop } from '../protocol';
import { isTreebankLanguage } from '../treebanks';

const debounceMilliseconds = 100;
const setting = 'treelens.onlyThisSentence';

type Report = vsdiag.DocumentDiagnosticReport | undefined | null;

export class Focus implements vscode.Disposable {
  private readonly moved = new vscode.EventEmitter<void>();
  /** Marks are to be shown elsewhere. */
  readonly onDidMove = this.moved.event;
  /** Where marks are shown, by document; all of it where nothing is said. */
  private places = new Map<string, vscode.Range>();
  /** All that the server said last, by document. */
  private readonly said = new Map<string, vsdiag.DocumentDiagnosticReport>();
  private client: LanguageClient | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked = 0;
  private readonly subscriptions = vscode.Disposable.from(
    vscode.window.onDidChangeTextEditorSelection(() => this.look()),
    vscode.window.onDidChangeActiveTextEditor(() => this.look()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(setting)) this.look();
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.said.delete(uri.toString())),
  );

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
    this.moved.dispose();
  }

  /** Whom to ask which sentences stand beside each other. */
  follow(client: LanguageClient): vscode.Disposable {
    this.client = client;
    this.look();
    return new vscode.Disposable(() => {
      this.client = undefined;
    });
  }

  /** What of a document's marks is to be shown; errors in the text always are. */
  shown(document: vscode.TextDocument | vscode.Uri, report: Report): Report {
    const uri = 'uri' in document ? document.uri.toString() : document.toString();
    if (report?.kind === vsdiag.DocumentDiagnosticReportKind.full) this.said.set(uri, report);
    const whole = this.said.get(uri);
    if (whole?.kind !== vsdiag.DocumentDiagnosticReportKind.full || !report) return report;
    const place = this.places.get(uri);
    const items = whole.items.filter(
      ({ range, severity }) => severity === vscode.DiagnosticSeverity.Error || isIn(place, range),
    );
    return { ...whole, items };
  }

  /** Marks are to be shown in a line that there is. */
  has(document: vscode.TextDocument, line: number): boolean {
    const place = this.places.get(document.uri.toString());
    // (A sentence ends where the next one begins, which is in another line as a rule.)
    return (
      place === undefined || place.intersection(document.lineAt(line).range)?.isEmpty === false
    );
  }

  private look(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      void this.find().catch(() => undefined); // a server that is gone has nothing to mark
    }, debounceMilliseconds);
  }

  private async find(): Promise<void> {
    const mine = ++this.asked;
    const isOver = (): boolean => mine !== this.asked; // the cursor is elsewhere by now
    const places = new Map<string, vscode.Range>();
    const editor = vscode.window.activeTextEditor;
    const { client } = this;
    if (vscode.workspace.getConfiguration().get<boolean>(setting, false) && client !== undefined) {
      if (editor === undefined || !isTreebankLanguage(editor.document.languageId)) return;
      const at = client.code2ProtocolConverter.asPosition(editor.selection.active);
      const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
      const found = await client.sendRequest(abreastRequest, {
        uri,
        range: { start: at, end: at },
      });
      if (isOver()) return;
      for (const { uri: other, stops } of found) {
        const [here, there] = around(stops, editor.selection.active);
        places.set(editor.document.uri.toString(), here);
        places.set(client.protocol2CodeConverter.asUri(other).toString(), there);
      }
    }
    if (!areSame(places, this.places)) {
      this.places = places;
      this.redraw();
    }
  }

  private redraw(): void {
    const feature = this.client?.getFeature(DocumentDiagnosticRequest.method);
    for (const { document } of vscode.window.visibleTextEditors) {
      feature?.getProvider(document)?.onDidChangeDiagnosticsEmitter.fire();
    }
    this.moved.fire();
  }
}

/** The stretches, here and there, that hold a position here. */
function around(stops: AbreastStop[], at: vscode.Position): [vscode.Range, vscode.Range] {
  const position = ({ line, character }: AbreastStop['here']): vscode.Position =>
    new vscode.Position(line, character);
  const behind = stops.findIndex(({ here }) => position(here).isAfter(at));
  const [from, to] =
    behind < 0 ? stops.slice(-2) : stops.slice(Math.max(behind - 1, 0), behind + 1);
  const range = (side: 'here' | 'there'): vscode.Range =>
    from === undefined || to === undefined
      ? new vscode.Range(0, 0, 0, 0)
      : new vscode.Range(position(from[side]), position(to[side]));
  return [range('here'), range('there')];
}

function isIn(place: vscode.Range | undefined, range: vscode.Range): boolean {
  return place === undefined || (place.contains(range.start) && range.start.isBefore(place.end));
}

function areSame(one: Map<string, vscode.Range>, other: Map<string, vscode.Range>): boolean {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].every((key) => {
    const [a, b] = [one.get(key), other.get(key)];
    return a !== undefined && b !== undefined && a.isEqual(b);
  });
}
