// The only file of web/ that knows where the types of the API come from.
export type { components } from '../client/generated/openapi.ts';
