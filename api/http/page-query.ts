import { Problem } from './problem';
import type { Parameter } from './route';

/** More than a person looks through at once. */
const limitMax = 100;
const limitDefault = 25;

export const pageParameters: readonly Parameter[] = [
  {
    name: 'limit',
    in: 'query',
    description: 'How many at most',
    schema: { type: 'integer', minimum: 1, maximum: limitMax, default: limitDefault },
  },
  { name: 'after', in: 'query', description: '`next` of the previous answer', schema: { type: 'string' } },
];

export const deletedParameter: Parameter = {
  name: 'deleted',
  in: 'query',
  description: 'Include deleted ones while their runs continue or are counted',
  schema: { type: 'boolean', default: false },
};

/**
 * The query of an address. Throws unknown_field for names beyond those that are known, and validation_failed for one that is
 * given twice.
 */
export function queryOf(url: string, known: readonly string[]): URLSearchParams {
  const query = new URL(url, 'http://localhost').searchParams;
  const unknown = [...query.keys()].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Problem('unknown_field', { errors: Object.fromEntries(unknown.map((name) => [name, ['is not known']])) });
  const twice = known.filter((name) => query.getAll(name).length > 1);
  if (twice.length > 0)
    throw new Problem('validation_failed', {
      errors: Object.fromEntries(twice.map((name) => [name, ['must be given once']])),
    });
  return query;
}

/** Whether a query asks for what is deleted too. Throws validation_failed. */
export function deletedOf(query: URLSearchParams): { deleted: boolean } {
  const given = query.get('deleted') ?? 'false';
  if (given !== 'true' && given !== 'false')
    throw new Problem('validation_failed', { errors: { deleted: ['must be true or false'] } });
  return { deleted: given === 'true' };
}

/** A whole number from 1 to `most` in a query, `usual` where it says none. Throws validation_failed. */
export function integerOf(
  query: URLSearchParams,
  name: string,
  { most, usual }: { most: number; usual: number },
): number {
  const given = Number(query.get(name) ?? usual);
  if (Number.isInteger(given) && given >= 1 && given <= most) return given;
  throw new Problem('validation_failed', { errors: { [name]: [`must be a whole number from 1 to ${most}`] } });
}

/**
 * The page that the query of a list asks for: `after` is as it was given. `more`: names that the list knows beside those
 * of pages. Throws validation_failed and unknown_field.
 */
export function pageQueryOf(
  url: string,
  more: readonly string[] = [],
): { limit: number; after?: string; query: URLSearchParams } {
  const query = queryOf(url, ['limit', 'after', ...more]);
  const limit = integerOf(query, 'limit', { most: limitMax, usual: limitDefault });
  const after = query.get('after');
  return { limit, query, ...(after === null ? {} : { after }) };
}

/** The refusal of an `after` that no answer ever had. */
export const unknownCursor = (): Problem =>
  new Problem('validation_failed', { errors: { after: ['must be the `next` of an earlier answer'] } });
