// A font for the sign ≠. Those that lack it get it in two parts, and one of them lands on the next
// letter.

const family = 'Treelens Signs';
const sources = ['Segoe UI Symbol', 'Apple Symbols', 'Noto Sans Math', 'DejaVu Sans'];
const source = sources.map((name) => `local('${name}')`).join(', ');
const unicodeRange = 'U+2260';

export function addSignFont(): void {
  document.fonts.add(new FontFace(family, source, { unicodeRange }));
}

/** For a picture that stands alone. */
export const signFontRule = `@font-face { font-family: '${family}'; src: ${source}; unicode-range: ${unicodeRange}; }`;
