// The panel's page as it is loaded: everything else comes by messages.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

export function pageHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    // For copies as PNG.
    'img-src blob:',
  ].join('; ');
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${file('picture.css')}" />
    <title>Tree</title>
  </head>
  <body class="empty">
    <header id="toolbar" role="toolbar" aria-label="Picture"></header>
    <main id="stage" tabindex="0" role="tree" aria-label="Tree"><div id="sheet"></div></main>
    <section id="empty">
      <h2 id="empty-heading"></h2>
      <p id="empty-advice"></p>
      <button id="cure" class="primary" hidden></button>
    </section>
    <footer>
      <p id="said" role="status" aria-live="polite"></p>
      <ul id="legend" aria-label="Legend"></ul>
    </footer>
    <script nonce="${nonce}" src="${file('picture.js')}"></script>
  </body>
</html>`;
}
