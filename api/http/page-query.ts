import { Problem } from './problem';
import type { Parameter } from './route';

const limitMax = 100;
const limitDefault = 25;

export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'Maximum number of items',
    schema: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault },
  },
  { name: 'after', in: 'query', description: '`next` of the previous page', schema: { type: 'string' } },
];

export const deletedParameter: Parameter = {
  name: 'deleted',
  in: 'query',
  description: 'Include deleted items while their runs continue or are counted',
  schema: { type: 'boolean', default: false },
};

/** The query of a URL. Throws unknown_field for unknown names, and validation_failed for a repeated one. */
export function queryOf(url: string, known: readonly string[]): URLSearchParams {
  const query = new URL(url, 'http://localhost').searchParams;
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Problem('unknown_field', { errors: Object.fromEntries(unknown.map((name) => [name, ['is unknown']])) });
  const repeated = known.filter((name) => query.getAll(name).length > 1);
  if (repeated.length > 0)
    throw new Problem('validation_failed', {
      errors: Object.fromEntries(repeated.map((name) => [name, ['must appear once']])),
    });
  return query;
}

/** Whether to include deleted items. Throws validation_failed. */
export function deletedOf(query: URLSearchParams): { deleted: boolean } {
  const given = query.get('deleted') ?? 'false';
  if (given !== 'true' && given !== 'false')
    throw new Problem('validation_failed', { errors: { deleted: ['must be true or false'] } });
  return { deleted: given === 'true' };
}

/** A whole number from 1 to `max` in a query. Throws validation_failed. */
export function integerOf(
  query: URLSearchParams,
  name: string,
  { max, fallback }: { max: number; fallback: number },
): number {
  const given = Number(query.get(name) ?? fallback);
  if (Number.isInteger(given) && given >= 1 && given <= max) return given;
  throw new Problem('validation_failed', { errors: { [name]: [`must be a whole number from 1 to ${max}`] } });
}

/**
 * The page in the query of a list; `after` is not checked here. `names`: further query parameters of this list. Throws
 * validation_failed and unknown_field.
 */
export function pageQueryOf(
  url: string,
  names: readonly string[] = [],
): { limit: number; after?: string; query: URLSearchParams } {
  const query = queryOf(url, ['limit', 'after', ...names]);
  const limit = integerOf(query, 'limit', { max: limitMax, fallback: limitDefault });
  const after = query.get('after');
  return { limit, query, ...(after === null ? {} : { after }) };
}

/** The problem of an `after` that no page returned. */
export const unknownCursor = (): Problem =>
  new Problem('validation_failed', { errors: { after: ['must be the `next` of an earlier page'] } });
