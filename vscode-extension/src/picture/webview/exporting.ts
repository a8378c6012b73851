// The picture elsewhere: as text, or as an image on the clipboard or for a file.
import type { PageFormat, Target } from '../messages';
import { bakedPng, bakedSvg } from './baking';
import type { Drawing } from './drawing';

interface Wanted {
  format: PageFormat;
  target: Target;
  colours: 'print' | 'theme';
}

/** Text, or of a PNG base64; undefined where it is on the clipboard already. */
export async function exported(drawing: Drawing, wanted: Wanted): Promise<string | undefined> {
  const { format, target, colours } = wanted;
  switch (format) {
    case 'svg':
      return bakedSvg(drawing, colours);
    case 'png': {
      const blob = bakedPng(drawing, colours);
      if (target === 'file') return base64(await blob);
      await focus();
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
      return undefined;
    }
  }
}

/** Only a page that has the focus may write to the clipboard; from the palette it is on its way. */
async function focus(): Promise<void> {
  if (document.hasFocus()) return;
  await new Promise((resolve) => {
    window.addEventListener('focus', resolve, { once: true });
    setTimeout(resolve, 10_000);
  });
}

function base64(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => {
      const url = typeof reader.result === 'string' ? reader.result : '';
      resolve(url.slice(url.indexOf(',') + 1));
    };
    reader.onerror = () => reject(new Error('the picture could not be read'));
    reader.readAsDataURL(blob);
  });
}
