// What the panel's page and the extension say to each other.
import type { Choice, Operation, Picture } from './picture';

export type Format = 'svg' | 'png' | 'tex';
/** What the page makes of what it shows; LaTeX is the server's. */
export type PageFormat = Exclude<Format, 'tex'>;
export type Target = 'clipboard' | 'file';

/** Why there is no picture, and what to do about it. */
export type Emptiness = 'no file' | 'no sentence' | 'starting' | 'no server' | 'stopped';
/** Commands of the extension that end that: all that the page may have run. */
const cures = ['setUpServer', 'restartServer'] as const;
export type Cure = (typeof cures)[number];

/** What a page sends is of any shape, whatever its type says. */
export function isCure(sent: unknown): sent is Cure {
  return cures.some((cure) => cure === sent);
}

export type ToPage =
  | {
      type: 'show';
      uri: string;
      line: number;
      picture: Picture;
      /** By node: the label, tag or relation as it is written. */
      given: Record<string, string>;
      choice: Choice;
      /** The current node stays so, if it is still there. */
      keep: boolean;
      /** The last of the page's own choices that was known when this was asked for: a later one
       * stays, too. */
      heard: number;
      /** Of copies. */
      colours: 'print' | 'theme';
    }
  /** The cursor is at another node of the same picture; a choice later than `heard` stays. */
  | { type: 'light'; id: string; heard: number }
  | { type: 'empty'; why: Emptiness }
  | { type: 'say'; text: string }
  | { type: 'actions'; id: string; titles: string[] }
  | { type: 'labels'; id: string; labels: string[] }
  /** The panel is gone into. */
  | { type: 'focus' }
  /** The picture in a format is wanted; the page answers with `exported`. */
  | { type: 'export'; format: PageFormat; target: Target };

export type FromPage =
  | { type: 'ready' }
  | { type: 'choose'; choice: Choice }
  /** A node was chosen: the cursor follows; with `focus`, into the text. Choices are numbered. */
  | { type: 'select'; id: string; focus: boolean; number: number }
  | { type: 'edit'; id: string; operation: Operation; argument?: string; target?: string }
  | { type: 'actions'; id: string }
  | { type: 'act'; id: string; title: string }
  | { type: 'labels'; id: string }
  /** `content` is text, or of a PNG base64; undefined: it is on the clipboard already. */
  | { type: 'exported'; format: PageFormat; target: Target; content?: string }
  | { type: 'copyLatex' }
  | { type: 'saveAs' }
  | { type: 'typing'; on: boolean }
  | { type: 'cure'; cure: unknown }
  | { type: 'trouble'; text: string };

/** What the page remembers for when VS Code shows it again. */
export interface Remembered {
  uri?: string;
  line?: number;
  choice?: Choice;
  legend?: boolean;
}
