import { z } from 'zod';
import type { ResponseShape } from '../route';
import { findExample, type JsonObject, type SchemaOf } from './schema-of';

/**
 * The entry of a media type, with its example. The example is in the field `examples`. If it were in `example`, generators of types would
 * copy it into comments.
 */
export const mediaType = (schema: JsonObject, example: unknown): JsonObject => ({
  schema,
  ...(example === undefined ? {} : { examples: { example: { value: example } } }),
});

/**
 * The `content` of a response, by content type. `shape`: one schema for JSON, or a schema for each content type. A response with only a
 * description has no content.
 */
export function contentOf(shape: ResponseShape, schemaOf: SchemaOf): JsonObject {
  if (typeof shape === 'string') return {};
  const types = shape instanceof z.ZodType ? { 'application/json': shape } : shape;
  const content = Object.entries(types).map(([type, schema]) => [
    type,
    mediaType(schemaOf(schema, 'output'), findExample(schema)),
  ]);
  return { content: Object.fromEntries(content) as JsonObject };
}
