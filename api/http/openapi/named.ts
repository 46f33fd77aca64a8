import { z } from 'zod';

/**
 * Names a schema. In the OpenAPI document it becomes a component, and each place that uses the schema refers to this component.
 * `example`: a valid value. The document shows it where a body has this schema.
 */
export const named = <Schema extends z.ZodType>(id: string, schema: Schema, example?: z.input<Schema>): Schema =>
  schema.meta({ id, ...(example === undefined ? {} : { example }) });

/** The example of a schema, or of a list of them. Undefined if there is none. */
export function findExample(schema: z.ZodType): unknown {
  const example = schema.meta()?.['example'];
  if (example !== undefined || !(schema instanceof z.ZodArray)) return example;
  return [findExample(schema.element as z.ZodType)];
}

/** The example of a schema, to use it in other examples. Throws if there is none. */
export function exampleOf<Schema extends z.ZodType>(schema: Schema): z.input<Schema> {
  const example = findExample(schema);
  if (example === undefined) throw new Error('The schema has no example.');
  return example as z.input<Schema>;
}
