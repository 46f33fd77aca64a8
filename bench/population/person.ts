import type { Card, Phone, TransactionInput } from '../../domain/transaction';
import { familyOf, givenNameOf } from './names';
import { hotPlace, type Place, placeOf } from './places';
import { type Random, randomOf } from './random';

export interface Person {
  document: string;
  name: string;
  mothersName: string;
  birthdate: string;
  /** One or two of each. */
  phones: Phone[];
  emails: string[];
  devices: string[];
  cards: Card[];
  place: Place;
}

const mailDomains = ['gmail.com', 'gmail.com', 'gmail.com', 'hotmail.com', 'outlook.com', 'yahoo.com.br', 'uol.com.br'];
const bins = ['411111', '516292', '543210', '498442', '636368', '550209', '438935', '406669'];

/** A permutation of the numbers below `end`, so that two persons never share a value by chance. */
const scatter = (number: number, end: number) => (number * 7_654_321) % end;

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (digits.length + 1 - index),
    0,
  );
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** A CPF with valid check digits. */
function documentOf(number: number): string {
  const base = String(scatter(number, 1_000_000_000)).padStart(9, '0');
  const first = checkDigit(base);
  return `${base}${first}${checkDigit(`${base}${first}`)}`;
}

/** A Brazilian mobile number. The numbers of two persons must differ by at least two. */
function phoneOf(random: Random, place: Place, number: number): Phone {
  return {
    countryCode: 55,
    areaCode: random.pick(place.areaCodes),
    number: 900_000_000 + scatter(number, 100_000_000),
  };
}

/** A name as a mailbox can have it. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase();

/** The person with a number, generated at each call. The result depends only on seed and number. */
export function personOf(seed: number, number: number): Person {
  const random = randomOf(seed, 'person', number);
  const family = familyOf(random);
  const given = givenNameOf(random);
  const name = `${given} ${family}`;
  const place = placeOf(random);
  const oneOrTwo = (share: number) => (random.chance(share) ? [0, 1] : [0]);
  const twoDigits = (count: number) => String(1 + random.int(count)).padStart(2, '0');
  return {
    document: documentOf(number),
    name,
    mothersName: `${givenNameOf(random)} ${family}`,
    birthdate: `${1940 + random.int(67)}-${twoDigits(12)}-${twoDigits(28)}`,
    place,
    phones: oneOrTwo(0.3).map((nth) => phoneOf(random, place, number * 2 + nth)),
    emails: oneOrTwo(0.2).map(
      (nth) => `${plain(name).replaceAll(' ', '.')}${number * 2 + nth}@${random.pick(mailDomains)}`,
    ),
    devices: oneOrTwo(0.3).map((nth) => `device-${number}-${nth}`),
    cards: oneOrTwo(0.4).map(() => ({ bin: random.pick(bins), last4: String(random.int(10_000)).padStart(4, '0') })),
  };
}

/** The input of one visit: mostly the first value of each kind, and not always all fields. */
export function visitOf(person: Person, random: Random, day: number): TransactionInput {
  const firstOrLast = <Value>(values: readonly Value[]) => (random.chance(0.85) ? values[0] : values.at(-1)) as Value;
  const sometimes = (share: number, value: () => Partial<TransactionInput>) => (random.chance(share) ? value() : {});
  const place = random.chance(hotPlaceShare) ? hotPlace : person.place;
  return {
    documentType: 'CPF',
    document: person.document,
    name: person.name,
    ...sometimes(0.9, () => ({ birthdate: person.birthdate })),
    ...sometimes(0.5, () => ({ mothersName: person.mothersName })),
    ...sometimes(0.95, () => ({ phone: firstOrLast(person.phones) })),
    ...sometimes(0.95, () => ({ email: firstOrLast(person.emails) })),
    ...sometimes(0.85, () => ({ address: { zipCode: place.zipCode, state: place.state, country: 'Brasil' } })),
    // Visits within the same week share a session.
    ...sometimes(0.95, () => ({ sessionId: `session-${person.document}-${Math.floor(day / 7)}` })),
    ...sometimes(0.8, () => ({ identifierId: firstOrLast(person.devices) })),
    ...sometimes(0.4, () => ({
      card: { ...firstOrLast(person.cards), ownerName: person.name, ownerDocument: person.document },
    })),
  };
}

/** Together with the hot visits, about 1 % of all visits are from the hot place. */
const hotPlaceShare = 0.006;
