import type { z } from 'zod';

/**
 * What is wrong with one field of an input. A field that is missing reads `is required`, whatever its schema says of a wrong
 * value: zod has the same issue for both. Rules across fields (`custom`) keep their own text.
 */
export function issueText(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (found, part) => (found as Record<PropertyKey, unknown> | null | undefined)?.[part],
    input,
  );
  return value === undefined && issue.code !== 'custom' ? 'is required' : issue.message;
}
