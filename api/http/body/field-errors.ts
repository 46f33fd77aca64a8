import type { z } from 'zod';
import { issueText } from '../../../platform/field-issue';

/** Maximum number of errors in one problem. */
const errorsMax = 20;

/** Errors contain field names of the caller, cut to this length. All field names of the API are shorter. */
export const nameLengthMax = 100;

const unknownText = 'is not a field of this request';

/**
 * Returns the `errors` of a problem: messages by the path of the field. `onlyUnknownFields`: whether all errors are about unknown fields.
 */
export function fieldErrors(
  error: z.ZodError,
  input: unknown,
): { errors: Record<string, string[]>; onlyUnknownFields: boolean } {
  const messages = error.issues.flatMap((issue): [path: PropertyKey[], text: string][] => {
    if (issue.code !== 'unrecognized_keys') return [[issue.path, issueText(issue, input)]];
    return issue.keys.map((key) => [[...issue.path, key], unknownText]);
  });
  // Without a prototype, because a caller may send a name such as `toString`.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const [path, text] of messages.slice(0, errorsMax)) {
    const name = path.map((part) => String(part).slice(0, nameLengthMax)).join('.') || 'body';
    errors[name] = [...(errors[name] ?? []), text];
  }
  return { errors, onlyUnknownFields: messages.every(([, text]) => text === unknownText) };
}
