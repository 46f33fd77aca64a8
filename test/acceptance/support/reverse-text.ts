/** The characters in reverse order: a wrong value of the right length. */
export const reverseText = (text: string) => Array.from(text).toReversed().join('');
