import { randomInt } from 'node:crypto';

const randomDigits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('');

/** A person with a new phone and mailbox, because each phone and each mailbox has a limit of messages over all transactions. */
export function newPerson() {
  const number = `9${randomInt(1, 9)}${randomDigits(7)}`;
  const mailbox = `joana.prado.${randomDigits(8)}`;
  return {
    /** The body of POST /v1/transaction. */
    body: {
      documentType: 'CPF',
      document: randomDigits(11),
      name: 'Joana Prado Quintela',
      email: `${mailbox}@example.com`,
      phone: { countryCode: 55, areaCode: 11, number: Number(number) },
      address: { zipCode: '01310100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
    },
    /** In international format. */
    phone: `+5511${number}`,
    email: `${mailbox}@example.com`,
  };
}

/** Six digits that differ from `code`. */
export const differentCode = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');
