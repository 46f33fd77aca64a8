import type { z } from 'zod';
import { issueText } from '../../../platform/field-issue';

/** Errors told at once; a body with more is not near enough to right for the rest to help. */
const errorsMax = 20;

/** Names come from the caller and are echoed; this is longer than any of ours. */
const nameLengthMax = 100;

const unknownText = 'is not a field of this request';

/** Path -> texts, for the `errors` of a problem, and whether nothing but unknown fields is wrong. */
export function fieldErrors(
  error: z.ZodError,
  input: unknown,
): { errors: Record<string, string[]>; onlyUnknown: boolean } {
  const found = error.issues.flatMap((issue): [path: PropertyKey[], text: string][] => {
    if (issue.code !== 'unrecognized_keys') return [[issue.path, issueText(issue, input)]];
    return issue.keys.map((key) => [[...issue.path, key], unknownText]);
  });
  // Names come from the caller: on a plain object, `toString` would be there already.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const [path, text] of found.slice(0, errorsMax)) {
    const name = path.map((part) => String(part).slice(0, nameLengthMax)).join('.') || 'body';
    errors[name] = [...(errors[name] ?? []), text];
  }
  return { errors, onlyUnknown: found.every(([, text]) => text === unknownText) };
}
