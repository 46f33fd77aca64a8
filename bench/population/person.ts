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

/** Numbers below `end`, each for one other number: no two persons get the same by chance. */
const scattered = (number: number, end: number) => (number * 7_654_321) % end;

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (digits.length + 1 - index),
    0,
  );
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** A CPF with right check digits. */
function documentOf(number: number): string {
  const base = String(scattered(number, 1_000_000_000)).padStart(9, '0');
  const first = checkDigit(base);
  return `${base}${first}${checkDigit(`${base}${first}`)}`;
}

/** A Brazilian mobile. `number` must differ from person to person by two. */
function phoneOf(random: Random, place: Place, number: number): Phone {
  return {
    countryCode: 55,
    areaCode: random.pick(place.areaCodes),
    number: 900_000_000 + scattered(number, 100_000_000),
  };
}

/** The letters of a name that a mailbox has. */
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase();

/** The person of a number: the same for the same seed, and made anew each time instead of being kept. */
export function personOf(seed: number, number: number): Person {
  const random = randomOf(seed, 'person', number);
  const family = familyOf(random);
  const given = givenNameOf(random);
  const name = `${given} ${family}`;
  const place = placeOf(random);
  const several = (share: number) => (random.chance(share) ? [0, 1] : [0]);
  const two = (count: number) => String(1 + random.int(count)).padStart(2, '0');
  return {
    document: documentOf(number),
    name,
    mothersName: `${givenNameOf(random)} ${family}`,
    birthdate: `${1940 + random.int(67)}-${two(12)}-${two(28)}`,
    place,
    phones: several(0.3).map((nth) => phoneOf(random, place, number * 2 + nth)),
    emails: several(0.2).map(
      (nth) => `${plain(name).replaceAll(' ', '.')}${number * 2 + nth}@${random.pick(mailDomains)}`,
    ),
    devices: several(0.3).map((nth) => `device-${number}-${nth}`),
    cards: several(0.4).map(() => ({ bin: random.pick(bins), last4: String(random.int(10_000)).padStart(4, '0') })),
  };
}

/** What a person says in one visit: mostly the first of each, and not always everything. */
export function visitOf(person: Person, random: Random, day: number): TransactionInput {
  const one = <Value>(values: readonly Value[]) => (random.chance(0.85) ? values[0] : values.at(-1)) as Value;
  const maybe = (share: number, value: () => Partial<TransactionInput>) => (random.chance(share) ? value() : {});
  const place = random.chance(hotPlaceShare) ? hotPlace : person.place;
  return {
    documentType: 'CPF',
    document: person.document,
    name: person.name,
    ...maybe(0.9, () => ({ birthdate: person.birthdate })),
    ...maybe(0.5, () => ({ mothersName: person.mothersName })),
    ...maybe(0.95, () => ({ phone: one(person.phones) })),
    ...maybe(0.95, () => ({ email: one(person.emails) })),
    ...maybe(0.85, () => ({ address: { zipCode: place.zipCode, state: place.state, country: 'Brasil' } })),
    // Who comes back within a week is often still signed in.
    ...maybe(0.95, () => ({ sessionId: `session-${person.document}-${Math.floor(day / 7)}` })),
    ...maybe(0.8, () => ({ identifierId: one(person.devices) })),
    ...maybe(0.4, () => ({ card: { ...one(person.cards), ownerName: person.name, ownerDocument: person.document } })),
  };
}

/** With the hot visits, and with the visits without an address, about 1 % of all give the hot place. */
const hotPlaceShare = 0.006;
