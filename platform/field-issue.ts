import type { z } from 'zod';

/**
 * The text of a zod issue. For a missing field, the text is `is required`, because zod itself does not tell missing and wrong values apart.
 * Issues of our own rules (`custom`) keep their text. `input`: the whole value that zod has checked.
 */
export function issueText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (parent, part) => (parent as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
  return value === undefined && issue.code !== 'custom' ? 'is required' : issue.message;
}
