// The only file of web/ that knows where the types of the API come from.
export type { components, paths } from '../client/generated/openapi.ts';
// What the API gives to the pages that it renders, and to the shells of app pages.
export type * from '../api/pages/rendered-pages.ts';
