// What is in the package that users install, and what its manifest promises.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import manifest from '../../package.json';
import nls from '../../package.nls.json';

const extension = path.join(__dirname, '..', '..');
const vsix = path.join(extension, '..', 'dist', 'treelens.vsix');
const megabyte = 1 << 20;

/** Names of the files in a zip archive: its central directory stands at its end. */
function namesIn(archive: string): string[] {
  const data = readFileSync(archive);
  const end = data.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const names: string[] = [];
  let at = data.readUInt32LE(end + 16);
  for (let left = data.readUInt16LE(end + 10); left > 0; left--) {
    const [name, extra, comment] = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset));
    names.push(data.toString('utf8', at + 46, at + 46 + (name ?? 0)));
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return names;
}

/** All texts anywhere in the manifest that satisfy a test. */
function texts(value: unknown, fits: (text: string) => boolean): string[] {
  if (typeof value === 'string') return fits(value) ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((one) => texts(one, fits));
}

describe('the package', () => {
  let names: string[];

  before(function () {
    if (!existsSync(vsix)) this.skip(); // `make vsix` makes it
    names = namesIn(vsix);
  });

  it('is small', () => {
    assert.ok(statSync(vsix).size < 5 * megabyte);
  });

  it('has what it needs and nothing else', () => {
    const expected = [
      /^\[Content_Types\]\.xml$/,
      /^extension\.vsixmanifest$/,
      /^extension\/(package\.json|package\.nls\.json|readme\.md|changelog\.md|LICENSE\.txt)$/,
      /^extension\/dist\/(extension\.js|picture\.(js|css))$/,
      /^extension\/server\/treelens-[^/]*\.whl$/,
      /^extension\/(language-configuration|syntaxes)\/[^/]*\.json$/,
      /^extension\/images\/[^/]*\.(png|svg)$/,
      /^extension\/walkthrough\/[^/]*\.svg$/,
      /^extension\/examples\/garden\.(gold|system)\.mrg$/,
    ];
    assert.deepEqual(
      names.filter((name) => !expected.some((pattern) => pattern.test(name))),
      [],
    );
    for (const pattern of expected) {
      assert.ok(
        names.some((name) => pattern.test(name)),
        `something like ${pattern.source}`,
      );
    }
  });

  it('has every file that its manifest and its README name', () => {
    const readme = readFileSync(path.join(extension, 'README.md'), 'utf8');
    const inReadme = [...readme.matchAll(/!\[[^\]]*\]\(([^)]*)\)/g)].map(
      ([, image]) => image ?? '',
    );
    const inManifest = texts(manifest, (text) => /^[\w./-]+\.(svg|png|json|js|md)$/.test(text));
    const files = [...new Set([...inReadme, ...inManifest])];
    assert.ok(files.length > 10);
    for (const file of files)
      assert.ok(names.includes(`extension/${path.posix.normalize(file)}`), file);
  });
});

describe('the manifest', () => {
  it('says all that a marketplace shows', () => {
    const { icon, galleryBanner, categories, keywords, license } = manifest;
    assert.equal(nls.displayName, 'Treelens');
    assert.ok(nls.description.length > 20 && icon.endsWith('.png'));
    assert.match(galleryBanner.color, /^#[0-9a-f]{6}$/);
    assert.ok(categories.length > 0 && keywords.length > 4 && license === 'MIT');
  });

  it('describes every setting in Markdown, in an order, and every choice', () => {
    for (const [name, setting] of Object.entries(manifest.contributes.configuration.properties)) {
      assert.ok(name.startsWith('treelens.'), name);
      assert.ok('markdownDescription' in setting && setting.markdownDescription !== '', name);
      assert.ok('order' in setting && 'default' in setting && 'scope' in setting, name);
      if ('enum' in setting && 'enumDescriptions' in setting) {
        assert.equal(setting.enumDescriptions.length, setting.enum.length, name);
      }
    }
  });

  it('has nothing taken from tables as they are saved, where every blank counts', () => {
    const {
      '[conllu]': ud,
      '[conllx]': x,
      '[lattice]': rows,
    } = manifest.contributes.configurationDefaults;
    for (const settings of [ud, x, rows]) {
      assert.equal(settings['files.trimTrailingWhitespace'], false);
      assert.equal(settings['files.trimFinalNewlines'], false);
    }
  });

  it('lets every step of the walkthrough be done, and drawn', () => {
    const declared: string[] = manifest.contributes.commands.map(({ command }) => command);
    // (Lenses call the server's own, and actions one that says that they were done; others say what
    // was so already.)
    const sources = ['protocol.ts', path.join('server', 'server.ts'), 'walkthrough.ts'];
    const code = sources.map((one) => readFileSync(path.join(extension, 'src', one), 'utf8'));
    const commands = [...declared, ...(code.join('').match(/(?<=')treelens\.\w+(?=')/g) ?? [])];
    const [walkthrough, ...others] = manifest.contributes.walkthroughs;
    assert.ok(walkthrough !== undefined && others.length === 0);
    assert.ok(walkthrough.steps.length >= 5 && walkthrough.steps.length <= 8);
    for (const { id, media, completionEvents, ...step } of walkthrough.steps) {
      const description =
        (nls as Record<string, string>)[step.description.replaceAll('%', '')] ?? '';
      const named = [...description.matchAll(/\(command:(treelens\.[\w.]+)\)/g)].map(
        ([, one]) => one,
      );
      const awaited = completionEvents.flatMap(
        (event) => /^onCommand:(treelens\..*)/.exec(event)?.[1],
      );
      for (const one of [...named, ...awaited]) {
        assert.ok(one === undefined || commands.includes(one), `${id}: ${one ?? ''}`);
      }
      assert.ok(completionEvents.length > 0 && media.altText !== '', id);
      // VS Code drops styles from these drawings, and what has lost its colour is black.
      assert.doesNotMatch(readFileSync(path.join(extension, media.svg), 'utf8'), /style=/);
    }
  });
});
