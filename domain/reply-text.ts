/** The maximum length of a reply, in characters. A longer reply matches nothing, so it is not added to the status log. */
export const replyLengthMax = 160;

/** A text of a person as replies are compared: in lower case, without accents and punctuation, with single spaces. */
export function normalizeReply(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
