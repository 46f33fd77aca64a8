import { z } from 'zod';
import { named } from '../openapi/named';

/** The body of a request to validate a code. `value`: the code that the person typed. */
export const valueBody = named(
  'Answer',
  z.strictObject(
    {
      value: z
        .string('must be a string, in quotes')
        .min(1, 'must not be empty')
        .max(64, 'must have at most 64 characters'),
    },
    'must be an object',
  ),
);

/** The body of a POST without data: empty, or {}. */
export const emptyBody = z.strictObject({}, 'must be an object');
