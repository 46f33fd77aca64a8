import type { z } from 'zod';
import { closestMatch } from '../../../domain/closest-match';
import type { Policy } from '../../../domain/scoring/policy';
import { keyIssues } from './key-issues';
import { PolicyError } from './policy-error';
import { policySchema } from './policy-schema';

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
    return `${place}: there is no such setting${near === undefined ? '; leave it out' : `; near: ${near}`}`;
  });
}

/** -0 does not survive JSON, and a policy travels as JSON. */
const withoutMinusZero = (_: string, value: unknown): unknown => (value === 0 ? 0 : value);

/**
 * Reads a policy from the text of a file, as plain JSON. Throws PolicyError with every fault of the file: `name` (the
 * name of the file), the path into it and how to fix it.
 */
export function parsePolicy(text: string, name: string): Policy {
  const refuse = (faults: string[]): never => {
    throw new PolicyError(faults.map((fault) => `${name}: ${fault}`));
  };
  let given: unknown;
  try {
    given = JSON.parse(text, withoutMinusZero);
  } catch (error) {
    return refuse([`is not JSON: ${(error as Error).message}`]);
  }
  const { data, error } = policySchema.safeParse(given);
  const faults = [...keyIssues(text), ...(error?.issues ?? []).flatMap(issuesOf)];
  // The schema lets only rule ids and numbers through.
  return data && faults.length === 0 ? (data as Policy) : refuse(faults);
}
