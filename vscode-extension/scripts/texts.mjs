// Moves what users read in the manifest to package.nls.json, where translators find it; what is
// there already stays. `npm run texts`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(path.join(path.dirname(fileURLToPath(import.meta.url)), '..'));

const shown = new Set(
  'title description markdownDescription contextualTitle contents name altText displayName'.split(
    ' ',
  ),
);

/** @type {Record<string, string>} */
const texts = {};

/**
 * @param {string} file
 * @returns {Record<string, unknown>}
 */
function read(file) {
  // eslint-disable-next-line @typescript-eslint/no-unsafe-assignment
  const /** @type {Record<string, unknown>} */ value = JSON.parse(readFileSync(file, 'utf8'));
  return value;
}

const known = existsSync('package.nls.json') ? read('package.nls.json') : {};

/**
 * A value with its texts replaced by their names.
 * @param {unknown} value
 * @param {string} name
 * @param {boolean} isText
 * @returns {unknown}
 */
function named(value, name, isText = false) {
  if (typeof value === 'string') {
    if (!isText) return value;
    const before = /^%(.*)%$/.exec(value)?.[1];
    texts[before ?? name] = before === undefined ? value : String(known[before]);
    return `%${before ?? name}%`;
  }
  if (Array.isArray(value))
    return value.map((one, at) => named(one, `${name}.${nameOf(one, at)}`, isText));
  if (typeof value !== 'object' || value === null) return value;
  /** @type {[string, unknown][]} */
  const fields = Object.entries(value);
  /** @type {[string, unknown][]} */
  const entries = fields.map(([key, one]) => [
    key,
    named(one, `${name}.${key}`, shown.has(key) || key === 'enumDescriptions'),
  ]);
  /** @type {Record<string, unknown>} */
  const found = Object.fromEntries(entries);
  return found;
}

/**
 * What an element of a list is called: by what it names, else by its number.
 * @param {unknown} element
 * @param {number} at
 */
function nameOf(element, at) {
  if (typeof element !== 'object' || element === null) return `${at}`;
  /** @type {Map<string, unknown>} */
  const its = new Map(Object.entries(element));
  const [command, id, view, when] = ['command', 'id', 'view', 'when'].map((key) => its.get(key));
  const words = view === undefined ? [command ?? id ?? at] : [view, when];
  return words
    .map((word) => JSON.stringify(word ?? '').replaceAll(/[^\w.]+/g, '-'))
    .map((word) => word.replaceAll(/^-+|-+$/g, ''))
    .filter((word) => word !== '')
    .join('.');
}

const manifest = read('package.json');
const { contributes } = manifest;
const parts =
  'commands configuration customEditors walkthroughs views viewsContainers viewsWelcome colors';
/** @type {[string, unknown][]} */
const points = Object.entries(/** @type {object} */ (contributes));
/** @type {[string, unknown][]} */
const moved = points.map(([key, value]) => [
  key,
  parts.split(' ').includes(key) ? named(value, key) : value,
]);
/** @type {Record<string, unknown>} */
const inside = Object.fromEntries(moved);
const whole = {
  ...manifest,
  displayName: named(manifest.displayName, 'displayName', true),
  description: named(manifest.description, 'description', true),
  contributes: inside,
};
const sorted = Object.entries(texts).sort(([one], [other]) => (one < other ? -1 : 1));
writeFileSync('package.nls.json', `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
writeFileSync('package.json', `${JSON.stringify(whole, null, 2)}\n`);
