import { fieldErrors } from '../../api/http/body/field-errors';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { Phone, TransactionInput } from '../../domain/transaction';

/** Who is asked. What is left out is what most people have, a phone and a mailbox, and what the analyses make of them. */
export interface ScenarioTransaction {
  /** Of Brazil, in E.164; null: the transaction has no phone. */
  phone?: string | null;
  /** null: the transaction has no e-mail address. */
  email?: string | null;
  /** 0 to 100, in place of what the analyses would find. */
  score?: number;
  /** Codes, in place of what the analyses would find. */
  insights?: readonly string[];
  /** By pair, such as document-phone: 0 to 5. */
  ratings?: Readonly<Record<string, number>>;
  /** Language of the messages that the person gets. */
  locale?: string;
  /** Further fields of the body of POST /v1/transaction. */
  body?: Readonly<Record<string, unknown>>;
}

const usual: TransactionInput = {
  documentType: 'CPF',
  document: '52998224725',
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
};

/** As the local stack takes it: documents with wrong check digits are told by the analyses. */
const body = transactionBody(false);

/** A number of Brazil, which is all that a scenario's `phone` can be. */
function phoneOf(e164: string): Phone {
  const [, area, number] = /^\+55(\d{2})(\d+)$/.exec(e164) ?? [];
  return { countryCode: 55, areaCode: Number(area), number: Number(number) };
}

/** What POST /v1/transaction would be sent. */
function bodyOf({ phone, email, locale, body: further = {} }: ScenarioTransaction): Record<string, unknown> {
  const { email: usualEmail, phone: usualPhone, ...rest } = usual;
  const fields = further['genericFields'];
  return {
    ...rest,
    ...(email === null ? {} : { email: email ?? usualEmail }),
    ...(phone === null ? {} : { phone: phone === undefined ? usualPhone : phoneOf(phone) }),
    ...further,
    ...(locale === undefined ? {} : { genericFields: { locale, ...(typeof fields === 'object' ? fields : {}) } }),
  };
}

/** What POST /v1/transaction would refuse of a scenario's transaction: fields, and the first reason of each. None of a good one. */
export function refusalsOf(transaction: ScenarioTransaction): readonly { field: string; why: string }[] {
  const given = bodyOf(transaction);
  const read = body.safeParse(given);
  if (read.success) return [];
  return Object.entries(fieldErrors(read.error, given).errors).map(([field, [why = '']]) => ({ field, why }));
}

/** The transaction that a scenario speaks of, as the service keeps it. Throws for what it would refuse. */
export const personOf = (transaction: ScenarioTransaction): TransactionInput => body.parse(bodyOf(transaction));
