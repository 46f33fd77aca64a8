import { z } from 'zod';
import { fieldErrors } from './body/fields';
import { timeCursorSchema } from './cursors';
import { Problem } from './problem';
import type { Parameter } from './route';

/** The maximum and the default of the query parameter `limit`: the number of items on a page of a list. */
export const pageLimit = { max: 100, default: 25 };

/** The error for a value that is not a whole number from `min` to `max`. */
export const outOfRangeText = (max: number, min = 1) => `must be a whole number from ${min} to ${max}`;

/** The query parameters of every list. */
export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of items',
    schema: { type: 'integer', minimum: 1, maximum: pageLimit.max, default: pageLimit.default },
  },
  { name: 'after', in: 'query', description: 'The value of `next` in the previous page', schema: { type: 'string' } },
];

const outOfRange = outOfRangeText(pageLimit.max);

/** The same as `pageParameters`, for a list whose request has a body. */
export const pageBody = {
  limit: z.int(outOfRange).min(1, outOfRange).max(pageLimit.max, outOfRange).default(pageLimit.default),
  after: timeCursorSchema.optional().meta({ description: 'The value of `next` in the previous page' }),
};

/** The query parameter of lists that can include deleted items. */
export const deletedParameter: Parameter = {
  name: 'deleted',
  in: 'query',
  description:
    'Include deleted items. A deleted item is listed while one of its runs continues, and for seven days after its last run started',
  schema: { type: 'boolean', default: false },
};

/** A whole number in a query. `min` is 1 by default. `fallback`: the value if the query does not have it. */
export const queryInteger = ({ min = 1, max, fallback }: { min?: number; max: number; fallback: number }) =>
  z
    .string()
    .default(String(fallback))
    .transform((text) => (/^\d+$/.test(text) ? Number(text) : NaN))
    .pipe(z.int(outOfRangeText(max, min)).min(min, outOfRangeText(max, min)).max(max, outOfRangeText(max, min)));

/** The value of `deleted` in a query: whether to include deleted items. */
export const queryDeleted = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((text) => text === 'true');

/** The values of every query of a list. `after`: the schema of the position after which the page begins. */
export const pageQuery = <After extends z.ZodType>(after: After) => ({
  limit: queryInteger({ max: pageLimit.max, fallback: pageLimit.default }),
  after: after.optional(),
});

/**
 * Reads the query of a URL. `shape`: the schemas of the allowed names. Throws unknown_field if all errors are about unknown names, and
 * otherwise validation_failed, also for a repeated name. Both have all errors.
 */
export function parseQuery<Shape extends z.ZodRawShape>(url: string, shape: Shape): z.output<z.ZodObject<Shape>> {
  const query = new URL(url, 'http://localhost').searchParams;
  const unknownNames = [...query.keys()].filter((name) => !Object.hasOwn(shape, name));
  const repeatedNames = Object.keys(shape).filter((name) => query.getAll(name).length > 1);
  const values = Object.fromEntries([...query].filter(([name]) => Object.hasOwn(shape, name)));
  const parsed = z.object(shape).safeParse(values);
  if (parsed.success && unknownNames.length === 0 && repeatedNames.length === 0) return parsed.data;
  const { errors } = fieldErrors(parsed.error?.issues ?? [], values);
  for (const name of repeatedNames) errors[name] = ['must appear once'];
  const code = Object.keys(errors).length === 0 ? 'unknown_field' : 'validation_failed';
  for (const name of unknownNames) errors[name] = ['is unknown'];
  throw new Problem(code, { errors });
}
