import { fieldErrors } from '../../api/http/body/field-errors';
import { transactionBody } from '../../api/transactions/transaction-body';
import type { Phone, TransactionInput } from '../../domain/transaction';

/** The transaction of a scenario. Defaults: a phone and an e-mail address, and what the analyses find for them. */
export interface ScenarioTransaction {
  /** Brazilian, in E.164; null: the transaction has no phone. */
  phone?: string | null;
  /** null: the transaction has no e-mail address. */
  email?: string | null;
  /** 0 to 100; replaces the result of the analyses. */
  score?: number;
  /** Codes; replace the result of the analyses. */
  insights?: readonly string[];
  /** By pair, such as document-phone; 0 to 5. */
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

/** Like the local stack: wrong check digits are accepted here and reported by the analyses. */
const bodySchema = transactionBody(false);

/** Reads a Brazilian number. Scenarios allow no other in `phone`. */
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
  return Object.entries(fieldErrors(result.error, requestBody).errors).map(([field, [error = '']]) => ({
    field,
    error,
  }));
}

/** The transaction of a scenario as the service stores it. Throws when it is invalid. */
export const transactionInputOf = (transaction: ScenarioTransaction): TransactionInput =>
  bodySchema.parse(bodyOf(transaction));
