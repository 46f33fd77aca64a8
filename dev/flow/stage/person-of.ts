import type { Phone, TransactionInput } from '../../../domain/transaction';
import type { ScenarioTransaction } from '../scenario-transaction';

const usual: TransactionInput = {
  documentType: 'CPF',
  document: '52998224725',
  name: 'Maria Silva',
  email: 'maria@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987654321 },
};

/** A number as callers give it. Numbers of Brazil have an area of two digits; of others all stands in the number. */
function phoneOf(e164: string): Phone {
  const brazil = /^\+55(\d{2})(\d{8,9})$/.exec(e164);
  if (brazil) return { countryCode: 55, areaCode: Number(brazil[1]), number: Number(brazil[2]) };
  return { countryCode: Number(e164.slice(1, 3)), number: Number(e164.slice(3)) };
}

/** The transaction that a scenario speaks of. */
export function personOf({ phone, email, locale, body }: ScenarioTransaction): TransactionInput {
  const { email: usualEmail, phone: usualPhone, ...rest } = usual;
  return {
    ...rest,
    ...(email === null ? {} : { email: email ?? usualEmail }),
    ...(phone === null ? {} : { phone: phone === undefined ? usualPhone : phoneOf(phone) }),
    ...(locale === undefined ? {} : { genericFields: { locale } }),
    ...body,
  };
}
