/** The length of a text in UTF-8, in bytes. A payload has this size, and not the number of UTF-16 units that `length` counts. */
export function utf8Bytes(text: string): number {
  let bytes = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
  }
  return bytes;
}
