import type { Passage } from '../../person/passage';

/** The texts of the page for an unknown path. The parts between backticks are code. */
export interface NotFoundTexts extends Passage {
  /** The operation of the API that the address probably means, such as `GET /v1/flows`. */
  operation: (operation: string) => string;
  /** The button to the page that the address probably means. */
  page: (path: string) => string;
  docs: string;
}
