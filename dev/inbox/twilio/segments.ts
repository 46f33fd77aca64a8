/** The GSM 7-bit alphabet and its extension, whose characters count as two. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('^{}\\[~]|€\f');

/** The number of SMS of a text: 160 or 153 characters each, or 70 or 67 with other characters than GSM. */
export function countSegments(text: string): number {
  let places = 0;
  for (const character of text) {
    if (basic.has(character)) places += 1;
    else if (extended.has(character)) places += 2;
    else return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  }
  return places <= 160 ? 1 : Math.ceil(places / 153);
}
