import { z } from 'zod';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { TransactionInput } from '../../domain/transactions/input';
import { issueText } from '../../api/http/body/fields';

/** How the user of this command has judged a transaction, in the field `label` of its line. */
export type Label = 'good' | 'bad';

/** The transaction of a line. */
export interface OfflineTransaction {
  input: TransactionInput;
  /** ISO 8601 in UTC. */
  createdAt: string;
  /** Whether the line has a createdAt. */
  hasDate: boolean;
  label?: Label;
  /** What the person did afterwards: confirmed the phone or the e-mail address, or denied the transaction. */
  facts: { phone: boolean; email: boolean; denied: boolean };
}

/** `false`: a document with wrong check digits is accepted, and the analyses report it, as in the local stack. */
const bodySchema = transactionBody(false);

/**
 * For lines without createdAt: line 1 gets this time, line 2 gets one minute more, and so on. The time is constant, so that the same file
 * always gives the same scores.
 */
const startMs = Date.UTC(2026, 0, 1);
const intervalMs = 60_000;

const flagSchema = z.boolean('must be true or false').default(false);
/** The fields of a line that are not part of the body of POST /v1/transaction. */
const extrasSchema = z.object({
  createdAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 instant such as 2026-01-31T12:00:00Z' })
    .nullish(),
  label: z.enum(['good', 'bad'], 'must be "good" or "bad"').nullish(),
  facts: z.strictObject({ phone: flagSchema, email: flagSchema, denied: flagSchema }, 'must be an object').prefault({}),
});

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Usual names of fields. Other names may contain personal data and are not printed. */
const printableName = /^[a-z][A-Za-z_]{0,39}$/;

const nameOf = (key: PropertyKey) => (printableName.test(String(key)) ? String(key) : 'a field');

/** The printed name of a field. Names below `genericFields` are chosen by the caller and not printed. */
function fieldName([topName, ...nestedNames]: readonly PropertyKey[]): string {
  if (topName === undefined) return 'the line';
  return [topName, ...(topName === 'genericFields' ? [] : nestedNames)].map(nameOf).join('.');
}

function formatIssue(issue: z.core.$ZodIssue, line: object): string {
  if (issue.code !== 'unrecognized_keys') return `${fieldName(issue.path)}: ${issueText(issue, line)}`;
  return issue.keys.map((key) => `${fieldName([...issue.path, key])}: is not a field of a transaction`).join('; ');
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decoder.decode(bytes));
  } catch {
    return undefined;
  }
}

/** Reads the transaction of a line. An issue contains no values of the line, because they are personal data. */
export function parseLine(bytes: Buffer, number: number): OfflineTransaction | { issue: string } {
  const line = parseJson(bytes);
  if (line === undefined) return { issue: 'is not JSON in UTF-8' };
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return { issue: 'is not a JSON object' };
  const { createdAt, label, facts, ...fields } = line as Record<string, unknown>;
  const [extrasResult, bodyResult] = [
    extrasSchema.safeParse({ createdAt, label, facts }),
    bodySchema.safeParse(fields),
  ];
  if (!extrasResult.success || !bodyResult.success) {
    const issues = [...(bodyResult.error?.issues ?? []), ...(extrasResult.error?.issues ?? [])];
    return { issue: issues.map((issue) => formatIssue(issue, line)).join('; ') };
  }
  const instant = extrasResult.data.createdAt ?? startMs + (number - 1) * intervalMs;
  return {
    input: bodyResult.data,
    createdAt: new Date(instant).toISOString(),
    hasDate: typeof extrasResult.data.createdAt === 'string',
    ...(extrasResult.data.label ? { label: extrasResult.data.label } : {}),
    facts: extrasResult.data.facts,
  };
}
