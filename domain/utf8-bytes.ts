/** The length of a text in UTF-8, in bytes. A payload has this size, and not the number of UTF-16 units that `length` counts. */
export const utf8Bytes = (text: string): number => new TextEncoder().encode(text).length;
