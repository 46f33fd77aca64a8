import type { z } from 'zod';
import { closestMatch } from '../../domain/text';
import type { Policy } from '../../domain/scoring/policy';
import { ConfigurationError } from '../../platform/config';
import { policySchema } from './policy-schema';

/** Some scoring policies are invalid. Every issue names its file, its path in the file and how to fix it. */
export class PolicyError extends ConfigurationError {
  override name = 'PolicyError';

  constructor(readonly issues: readonly string[]) {
    super(`The scoring policies are invalid. Fix these issues.\n  ${issues.join('\n  ')}`);
  }
}

/** The names of the settings in each object of a policy, by the path of the object. `''`: the policy itself. */
const settingNames = {
  '': Object.keys(policySchema.shape),
  bureau: Object.keys(policySchema.shape.bureau.shape),
  thresholds: Object.keys(policySchema.shape.thresholds.shape),
};

/** Converts an issue of zod to texts for the operator. One issue of zod can name several unknown keys, and each gets its own text. */
function issuesOf(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.join('.');
  if (issue.code !== 'unrecognized_keys') return [path === '' ? issue.message : `${path}: ${issue.message}`];
  return issue.keys.map((key) => {
    const match = closestMatch(key, settingNames[path as keyof typeof settingNames] ?? []);
    const settingPath = [...issue.path, key].join('.');
    return `${settingPath}: is not a setting; ${match === undefined ? 'remove it' : `did you mean ${match}?`}`;
  });
}

/** Reads -0 as 0. Otherwise a policy would change when it is stored, because `JSON.stringify` writes -0 as 0. */
const withoutMinusZero = (_: string, value: unknown): unknown => (value === 0 ? 0 : value);

/**
 * Reads a policy from the text of a JSON file. Throws PolicyError with every issue of the file. Each issue begins with `fileName`, and says
 * how to fix it.
 */
export function parsePolicy(text: string, fileName: string): Policy {
  const fail = (issues: string[]): never => {
    throw new PolicyError(issues.map((issue) => `${fileName}: ${issue}`));
  };
  let json: unknown;
  try {
    json = JSON.parse(text, withoutMinusZero);
  } catch (error) {
    return fail([`is not JSON: ${(error as Error).message}`]);
  }
  const { data, error } = policySchema.safeParse(json);
  const issues = [...findDuplicateOrReservedKeys(text), ...(error?.issues ?? []).flatMap(issuesOf)];
  // Safe cast: the schema accepts only rule ids and numbers.
  return data && issues.length === 0 ? (data as Policy) : fail(issues);
}

/** The colon that follows a key. */
const separator = /\s*:/y;

/** A text in JSON, including its quotes. */
const stringToken = /"(?:[^"\\]|\\.)*"/y;

/** An object or a list in the JSON text. Its closing bracket is not read yet. */
interface OpenValue {
  keys: Set<string>;
  /** The key of the value that is being read. */
  key?: string;
}

/**
 * Finds mistakes in valid JSON that JSON.parse does not report. JSON.parse uses only the last value of a duplicate key, and loses
 * the key `__proto__`.
 */
export function findDuplicateOrReservedKeys(text: string): string[] {
  const openValues: OpenValue[] = [];
  const issues: string[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') openValues.push({ keys: new Set() });
    else if (character === '}' || character === ']') openValues.pop();
    if (character !== '"') continue;
    stringToken.lastIndex = index;
    const token = stringToken.exec(text)?.[0] ?? '"';
    index += token.length - 1;
    const openValue = openValues.at(-1);
    separator.lastIndex = index + 1;
    if (!openValue || !separator.test(text)) continue;
    // The key is parsed, because "a" and "\u0061" are the same key.
    const key = JSON.parse(token) as string;
    const path = [...openValues.slice(0, -1).map((each) => each.key), key]
      .filter((part) => part !== undefined)
      .join('.');
    if (openValue.keys.has(key)) issues.push(`${path}: is a duplicate; keep one`);
    if (key === '__proto__') issues.push(`${path}: is not a setting; remove it`);
    openValue.keys.add(key);
    openValue.key = key;
  }
  return issues;
}
