import { randomInt } from 'node:crypto';

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');

/** A person whom no other test knows: budgets per phone and mailbox are shared by all transactions. */
export function newPerson() {
  const number = `9${randomInt(1, 9)}${digits(7)}`;
  const mailbox = `joana.prado.${digits(8)}`;
  return {
    /** What a caller sends for this person. */
    body: {
      documentType: 'CPF',
      document: digits(11),
      name: 'Joana Prado Quintela',
      email: `${mailbox}@example.com`,
      phone: { countryCode: 55, areaCode: 11, number: Number(number) },
      address: { zipCode: '01310100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
    },
    /** Where text messages arrive. */
    phone: `+5511${number}`,
    email: `${mailbox}@example.com`,
  };
}

/** Six digits that are not these. */
export const differentCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
