import { readOpenApiDocument } from './install/openapi-document.mjs';
import { writeApiTypes } from './install/write-api-types.mjs';

// Before the types of web/ are checked, because a new clone does not have the generated ones.
await writeApiTypes(readOpenApiDocument());
