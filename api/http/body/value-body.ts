import { z } from 'zod';

/** The body of a validate request. Longer than any code by far, and short enough to digest at once. */
export const valueBody = z.strictObject(
  {
    value: z
      .string('must be a string, in quotes')
      .min(1, 'must not be empty')
      .max(64, 'must have at most 64 characters'),
  },
  'must be an object',
);

/** The body of a POST that says everything in its path: none, or {}. */
export const emptyBody = z.strictObject({}, 'must be an object');
