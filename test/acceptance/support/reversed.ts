/** The same characters the other way round: of the right length, and wrong. */
export const reversed = (text: string) => Array.from(text).toReversed().join('');
