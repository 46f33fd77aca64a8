// The only file of web/ that knows where the types of the API come from.
export type { components, paths } from '../client/generated/openapi.ts';
// What the API gives to two kinds of pages: those that it renders as complete HTML, and those that a script renders in the browser.
export type * from '../api/pages/rendered-pages.ts';
