/** Marks words for a terminal, or leaves them as they are. */
export type Colours = Record<'bold' | 'soft' | 'good' | 'bad', (text: string) => string>;

const codes = { bold: [1, 22], soft: [2, 22], good: [32, 39], bad: [31, 39] } as const;

export function makeColours(on: boolean): Colours {
  const mark = (code: keyof typeof codes) => (text: string) =>
    on ? `\u001B[${codes[code][0]}m${text}\u001B[${codes[code][1]}m` : text;
  return { bold: mark('bold'), soft: mark('soft'), good: mark('good'), bad: mark('bad') };
}
