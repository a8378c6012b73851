// Bundles the extension and the page of its panel, and compiles the tests beside them.
import { build } from 'esbuild';
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const production = process.argv.includes('--production');
process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));

/** @type {import('esbuild').BuildOptions} */
const node = {
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  logLevel: 'warning',
  sourcemap: !production,
};

await build({
  ...node,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  external: ['vscode'],
  minify: production,
});

// The page of the tree panel; the pictures' own style sheet lies with those who draw them.
await build({
  bundle: true,
  format: 'iife',
  target: 'es2022',
  logLevel: 'warning',
  sourcemap: production ? false : 'inline',
  minify: production,
  entryPoints: [
    { in: 'src/picture/webview/main.ts', out: 'picture' },
    { in: 'src/picture/webview/page.css', out: 'picture' },
  ],
  outdir: 'dist',
});

if (!production) {
  rmSync('out', { recursive: true, force: true });
  await build({
    ...node,
    entryPoints: [
      'test/workbench.ts',
      ...['unit', 'e2e'].flatMap((layer) =>
        readdirSync(`test/${layer}`).map((file) => `test/${layer}/${file}`),
      ),
    ],
    outbase: 'test',
    outdir: 'out',
    // Test libraries find their own files by path; only our code is bundled.
    packages: 'external',
    // All files of a run have the same one: it knows the browser that they share.
    external: ['../workbench'],
  });
}
