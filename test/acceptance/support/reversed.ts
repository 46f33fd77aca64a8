/** The same characters in reverse order: the right length, but wrong. */
export const reversed = (text: string) => Array.from(text).toReversed().join('');
