import type { z } from 'zod';
import { issueText } from '../../../platform/field-issue';

const errorsMax = 20;

/** Names come from the caller and are returned. This is longer than any field name of the API. */
const nameLengthMax = 100;

const unknownText = 'is not a field of this request';

/** The `errors` of a problem: path -> messages. `onlyUnknown`: there are unknown fields and no other errors. */
export function fieldErrors(
  error: z.ZodError,
  input: unknown,
): { errors: Record<string, string[]>; onlyUnknown: boolean } {
  const found = error.issues.flatMap((issue): [path: PropertyKey[], text: string][] => {
    if (issue.code !== 'unrecognized_keys') return [[issue.path, issueText(issue, input)]];
    return issue.keys.map((key) => [[...issue.path, key], unknownText]);
  });
  // Names come from the caller: a plain object would already have `toString`.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const [path, text] of found.slice(0, errorsMax)) {
    const name = path.map((part) => String(part).slice(0, nameLengthMax)).join('.') || 'body';
    errors[name] = [...(errors[name] ?? []), text];
  }
  return { errors, onlyUnknown: found.every(([, text]) => text === unknownText) };
}
