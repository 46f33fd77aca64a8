/** Words between the parts of a name that are not names themselves. */
const particles = new Set([
  'da',
  'das',
  'de',
  'del',
  'della',
  'di',
  'do',
  'dos',
  'du',
  'e',
  'la',
  'las',
  'los',
  'van',
  'von',
  'y',
]);

/** The words of a person's name in order (see `wordsOf`), without particles such as "da". */
export function namesWithoutParticles(name: string): string[] {
  return wordsOf(name).filter((word) => !particles.has(word));
}

/** The words of a text in lower case, without accents, digits and punctuation. An apostrophe does not split a word: D'Ávila is davila. */
export function wordsOf(text: string): string[] {
  return text
    .normalize('NFD')
    .replace(/[\p{M}'’`´]/gu, '')
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter(Boolean);
}
