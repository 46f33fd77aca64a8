import { z } from 'zod';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { TransactionInput } from '../../domain/transaction';
import { issueText } from '../../platform/field-issue';

export type Label = 'good' | 'bad';

/** The transaction of a line. */
export interface OfflineTransaction {
  input: TransactionInput;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** Whether the line has a createdAt. */
  hasDate: boolean;
  label?: Label;
  /** What is known about the person afterwards. */
  facts: { phone: boolean; email: boolean; denied: boolean };
}

/** Like the local stack: wrong check digits are accepted here and reported by the analyses. */
const body = transactionBody(false);

/** Lines without createdAt get instants from here on, a minute apart. Fixed, so that two runs are equal. */
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

/** Usual names of fields. Any other name may contain personal data, so it is not printed. */
const plainName = /^[a-z][A-Za-z_]{0,39}$/;

const nameOf = (key: PropertyKey) => (plainName.test(String(key)) ? String(key) : 'a field');

/** The printed name of a field. Names below `genericFields` are chosen by the caller and not printed. */
function fieldName([first, ...rest]: readonly PropertyKey[]): string {
  if (first === undefined) return 'the line';
  return [first, ...(first === 'genericFields' ? [] : rest)].map(nameOf).join('.');
}

function formatIssue(issue: z.core.$ZodIssue, given: object): string {
  if (issue.code !== 'unrecognized_keys') return `${fieldName(issue.path)}: ${issueText(issue, given)}`;
  return issue.keys.map((key) => `${fieldName([...issue.path, key])}: is not a field of a transaction`).join('; ');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads the transaction of a line. The text of an issue contains no value of the line, because they are personal data. */
export function parseLine(bytes: Buffer, number: number): OfflineTransaction | { issue: string } {
  const given = parseJson(bytes);
  if (given === undefined) return { issue: 'is not JSON in UTF-8' };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { issue: 'is not a JSON object' };
  const { createdAt, label, facts, ...fields } = given as Record<string, unknown>;
  const [extra, read] = [extras.safeParse({ createdAt, label, facts }), body.safeParse(fields)];
  if (!extra.success || !read.success) {
    const issues = [...(read.error?.issues ?? []), ...(extra.error?.issues ?? [])];
    return { issue: issues.map((issue) => formatIssue(issue, given)).join('; ') };
  }
  const at = extra.data.createdAt ?? startsAtMs + (number - 1) * apartMs;
  return {
    input: read.data,
    createdAt: new Date(at).toISOString(),
    hasDate: extra.data.createdAt !== undefined,
    ...(extra.data.label ? { label: extra.data.label } : {}),
    facts: extra.data.facts,
  };
}
