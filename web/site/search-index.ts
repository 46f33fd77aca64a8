/** A part of a page that the search finds. */
export interface SearchEntry {
  url: string;
  /** The title of the page. */
  page: string;
  heading: string;
  text: string;
}

/** The maximum number of characters of a text. More text would make the index larger, and would mostly repeat words of the same section. */
const textMax = 600;

/** Shortens a text at the end of a word. */
export const shorten = (text: string) =>
  text.length <= textMax ? text.trim() : text.slice(0, text.lastIndexOf(' ', textMax)).trim();
