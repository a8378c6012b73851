// The page of the panel: shows what the extension sends, and tells it what is done there. It holds
// no tree: where keys lead, and what a node is, came with the picture.
import type { FromPage, Remembered, ToPage } from '../messages';
import { Panel } from './panel';
import { addSignFont } from './signs';

declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): Remembered | undefined;
  setState(state: Remembered): void;
};

addSignFont();
const host = acquireVsCodeApi();
const panel = new Panel((message) => {
  host.postMessage(message);
}, host.getState()?.legend ?? true);
panel.onRemember = (remembered) => {
  host.setState(remembered);
};
window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  panel.hear(data);
});
host.postMessage({ type: 'ready' });
