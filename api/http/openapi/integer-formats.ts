import type { JsonObject } from './schema-of';

const int32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Whether a schema allows integers that do not fit into 32 bits. Without bounds, it does. */
const exceedsInt32 = ({ minimum, maximum = Infinity }: JsonObject & { minimum?: number; maximum?: number }) =>
  maximum > int32.max || (minimum ?? 0) < int32.min;

/**
 * Adds `format: int64` to every integer of an OpenAPI document that can exceed 32 bits. Generators of many languages read an integer
 * without a format as 32 bits.
 */
export function withIntegerFormats<Part>(part: Part): Part {
  if (Array.isArray(part)) return part.map(withIntegerFormats) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const { example, examples, ...schema } = part as JsonObject;
  return {
    ...Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, withIntegerFormats(value)])),
    ...(schema['type'] === 'integer' && exceedsInt32(schema) ? { format: 'int64' } : {}),
    ...(example === undefined ? {} : { example }),
    ...(examples === undefined ? {} : { examples }),
  } as Part;
}
