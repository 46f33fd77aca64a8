/** A wrong value of the right length. */
export const reverseText = (text: string) => Array.from(text).toReversed().join('');
