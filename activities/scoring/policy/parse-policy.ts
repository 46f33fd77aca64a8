import type { z } from 'zod';
import { closestMatch } from '../../../domain/closest-match';
import type { Policy } from '../../../domain/scoring/policy';
import { keyIssues } from './key-issues';
import { policySchema } from './policy-schema';

/** Invalid scoring policies. Every issue names its file, its path in the file and how to fix it. */
export class PolicyError extends Error {
  override name = 'PolicyError';

  constructor(readonly issues: readonly string[]) {
    super(`The scoring policies are invalid. Fix these issues.\n  ${issues.join('\n  ')}`);
  }
}

const settings = {
  '': Object.keys(policySchema.shape),
  bureau: Object.keys(policySchema.shape.bureau.shape),
  thresholds: Object.keys(policySchema.shape.thresholds.shape),
};

function issuesOf(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [path === '' ? issue.message : `${path}: ${issue.message}`];
  return issue.keys.map((key) => {
    const near = closestMatch(key, settings[path as keyof typeof settings] ?? []);
    const place = [...issue.path, key].join('.');
    return `${place}: is not a setting; ${near === undefined ? 'remove it' : `did you mean ${near}?`}`;
  });
}

/** JSON has no -0, and a policy is stored as JSON. */
const withoutMinusZero = (_: string, value: unknown): unknown => (value === 0 ? 0 : value);

/**
 * Reads a policy from the text of a JSON file. Throws PolicyError with every issue of the file: its `name`, the path in it and how to
 * fix it.
 */
export function parsePolicy(text: string, name: string): Policy {
  const fail = (issues: string[]): never => {
    throw new PolicyError(issues.map((issue) => `${name}: ${issue}`));
  };
  let given: unknown;
  try {
    given = JSON.parse(text, withoutMinusZero);
  } catch (error) {
    return fail([`is not JSON: ${(error as Error).message}`]);
  }
  const { data, error } = policySchema.safeParse(given);
  const issues = [...keyIssues(text), ...(error?.issues ?? []).flatMap(issuesOf)];
  // Safe cast: the schema accepts only rule ids and numbers.
  return data && issues.length === 0 ? (data as Policy) : fail(issues);
}
