import type { z } from 'zod';
import { issueText } from '../../../platform/field-issue';
import { isSafeName } from './text-issues';

/** Maximum number of errors in one problem. */
const errorsMax = 20;

/** Errors contain field names of the caller, cut to this length. All field names of the API are shorter. */
export const nameLengthMax = 100;

const unknownText = 'is not a field of this request';

/** The path of an issue as it appears in `errors`. */
const nameOf = (path: readonly PropertyKey[]) =>
  path.map((part) => String(part).slice(0, nameLengthMax)).join('.') || 'body';

/**
 * Returns the `errors` of a problem: messages by the path of the field. `issues`: from the schema. `input`: the value that was checked.
 * `unsafeTexts`: issues of texts and names by path (`textIssues`), which replace the issues of the schema for the same path.
 * `onlyUnknownFields`: whether all errors are about unknown fields.
 */
export function fieldErrors(
  issues: readonly z.core.$ZodIssue[],
  input: unknown,
  unsafeTexts: Readonly<Record<string, string[]>> = {},
): { errors: Record<string, string[]>; onlyUnknownFields: boolean } {
  const messages = issues
    .flatMap((issue): [path: PropertyKey[], text: string][] => {
      if (issue.code !== 'unrecognized_keys') return [[issue.path, issueText(issue, input)]];
      return issue.keys.map((key) => [[...issue.path, key], unknownText]);
    })
    .filter(([path]) => path.every((part) => isSafeName(String(part))))
    .map(([path, text]): [name: string, text: string] => [nameOf(path), text])
    .filter(([name]) => !Object.hasOwn(unsafeTexts, name));
  const unsafe = Object.entries(unsafeTexts).flatMap(([name, texts]) =>
    texts.map((text): [string, string] => [name, text]),
  );
  // Without a prototype, because a caller may send a name such as `toString`.
  const errors = Object.create(null) as Record<string, string[]>;
  for (const [name, text] of [...unsafe, ...messages].slice(0, errorsMax))
    errors[name] = [...(errors[name] ?? []), text];
  return { errors, onlyUnknownFields: unsafe.length === 0 && messages.every(([, text]) => text === unknownText) };
}
