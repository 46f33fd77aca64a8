import type { z } from 'zod';

/**
 * The text of an issue. For a missing field it is `is required`, because zod has the same issue for a missing and a wrong value.
 * Issues of rules across fields (`custom`) keep their text.
 */
export function issueText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (found, part) => (found as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
  return value === undefined && issue.code !== 'custom' ? 'is required' : issue.message;
}
