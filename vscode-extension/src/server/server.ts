// Starts, restarts and stops the language server, and is the one way to talk to it. Longer than other
// files are: all that looks at what goes to the server or comes from it is named here.
import * as vscode from 'vscode';
import {
  CancellationToken,
  CloseAction,
  DidCloseTextDocumentNotification,
  ErrorAction,
  ExecuteCommandRequest,
  FileChangeType,
  LanguageClient,
  RevealOutputChannelOn,
  State,
  WorkDoneProgressCancelNotification,
  type LanguageClientOptions,
  type RequestType,
  type WorkspaceEdit,
} from 'vscode-languageclient/node';
import { makeAndSave } from '../beside';
import { lightUpAnswering, type Answered } from '../marks/answering';
import { Bars } from './bars';
import { Comebacks } from './comebacks';
import { CorpusCheck } from '../pairs/corpus';
import { offerProblems } from '../pairs/problems';
import { Doubts } from '../pairs/doubts';
import { endShut } from '../pairs/shut';
import { findServer, ServerSettingError } from './discovery';
import { AskedLenses } from '../marks/askedLenses';
import { aligned, Lenses } from '../marks/lenses';
import { drawBoxes } from '../marks/boxes';
import { PulledMarks } from '../marks/closed';
import { Focus } from '../marks/focus';
import { followLinked, forgetLinked, provideLinkedEditingRange } from '../marks/linked';
import { listed, withListed } from '../marks/listed';
import { LineEnds } from '../marks/lineEnds';
import { NarrowLenses } from '../marks/narrowLenses';
import { OfferedCommands } from '../marks/offered';
import { keepOutlined, provideDocumentSymbols } from '../marks/outlines';
import {
  adjudicationsNotification,
  byHandNotification,
  checkedNotification,
  corpusChangedNotification,
  commandParams,
  serverCommand,
  guidelinesNotification,
  pairsRequest,
  statusNotification,
  variationsChangedNotification,
  worklistNotification,
  type ServerCommand,
} from '../protocol';
import { packedScheme } from '../packed/names';
import { keepCursorInView } from '../scrolling/cursorInView';
import { Scrolling } from '../scrolling/scrolling';
import { Openings } from './openings';
import { SaidByHand, type Speaker } from './saidByHand';
import { SetUp } from './setUp';
import { reportSettings } from '../settings';
import { asPlace, showDocument } from '../showDocument';
import type { ServerTrouble, StatusBar } from '../pairs/statusBar';
import { languageIds } from '../treebanks';
import { Doings, Overtaking, unlessOvertaken } from '../turns';
import { Aligning } from '../tables/aligning';
import { Panes } from '../tables/panes';
import { Virtual } from './virtual';
import { reportVisible } from './visible';

/** Milliseconds until it is said that a server which was started does not answer. */
const patience = 30_000;
/** Milliseconds for which one that is starting is waited for where another one is wanted. */
const grace = 5000;

/** What is run once something was taken from one file into the other; it does nothing. */
export const tookCommand = 'treelens.took';

export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private running: vscode.Disposable | undefined;
  /** Starts and stops follow each other: two at once would leave a server that nobody knows. */
  private readonly turns = new Overtaking();
  private readonly changed = new vscode.EventEmitter<void>();
  /** When the server comes or goes, and when what it says of the files may be another. */
  readonly onDidChange = this.changed.event;
  private readonly worklistChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeWorklist = this.worklistChanged.event;
  private readonly variationsChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeVariations = this.variationsChanged.event;
  /** When the cursor is elsewhere: what answers to it in each of the editors. */
  private readonly answered = new vscode.EventEmitter<Answered>();
  trouble: ServerTrouble = 'starting';
  readonly help: SetUp;
  private readonly corpus = new CorpusCheck(
    (outcome) => void offerProblems(outcome),
    (error) => error instanceof vscode.CancellationError,
  );
  private readonly pulledMarks = new PulledMarks();
  private readonly clearing = this.pulledMarks.clearClosed(() => this.corpus.isAnswered);
  private readonly comebacks = new Comebacks();
  private readonly bars = new Bars(
    (title, task) => {
      const location = vscode.ProgressLocation.Notification;
      return vscode.window.withProgress({ location, title, cancellable: true }, task);
    },
    (token) => {
      const { type } = WorkDoneProgressCancelNotification;
      if (this.client) unlessOvertaken(this.client.sendNotification(type, { token }));
    },
  );
  private readonly doubts = new Doubts(this);
  private readonly saidByHand = new SaidByHand();
  private readonly shut = endShut(
    () => this.saidByHand.pairs,
    ({ gold, system }) => {
      if (!this.isRunning()) return;
      unlessOvertaken(this.execute(serverCommand.unpair, { uri: gold, other: system }));
    },
  );
  private readonly lenses = new Lenses();
  private readonly askedLenses = new AskedLenses();
  private readonly narrowLenses = new NarrowLenses();
  private readonly offered = new OfferedCommands();
  /** What the server has asked for: places that are shown, edits. */
  readonly asked = new Doings();
  private readonly shown = new Doings();
  private readonly focus = new Focus();
  private readonly panes = new Panes();
  private readonly aligning = new Aligning(this.answered.event, this.panes.onDidResize);
  private readonly lineEnds = new LineEnds(this.focus, this.aligning, this.panes.onDidResize);
  private readonly virtual = new Virtual(async (document) => {
    const { client } = this;
    // (One that is starting has not heard of it.)
    if (client?.isRunning() !== true) return;
    const { type } = DidCloseTextDocumentNotification;
    await client.sendNotification(type, client.code2ProtocolConverter.asCloseTextDocumentParams(document));
  });

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly log: vscode.LogOutputChannel,
    private readonly status: StatusBar,
  ) {
    this.help = new SetUp(context, log, () => this.restart());
    status.asks((uri) => this.ask(pairsRequest, { uri }));
  }

  dispose(): void {
    void this.stop();
    this.lineEnds.dispose();
    this.offered.dispose();
    this.aligning.dispose();
    this.panes.dispose();
    this.focus.dispose();
    this.virtual.dispose();
    this.clearing.dispose();
    this.shut.dispose();
    this.changed.dispose();
    this.worklistChanged.dispose();
    this.variationsChanged.dispose();
    this.answered.dispose();
  }

  /** When the server is there, or is not to be had. */
  async started(): Promise<void> {
    // (One that is to be started anew is stopped first.)
    await this.turns.done();
    while (this.trouble === 'starting') {
      await new Promise<void>((resolve) => {
        const subscription = this.onDidChange(() => {
          subscription.dispose();
          resolve();
        });
      });
    }
  }

  /** Starts the server, or starts it anew. */
  restart(): Promise<void> {
    return this.inTurn(async (isWanted) => {
      await this.shutDown();
      await this.start(isWanted);
    });
  }

  stop(): Promise<void> {
    return this.inTurn(() => this.shutDown());
  }

  /** Makes the environment of our own, then starts the server in it. */
  setUp(): Promise<void> {
    return this.help.run();
  }

  /** Whether there is a server; if not, it is said why, and what to do. */
  async isThere(): Promise<boolean> {
    await this.turns.done();
    // (One may have been installed by now; whoever looks says what is missing.)
    if (this.trouble === 'no server') await this.restart();
    else if (!this.isRunning()) await this.help.offerRestart();
    return this.isRunning();
  }

  async execute(command: ServerCommand, argument: object): Promise<void> {
    if (!(await this.isThere())) return;
    const { type } = ExecuteCommandRequest;
    await this.client?.sendRequest(type, commandParams(command, argument));
  }

  /** Has the server know a document that is no file, before its tab is there. */
  want(uri: vscode.Uri): Promise<void> {
    return this.virtual.want(uri);
  }

  /** All pairs of the folder, also those that are not open; Problems lists what is found. */
  async checkCorpus(): Promise<void> {
    if (await this.isThere()) this.corpus.ask();
  }

  /** Undefined where there is no answer: no server, or the request was overtaken. */
  async ask<P, R>(
    type: RequestType<P, R, void>,
    params: P,
    token?: vscode.CancellationToken,
  ): Promise<R | undefined> {
    const { client } = this;
    if (client?.state !== State.Running) return undefined;
    try {
      // An undefined token would be sent, as a second parameter.
      return await client.sendRequest<R>(type.method, params, ...(token ? [token] : []));
    } catch (error) {
      if (token?.isCancellationRequested !== true) {
        this.log.error(`${type.method}: ${messageOf(error)}`);
      }
      return undefined;
    }
  }

  async asWorkspaceEdit(edit: WorkspaceEdit): Promise<vscode.WorkspaceEdit | undefined> {
    return this.client?.protocol2CodeConverter.asWorkspaceEdit(edit);
  }

  asUri(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  private setTrouble(trouble: ServerTrouble): void {
    this.trouble = trouble;
    if (trouble !== undefined) this.bars.endAll();
    this.status.setTrouble(trouble);
    void vscode.commands.executeCommand('setContext', 'treelens.running', trouble === undefined);
    this.changed.fire();
  }

  private isRunning(): boolean {
    return this.client?.state === State.Running;
  }

  private inTurn(action: (isWanted: () => boolean) => Promise<void>): Promise<void> {
    this.hurry();
    return this.turns.take(async (isWanted) => {
      try {
        await action(isWanted);
      } catch (error) {
        this.log.error(error instanceof Error ? error : String(error));
        this.setTrouble('stopped');
      }
    });
  }

  /** A program that is no server, or one that hangs, would have all others wait for ever. */
  private hurry(): void {
    const { client } = this;
    if (client?.state !== State.Starting) return;
    setTimeout(() => {
      if (client.state === State.Starting) client.serverProcess?.kill('SIGKILL');
    }, grace);
  }

  /** Of what a server that ends was told, or has said, nothing goes on. */
  private quit(): void {
    this.running?.dispose();
    this.running = undefined;
    this.lineEnds.forget();
  }

  private async shutDown(): Promise<void> {
    this.quit();
    const client = this.client;
    this.client = undefined;
    try {
      await client?.dispose();
    } catch (error) {
      // One that never came up, or does not answer, must not stand in the way of the next.
      this.log.warn(`The server did not stop in order: ${messageOf(error)}`);
    }
  }

  /** What ended by itself is started by us, as whoever starts it does: the language client would
   * have it not know what is in view and what is set, and the tree panel not that it is there. */
  private async comeBack(): Promise<void> {
    if (!this.comebacks.next()) {
      await this.help.offerRestart();
      return;
    }
    await this.restart();
    // (Where it does not start any more, the status bar says so.)
    if (!this.isRunning()) return;
    await this.help.complain(
      vscode.l10n.t('The Treelens server ended by itself, and was started again.'),
    );
  }

  private async start(isWanted: () => boolean): Promise<void> {
    this.setTrouble('starting');
    const found = await this.find();
    // (One that is wanted no more, and may hang, is not begun.)
    if (!isWanted()) return;
    if (found === undefined) {
      this.setTrouble('no server');
      return;
    }
    this.log.info(`Starting the server from ${found.origin}`);
    // (Of this client alone: an opening that one before it did not get through holds up nothing.)
    const openings = new Openings();
    const options = this.options(openings);
    const client = new LanguageClient('treelens', 'Treelens', found.executable, options);
    this.client = client;
    const byHand: Speaker = {
      heard: (hear) => client.onNotification(byHandNotification, hear),
      tell: (said) => client.sendNotification(byHandNotification, said),
    };
    this.saidByHand.follow(byHand);
    const scrolling = new Scrolling(client);
    client.onNotification(corpusChangedNotification, () => this.corpus.want());
    client.onNotification(checkedNotification, ({ message }) => {
      this.corpus.tell({ found: message });
    });
    client.onNotification(guidelinesNotification, ({ files }) => {
      this.status.updateGuidelines(files);
    });
    client.onNotification(adjudicationsNotification, ({ adjudications }) => {
      this.status.updateAdjudications(adjudications);
      scrolling.forget();
      this.changed.fire();
    });
    client.onNotification(statusNotification, (status) => {
      this.status.update(status);
      this.doubts.update(status.pairs);
      scrolling.forget();
      this.changed.fire();
    });
    client.onNotification(worklistNotification, () => this.worklistChanged.fire());
    client.onNotification(variationsChangedNotification, () => this.variationsChanged.fire());
    client.onDidChangeState(({ newState }) => {
      if (newState !== State.Stopped || this.client !== client) return;
      this.quit();
      this.setTrouble('stopped');
      void this.comeBack();
    });
    const unanswered = setTimeout(() => void this.help.offerOther(), patience);
    try {
      await client.start();
    } finally {
      clearTimeout(unanswered);
    }
    // (Before anything is asked of it.)
    unlessOvertaken(this.saidByHand.tell(byHand, openings.areThrough()));
    this.setTrouble(undefined);
    this.variationsChanged.fire();
    this.running = vscode.Disposable.from(
      reportVisible(client),
      reportSettings(client),
      lightUpAnswering(client, this.answered),
      this.focus.follow(client),
      this.askedLenses.follow(client, this.onDidChange),
      this.narrowLenses.follow(
        (document) => this.askedLenses.again(document),
        this.panes.onDidResize,
      ),
      drawBoxes(),
      keepCursorInView(),
      keepOutlined(),
      followLinked(client),
      scrolling,
    );
  }

  private async find(): Promise<Awaited<ReturnType<typeof findServer>>> {
    try {
      const found = await findServer(this.context, this.log);
      // Not awaited: whoever reads a message must not hold up the next start.
      if (found === undefined) void this.help.offer();
      return found;
    } catch (error) {
      if (!(error instanceof ServerSettingError)) throw error;
      this.log.error(error);
      void this.help.complain(error.message, 'openSettings');
      return undefined;
    }
  }

  private options(openings: Openings): LanguageClientOptions {
    return {
      documentSelector: [
        ...languageIds.flatMap((language) => [
          { scheme: 'file', language },
          { scheme: 'untitled', language },
          { scheme: 'git', language },
          { scheme: packedScheme, language },
        ]),
        // What was said of sentences, where the treebank has no room for it.
        { scheme: 'file', pattern: '**/*.review' },
        // What may be annotated in more than one way.
        { scheme: 'file', pattern: '**/treelens.consistent' },
      ],
      // What is pulled has the name `treelens`; nothing is pushed to us, but a name is taken for it.
      diagnosticCollectionName: 'treelens.pushed',
      diagnosticCollectionProvider: this.pulledMarks,
      outputChannel: this.log,
      traceOutputChannel: this.log,
      // A failed request is for the log; a panel that opens by itself takes the editor's room.
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      diagnosticPullOptions: { onChange: true, onTabs: true },
      // (What failed is said of the start: once.)
      initializationFailedHandler: () => false,
      errorHandler: {
        error: (_error, _message, count = 0) => ({
          action: count > 3 ? ErrorAction.Shutdown : ErrorAction.Continue,
        }),
        closed: () => ({ action: CloseAction.DoNotRestart, handled: true }),
      },
      middleware: {
        sendRequest: async (type, param, token, next) => {
          await openings.areThrough();
          return next(type, param, token);
        },
        provideCodeLenses: async (document, token, next) => {
          const lenses = await this.askedLenses.ask(document, token, () =>
            next(document, token),
          );
          const blank = ({ range }: vscode.CodeLens, title: string): vscode.CodeLens =>
            new vscode.CodeLens(range, { title, command: '' });
          if (!lenses) return lenses;
          const tops = vscode.window.visibleTextEditors
            .filter((editor) => editor.document === document)
            .flatMap(({ visibleRanges: [first] }) => first?.start.line ?? []);
          const shown = this.lenses.shown(document, lenses, tops);
          const all = aligned(shown, serverCommand.nextMismatch, blank);
          return this.narrowLenses.fit(document, all, token);
        },
        resolveCodeLens: async (lens, token, next) => {
          const resolved = await next(lens, token);
          return resolved && this.narrowLenses.resolved(resolved, lens);
        },
        provideDocumentSymbols,
        provideLinkedEditingRange,
        provideRenameEdits: async (document, position, name, token, next) => {
          const edits = await next(document, position, name, token);
          forgetLinked();
          return edits;
        },
        provideCodeActions: async (document, range, about, token, next) => {
          const actions = await next(document, range, about, token);
          // (The walkthrough has no other way to know that something was taken; where VS Code asks
          // anew while the menu stands open, it would not hear of a command that comes with the edit.)
          for (const action of actions ?? []) {
            if (action instanceof vscode.CodeAction && /^(Take|Accept) /u.test(action.title)) {
              action.command ??= { command: tookCommand, title: '' };
            }
          }
          return actions && this.offered.named(actions);
        },
        resolveCodeAction: async (action, token, next) => {
          const resolved = await next(action, token);
          forgetLinked();
          return resolved;
        },
        didOpen: (document, next) => openings.of(this.virtual.open(document, next)),
        didChange: (event, next) => this.virtual.change(event.document, () => next(event)),
        didClose: (document, next) => this.virtual.close(document, next),
        provideInlayHints: async (document, range, token, next) => {
          const { version } = document;
          // (VS Code asks up to the beginning of the last line.)
          const { start, end } = range;
          const lines = document.validateRange(
            new vscode.Range(start.line, 0, end.line, Number.MAX_SAFE_INTEGER),
          );
          const hints = await next(document, lines, token);
          if (hints && document.version === version) this.lineEnds.show(document, lines, hints);
          return [];
        },
        provideDiagnostics: async (document, previous, token, next) =>
          this.focus.shown(document, withListed(await next(document, previous, token))),
        handleDiagnostics: (uri, marks, next) => next(uri, marks.map(listed)),
        provideWorkspaceDiagnostics: (ids, token, report, next) =>
          this.corpus.provide(ids, token, report, next),
        handleWorkDoneProgress: (token, params, next) => {
          this.bars.handle(token, params);
          next(token, params);
        },
        workspace: {
          didChangeWatchedFile: async (event, next) => {
            await next(event);
            if (event.type === FileChangeType.Deleted) await this.virtual.look();
          },
          // A place that is to be shown first is one in the text before the edit.
          handleApplyEdit: (params, next) =>
            this.asked.noted(
              this.shown
                .done()
                .then(() => this.asWorkspaceEdit(params.edit))
                .then((edit) =>
                  makeAndSave(edit, async () => {
                    forgetLinked();
                    return next(params, CancellationToken.None);
                  }),
                ),
            ),
        },
        window: {
          showDocument: async (params, token, next) => {
            if (params.external === true || this.client === undefined) return next(params, token);
            const place = asPlace(params, this.client.protocol2CodeConverter);
            await this.asked.noted(this.shown.noted(showDocument(place)));
            return { success: true };
          },
        },
      },
    };
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
