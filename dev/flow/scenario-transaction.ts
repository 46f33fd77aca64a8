import { fieldErrors } from '../../api/http/body/fields';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { Phone, TransactionInput } from '../../domain/transactions/input';

/**
 * The transaction of a scenario. Without `phone` or `email`, it has a default phone or address. Without `score`, `insights` or `ratings`,
 * the analyses compute them.
 */
export interface ScenarioTransaction {
  /** A Brazilian phone in E.164. Null: the transaction has no phone. */
  phone?: string | null;
  /** Null: the transaction has no e-mail address. */
  email?: string | null;
  /** From 0 to 100. Replaces the score of the analyses. */
  score?: number;
  /** Codes of insights, which replace the insights of the analyses. */
  insights?: readonly string[];
  /** Ratings from 0 to 5, by pair such as `document-phone`. Each replaces the rating that the analyses gave to this pair. */
  ratings?: Readonly<Record<string, number>>;
  /** Language of the messages that the person gets. */
  locale?: string;
  /** Further fields of the body of POST /v1/transaction. */
  body?: Readonly<Record<string, unknown>>;
}

const defaultInput: TransactionInput = {
  documentType: 'CPF',
  document: '52998224725',
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
};

/** `false`: a document with wrong check digits is accepted, and the analyses report it, as in the local stack. */
const bodySchema = transactionBody(false);

/** Reads a Brazilian phone. The field `phone` of a scenario allows no other phones. */
function phoneOf(e164: string): Phone {
  const [, area, number] = /^\+55(\d{2})(\d+)$/.exec(e164) ?? [];
  return { countryCode: 55, areaCode: Number(area), number: Number(number) };
}

/** The body that a caller would send to POST /v1/transaction. */
function bodyOf({ phone, email, locale, body: bodyFields = {} }: ScenarioTransaction): Record<string, unknown> {
  const { email: defaultEmail, phone: defaultPhone, ...otherFields } = defaultInput;
  const genericFields = bodyFields['genericFields'];
  return {
    ...otherFields,
    ...(email === null ? {} : { email: email ?? defaultEmail }),
    ...(phone === null ? {} : { phone: phone === undefined ? defaultPhone : phoneOf(phone) }),
    ...bodyFields,
    ...(locale === undefined
      ? {}
      : { genericFields: { locale, ...(typeof genericFields === 'object' ? genericFields : {}) } }),
  };
}

/** The fields that POST /v1/transaction would reject, each with its first error. */
export function invalidFields(transaction: ScenarioTransaction): readonly { field: string; error: string }[] {
  const requestBody = bodyOf(transaction);
  const result = bodySchema.safeParse(requestBody);
  if (result.success) return [];
  return Object.entries(fieldErrors(result.error.issues, requestBody).errors).map(([field, [error = '']]) => ({
    field,
    error,
  }));
}

/** The transaction of a scenario as the service stores it. Throws when it is invalid. */
export const transactionInputOf = (transaction: ScenarioTransaction): TransactionInput =>
  bodySchema.parse(bodyOf(transaction));
