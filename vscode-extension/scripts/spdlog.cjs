// Stands in for VS Code's native log writer, which is not built here: without any, no output channel
// of any extension shows a line, and the console fills with complaints.
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical'];
const off = names.length;

class Logger {
  /**
   * @param {string} _type
   * @param {string} _name
   * @param {string} file
   */
  constructor(_type, _name, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.file = file;
    this.level = 2;
    this.plain = false;
  }

  /**
   * @param {number} level
   * @param {string} message
   */
  write(level, message) {
    if (level < this.level || this.level === off) return;
    const stamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
    // Output channels clear the format: what they are given is the whole text, line ends included.
    const text = this.plain ? message : `${stamp} [${names[level]}] ${message}\n`;
    // At once: asynchronous writes would change places.
    fs.appendFileSync(this.file, text);
  }

  trace(/** @type {string} */ message) {
    this.write(0, message);
  }

  debug(/** @type {string} */ message) {
    this.write(1, message);
  }

  info(/** @type {string} */ message) {
    this.write(2, message);
  }

  warn(/** @type {string} */ message) {
    this.write(3, message);
  }

  error(/** @type {string} */ message) {
    this.write(4, message);
  }

  critical(/** @type {string} */ message) {
    this.write(5, message);
  }

  getLevel() {
    return this.level;
  }

  setLevel(/** @type {number} */ level) {
    this.level = level;
  }

  clearFormatters() {
    this.plain = true;
  }

  setPattern() {
    this.plain = false;
  }

  flush() {
    // Every line is on the disk already.
  }

  drop() {
    this.level = off;
  }
}

/** @param {string} name @param {string} file */
const create = (name, file) => Promise.resolve(new Logger('', name, file));

// One by one: VS Code imports these by name, and Node finds no names in an object.
exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.shutdown = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
