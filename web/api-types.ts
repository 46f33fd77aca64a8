// The only file of web/ that knows where the types of the API come from. The build generates them from the OpenAPI document.
export type { components } from './generated/openapi';
