/** A part of a page that the search finds. */
export interface SearchEntry {
  url: string;
  /** The title of its page. */
  page: string;
  heading: string;
  text: string;
}

/** Longer texts would make the index larger, and add mostly words that the section has already. */
const textMax = 600;

/** Shortens a text to whole words. */
export const shorten = (text: string) =>
  text.length <= textMax ? text.trim() : text.slice(0, text.lastIndexOf(' ', textMax)).trim();
