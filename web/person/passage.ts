/** A heading and the text below it. */
export interface Passage {
  heading: string;
  text: string;
}
