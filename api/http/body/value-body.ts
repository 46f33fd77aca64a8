import { z } from 'zod';
import { readTypedCode, typedCodeIssue } from '../../../domain/typed-code';
import { named } from '../openapi/named';

/** The body of a request to validate a code. `value`: the code that the person typed. A value that cannot be a code is rejected. */
const valueSchema = named(
  'Answer',
  z.strictObject(
    {
      value: z
        .string('must be a string, in quotes')
        .max(64, 'must have at most 64 characters')
        .transform((text, context) => {
          const code = readTypedCode(text);
          if (code === undefined) context.addIssue({ code: 'custom', message: typedCodeIssue });
          return code ?? '';
        })
        .describe('The code that the person typed or pasted. Spaces, dashes and invisible characters are removed.'),
    },
    'must be an object',
  ),
);

/** Settings of a route that validates a code. Direction marks and other invisible characters can come with a pasted code. */
export const valueBody = { body: () => valueSchema, bodyLimits: { anyCharacters: true } } as const;

/** The body of a POST without data: empty, or {}. */
export const emptyBody = z.strictObject({}, 'must be an object');
