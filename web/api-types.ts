// All other files of web/ import the types of the API from here.
export type { components, paths } from '../client/generated/openapi.ts';
<<<<<<< HEAD
// What the API gives to two kinds of pages: those that it renders as complete HTML, and those that a script renders in the browser.
=======
// The data that the API passes to each page of web/.
>>>>>>> 9efa1f19 (Clarify comments in the web pages and the client)
export type * from '../api/pages/rendered-pages.ts';
