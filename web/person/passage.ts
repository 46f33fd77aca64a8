export interface Passage {
  heading: string;
  text: string;
}
