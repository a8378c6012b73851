// Every command that users see: there is one behind each name, it can be told from the others, and
// no key means two things.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import manifest from '../../package.json';
import nls from '../../package.nls.json';

const { commands, keybindings, menus } = manifest.contributes;

const sources = path.join(__dirname, '..', '..', 'src');
const code = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(sources, file), 'utf8'))
  .join('\n');

const written = (text: string): string =>
  (nls as Record<string, string>)[text.replace(/^%|%$/g, '')] ?? text;

/** VS Code's own, for text editors, of those that anybody might take for a new command. */
const taken = new Set(
  `ctrl+alt+up ctrl+alt+down ctrl+alt+left ctrl+alt+right ctrl+alt+z ctrl+alt+c
   ctrl+alt+delete ctrl+alt+r ctrl+alt+n ctrl+alt+i ctrl+alt+j ctrl+alt+- ctrl+.
   ctrl+, ctrl+/ ctrl+g ctrl+a ctrl+shift+. ctrl+shift+, ctrl+shift+p ctrl+shift+i f2 f8 shift+f8
   alt+f8 f12 shift+f12 ctrl+f12 ctrl+k ctrl+shift+m ctrl+shift+g ctrl+shift+x ctrl+shift+t
   alt+up alt+down alt+left alt+right alt+z ctrl+d ctrl+u ctrl+l`.split(/\s+/),
);

/** What is run by a click on something else, and stands in no menu. */
const hidden = new Set(
  menus.commandPalette.filter(({ when }) => when === 'false').map(({ command }) => command),
);
for (const [menu, entries] of Object.entries(menus)) {
  if (menu === 'commandPalette') continue;
  for (const entry of entries) if ('command' in entry) hidden.delete(entry.command);
}

describe('every command', () => {
  for (const { command, title, category, ...rest } of commands) {
    it(`${command} is registered, and has a title, a category and an icon`, () => {
      const own = command.replace(/^treelens\./, '');
      assert.ok(code.includes(`'${own}'`) || code.includes(`'${command}'`), 'is in the code');
      assert.equal(category, 'Treelens');
      assert.match(written(title), /^[A-Z][^.]*$/);
      for (const word of written(title).replaceAll('…', '').split(' ')) {
        const small = [
          'a',
          'as',
          'at',
          'for',
          'in',
          'into',
          'of',
          'on',
          'or',
          'the',
          'this',
          'with',
        ];
        assert.ok(/^[^a-z]/.test(word) || [...small, 'and', 'by', 'to'].includes(word), word);
      }
      if (hidden.has(command)) return;
      assert.ok('icon' in rest, 'has an icon');
      assert.match(JSON.stringify(rest.icon), /^"\$\([a-z0-9-]+\)"$|images/);
    });
  }

  it('has a title of its own', () => {
    const titles = commands.map(({ title }) => written(title));
    assert.deepEqual(
      titles.filter((title, at) => titles.indexOf(title) !== at),
      [],
    );
  });
});

describe('menus and keys', () => {
  const known = new Set<string>(commands.map(({ command }) => command));

  it('name commands that there are', () => {
    const named = [...Object.values(menus).flat(), ...keybindings].flatMap((entry) =>
      'command' in entry ? [entry.command] : [],
    );
    assert.deepEqual(
      named.filter((command) => command.startsWith('treelens.') && !known.has(command)),
      [],
    );
  });

  for (const system of ['key', 'mac'] as const) {
    it(`no ${system} means two things in the same place`, () => {
      const meanings = keybindings.map((binding) => {
        const key = 'mac' in binding && system === 'mac' ? binding.mac : binding.key;
        return `${key} when ${binding.when}`;
      });
      assert.deepEqual(
        meanings.filter((one, at) => meanings.indexOf(one) !== at),
        [],
      );
    });
  }

  it('no key in a text editor is one that VS Code gives a meaning', () => {
    const mine = keybindings.filter(({ when }) => when.includes('editorTextFocus'));
    assert.ok(mine.length > 0);
    assert.deepEqual(
      mine.filter(({ key }) => taken.has(key)).map(({ command, key }) => `${command}: ${key}`),
      [],
    );
  });
});

describe('texts for translators', () => {
  it('stand in package.nls.json, all of them: `npm run texts` moves them there', () => {
    const shown = [
      ...commands.map(({ title }) => title),
      ...manifest.contributes.walkthroughs.flatMap(({ steps }) =>
        steps.flatMap(({ title, description }) => [title, description]),
      ),
      ...Object.values(manifest.contributes.configuration.properties).map(
        ({ markdownDescription }) => markdownDescription,
      ),
    ];
    assert.deepEqual(
      shown.filter((text) => !/^%.*%$/.test(text)),
      [],
    );
    for (const text of shown) assert.ok(written(text) !== text, text);
  });

  it('all stay there when `npm run texts` is run again', () => {
    const extension = path.join(sources, '..');
    const copy = mkdtempSync(path.join(tmpdir(), 'treelens-texts-'));
    for (const name of ['package.json', 'package.nls.json', 'scripts/texts.mjs']) {
      cpSync(path.join(extension, name), path.join(copy, name));
    }
    execFileSync(process.execPath, [path.join(copy, 'scripts', 'texts.mjs')]);
    const after = readFileSync(path.join(copy, 'package.nls.json'), 'utf8');
    rmSync(copy, { recursive: true });
    assert.deepEqual(JSON.parse(after), nls);
  });
});
