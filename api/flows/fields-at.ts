import { z } from 'zod';
import { flowSchema } from './flow-schema';

/** The fields that there are at a path of a flow, such as those of the kind of step that stands there; none where it ends. */
export function fieldsAt(path: readonly PropertyKey[], flow: unknown): readonly string[] {
  let schema: unknown = flowSchema;
  let value = flow;
  for (const key of path) {
    schema = innerOf(resolve(schema, value), key);
    value = typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[key] : undefined;
  }
  const found = resolve(schema, value);
  return found instanceof z.ZodObject ? Object.keys(found.shape) : [];
}

/** What a schema is for a value: of those by kind the one of its kind. */
function resolve(schema: unknown, value: unknown): unknown {
  if (schema instanceof z.ZodExactOptional) return resolve(schema.unwrap(), value);
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return schema;
  const { kind } = (value ?? {}) as { kind?: unknown };
  return schema.options.find(
    (option) => option instanceof z.ZodObject && z.safeParse(option.shape['kind'] as z.ZodType, kind).success,
  );
}

function innerOf(schema: unknown, key: PropertyKey): unknown {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)];
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}
