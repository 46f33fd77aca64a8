/** The GSM 7-bit alphabet. A character of its extension takes two septets. */
const basicCharacters = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extendedCharacters = new Set('^{}\\[~]|€\f');

/**
 * The number of SMS of a text. One SMS has 160 septets, or 70 characters when some are not in the GSM alphabet. In a
 * text of several SMS, each has 153 septets or 67 characters.
 */
export function countSegments(text: string): number {
  let septets = 0;
  for (const character of text) {
    if (basicCharacters.has(character)) septets += 1;
    else if (extendedCharacters.has(character)) septets += 2;
    else return text.length <= 70 ? 1 : Math.ceil(text.length / 67);
  }
  return septets <= 160 ? 1 : Math.ceil(septets / 153);
}
