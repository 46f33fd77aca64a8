/** A name or value as it stands in a message: in backticks, so that a reader sees where it starts and ends. */
export const quote = (text: string): string => `\`${text}\``;

/** Quoted names as a list. */
export const quoteAll = (names: readonly string[]): string => names.map(quote).join(', ');
