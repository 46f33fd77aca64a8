/** The GSM alphabet. Each character takes one septet (7 bits). A character of the extension takes two septets. */
const basicCharacters = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extendedCharacters = new Set('^{}\\[~]|€\f');

/**
 * The number of SMS that a text needs. One SMS has up to 160 septets. If a text needs several SMS, each has up to 153 septets. With a
 * character outside of the GSM alphabet, the limits are 70 and 67 characters.
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
