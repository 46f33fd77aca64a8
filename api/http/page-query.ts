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

/** The query parameter of lists that can include deleted items. */
export const deletedParameter: Parameter = {
  name: 'deleted',
  in: 'query',
  description:
    'Include deleted items. A deleted item is listed while one of its runs continues, and for seven days after its last run started',
  schema: { type: 'boolean', default: false },
};

/** Reads the query of a URL. Throws unknown_field for names that are not allowed, and validation_failed for a repeated name. */
export function parseQuery(url: string, allowedNames: readonly string[]): URLSearchParams {
  const query = new URL(url, 'http://localhost').searchParams;
  const unknownNames = [...query.keys()].filter((name) => !allowedNames.includes(name));
  if (unknownNames.length > 0)
    throw new Problem('unknown_field', {
      errors: Object.fromEntries(unknownNames.map((name) => [name, ['is unknown']])),
    });
  const repeatedNames = allowedNames.filter((name) => query.getAll(name).length > 1);
  if (repeatedNames.length > 0)
    throw new Problem('validation_failed', {
      errors: Object.fromEntries(repeatedNames.map((name) => [name, ['must appear once']])),
    });
  return query;
}

/** Reads `deleted` from a query: whether to include deleted items. Throws validation_failed. */
export function parseDeleted(query: URLSearchParams): { deleted: boolean } {
  const value = query.get('deleted') ?? 'false';
  if (value !== 'true' && value !== 'false')
    throw new Problem('validation_failed', { errors: { deleted: ['must be true or false'] } });
  return { deleted: value === 'true' };
}

/**
 * Reads a whole number from a query. `min` is 1 by default. `fallback`: the value if the query does not have this name. Throws
 * validation_failed.
 */
export function parseInteger(
  query: URLSearchParams,
  name: string,
  { min = 1, max, fallback }: { min?: number; max: number; fallback: number },
): number {
  const text = query.get(name);
  const value = text === null ? fallback : Number(text || NaN);
  if (Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Problem('validation_failed', { errors: { [name]: [outOfRangeText(max, min)] } });
}

/**
 * Reads the query of a list. Does not check the format of `after`. `additionalNames`: names of other query parameters of this list. Throws
 * validation_failed and unknown_field.
 */
export function parsePageQuery(
  url: string,
  additionalNames: readonly string[] = [],
): { limit: number; after?: string; query: URLSearchParams } {
  const query = parseQuery(url, ['limit', 'after', ...additionalNames]);
  const limit = parseInteger(query, 'limit', { max: pageLimit.max, fallback: pageLimit.default });
  const after = query.get('after');
  return { limit, query, ...(after === null ? {} : { after }) };
}
