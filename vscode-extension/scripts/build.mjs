// Bundles the extension into one file and compiles the tests beside it.
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

if (!production) {
  rmSync('out', { recursive: true, force: true });
  await build({
    ...node,
    entryPoints: ['unit', 'host', 'e2e'].flatMap((layer) =>
      readdirSync(`test/${layer}`).map((file) => `test/${layer}/${file}`),
    ),
    outbase: 'test',
    outdir: 'out',
    // Test libraries find their own files by path; only our code is bundled.
    packages: 'external',
  });
}
