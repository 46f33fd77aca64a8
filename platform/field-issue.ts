import type { z } from 'zod';

/**
 * The text of a zod issue. For a missing field it is `is required`, because zod reports a missing value like a wrong one. Issues of
 * our own rules (`custom`) keep their text.
 */
export function issueText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (parent, part) => (parent as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
  return value === undefined && issue.code !== 'custom' ? 'is required' : issue.message;
}
