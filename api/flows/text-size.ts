/** Widths of letters in parts of the type size, of DejaVu Sans: the widest of the fonts that a system may show. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[iljI|.,:;'!·]/, 0.32],
  [/[ ftr()[\]/"-]/, 0.4],
  [/[mwMW@%&—…]/, 0.95],
  [/[A-Z<>=+~]/, 0.74],
];

/** About how wide a text stands, in pixels, on the wide side. */
export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const letter of text) width += widths.find(([letters]) => letters.test(letter))?.[1] ?? 0.63;
  return width * size;
}

function cutWord(word: string, letters: number): string[] {
  const parts = Array.from(word).reduce<string[]>(
    (cut, letter, index) =>
      index % letters === 0 ? [...cut, letter] : [...cut.slice(0, -1), `${cut.at(-1)}${letter}`],
    [],
  );
  return parts.length > 0 ? parts : [''];
}

/** A text in lines of about so many letters; what comes after the last line is left out, and an ellipsis says so. */
export function wrapText(text: string, { letters, lines }: { letters: number; lines: number }): string[] {
  const words = text.split(/\s+/).flatMap((word) => cutWord(word, letters));
  const wrapped: string[] = [];
  for (const word of words) {
    const last = wrapped.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters) wrapped.splice(-1, 1, `${last} ${word}`);
    else wrapped.push(word);
  }
  if (wrapped.length <= lines) return wrapped;
  const kept = wrapped.slice(0, lines);
  return [...kept.slice(0, -1), `${kept.at(-1)?.slice(0, letters - 1)}…`];
}
