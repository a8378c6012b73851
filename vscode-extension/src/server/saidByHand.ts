// What was said by hand of what belongs together (pairs, files that are compared with nothing or are
// adjudicated, versions that files are held against), for a server that follows the one that was told.
// What of it holds a server knows, and says so whenever that is something else: here it is kept, and
// given back. Knows no editor, so that plain unit tests reach it.
import type { ByHand, PairArgument } from '../protocol';

export interface Speaker {
  /** Has it be heard what by now holds there. */
  heard(hear: (said: ByHand) => void): unknown;
  tell(said: ByHand): Promise<void>;
}

export class SaidByHand {
  private said: ByHand | undefined;
  private server: Speaker | undefined;
  /** What the server is still to be told. */
  private owed: ByHand | undefined;

  /** The pairs that hold. */
  get pairs(): readonly PairArgument[] {
    return this.said?.pairs ?? [];
  }

  /** From now on this one knows, once it has been told. */
  follow(server: Speaker): void {
    this.server = server;
    this.owed = this.said;
    server.heard((said) => {
      // (Before that it may say what has come to it meanwhile, which is not all. It says all then.)
      if (this.server === server && this.owed === undefined) this.said = said;
    });
  }

  /** Once documents are open there: of one that is not, nothing by hand would hold. */
  async tell(server: Speaker, areOpen: Promise<void>): Promise<void> {
    await areOpen;
    if (this.server !== server) return;
    const { owed } = this;
    this.owed = undefined;
    if (owed !== undefined) await server.tell(owed);
  }
}
