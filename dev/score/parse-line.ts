import { z } from 'zod';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { TransactionInput } from '../../domain/transaction';
import { issueText } from '../../platform/field-issue';

export type Label = 'good' | 'bad';

/** What a line tells of a transaction. */
export interface OfflineTransaction {
  input: TransactionInput;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** Whether the line gave it. */
  dated: boolean;
  label?: Label;
  /** What came of it. */
  facts: { phone: boolean; email: boolean; denied: boolean };
}

/** As the local stack takes it: documents with wrong check digits are told by the analyses. */
const body = transactionBody(false);

/** Lines without an instant stand a minute apart from here on, by their number. Fixed, so that two runs are equal. */
const startsAtMs = Date.UTC(2026, 0, 1);
const apartMs = 60_000;

const flag = z.boolean('must be true or false').default(false);
const extras = z.object({
  createdAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
    .nullish(),
  label: z.enum(['good', 'bad'], 'must be "good" or "bad"').nullish(),
  facts: z.strictObject({ phone: flag, email: flag, denied: flag }, 'must be an object').prefault({}),
});

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Names of fields as people give them. Anything else may be a person's data that has come to stand in a name. */
const plainName = /^[a-z][A-Za-z_]{0,39}$/;

const nameOf = (key: PropertyKey) => (plainName.test(String(key)) ? String(key) : 'a field');

/** Below `genericFields` the names are the caller's and are not told. */
function placeOf([first, ...rest]: readonly PropertyKey[]): string {
  if (first === undefined) return 'the line';
  return [first, ...(first === 'genericFields' ? [] : rest)].map(nameOf).join('.');
}

function tellIssue(issue: z.core.$ZodIssue, given: object): string {
  if (issue.code !== 'unrecognized_keys') return `${placeOf(issue.path)}: ${issueText(issue, given)}`;
  return issue.keys.map((key) => `${placeOf([...issue.path, key])}: is not a field of a transaction`).join('; ');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** The transaction of a line, or what is wrong with it, told without any value of the line: they are personal data. */
export function parseLine(bytes: Buffer, number: number): OfflineTransaction | { fault: string } {
  const given = parseJson(bytes);
  if (given === undefined) return { fault: 'is not JSON in UTF-8' };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { fault: 'is not a JSON object' };
  const { createdAt, label, facts, ...fields } = given as Record<string, unknown>;
  const [told, read] = [extras.safeParse({ createdAt, label, facts }), body.safeParse(fields)];
  if (!told.success || !read.success) {
    const issues = [...(read.error?.issues ?? []), ...(told.error?.issues ?? [])];
    return { fault: issues.map((issue) => tellIssue(issue, given)).join('; ') };
  }
  const at = told.data.createdAt ?? startsAtMs + (number - 1) * apartMs;
  return {
    input: read.data,
    createdAt: new Date(at).toISOString(),
    dated: told.data.createdAt !== undefined,
    ...(told.data.label ? { label: told.data.label } : {}),
    facts: told.data.facts,
  };
}
