// Starts a real VS Code whose extension host loads this folder's extension and runs suite.ts there.
import assert from 'node:assert/strict';
import path from 'node:path';
import { reportMark } from './reportMark';
import { extensionRoot, root, Workbench } from '../workbench';

describe('inside the extension host', () => {
  it('passes its own suite', async () => {
    let finish: (code: number) => void = () => undefined;
    const finished = new Promise<number>((resolve) => {
      finish = resolve;
    });
    const workbench = await Workbench.open({
      files: path.join(root, 'examples'),
      vsix: false,
      // Without this flag VS Code ignores where the tests are, in silence.
      flags: ['--vscode-option', 'enable-smoke-test-driver'],
      query: ({ origin }) => {
        const at = (file: string): string =>
          `vscode-remote://${origin}${path.join(extensionRoot, file)}`;
        const payload = [
          ['extensionDevelopmentPath', at('.')],
          ['extensionTestsPath', at('out/host/suite.js')],
        ];
        return `&payload=${encodeURIComponent(JSON.stringify(payload))}`;
      },
      prepare: async (page) => {
        await page.exposeFunction('codeAutomationExit', finish);
        await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => {
          const text = args.map(String).join(' ');
          const start = text.indexOf(reportMark);
          if (start >= 0) console.log(`    ${text.slice(start + reportMark.length)}`);
        });
      },
    });
    try {
      assert.equal(await finished, 0, 'the suite above failed');
    } finally {
      await workbench.close();
    }
  });
});
