// All other files of web/ import the types of the API from here.
export type { components, paths } from '../client/generated/openapi.ts';
// The data that the API passes to each page of web/.
export type * from '../api/pages/rendered-pages.ts';
