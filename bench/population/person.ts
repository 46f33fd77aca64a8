import type { Card, Phone, TransactionInput } from '../../domain/transactions/input';
import { pickFamilyName, pickGivenName } from './names';
import { hotPlace, type Place, pickPlace } from './places';
import { type Random, createRandom } from './random';

/** A generated person, with the values from which the person's transactions are made. */
export interface Person {
  document: string;
  name: string;
  mothersName: string;
  birthdate: string;
  // Each of these four lists has one or two items.
  phones: Phone[];
  emails: string[];
  devices: string[];
  cards: Card[];
  place: Place;
}

/** A domain that occurs three times is drawn three times as often. */
const mailDomains = ['gmail.com', 'gmail.com', 'gmail.com', 'hotmail.com', 'outlook.com', 'yahoo.com.br', 'uol.com.br'];
/** BINs: the first six digits of card numbers. */
const bins = ['411111', '516292', '543210', '498442', '636368', '550209', '438935', '406669'];

/** Maps each number below `end` to a number below `end`. Different numbers have different results, so two persons never share a value. */
const scatter = (number: number, end: number) => (number * 7_654_321) % end;

function checkDigit(digits: string): number {
  const sum = Array.from(digits).reduce(
    (total, digit, index) => total + Number(digit) * (digits.length + 1 - index),
    0,
  );
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

/** A CPF with valid check digits. Number 0 would give the CPF of zeros, which the API rejects. */
function documentOf(number: number): string {
  const base = String(scatter(number + 1, 1_000_000_000)).padStart(9, '0');
  const first = checkDigit(base);
  return `${base}${first}${checkDigit(`${base}${first}`)}`;
}

/** A Brazilian mobile number. `phoneIndex` must be different for every phone. */
function phoneOf(random: Random, place: Place, phoneIndex: number): Phone {
  return {
    countryCode: 55,
    areaCode: random.pick(place.areaCodes),
    number: 900_000_000 + scatter(phoneIndex, 100_000_000),
  };
}

/** A name in the characters of an e-mail address. */
const toMailboxName = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase();

/** Creates the person with this number. The same seed and number always give the same person. */
export function createPerson(seed: number, number: number): Person {
  const random = createRandom(seed, 'person', number);
  const familyName = pickFamilyName(random);
  const givenName = pickGivenName(random);
  const name = `${givenName} ${familyName}`;
  const place = pickPlace(random);
  const oneOrTwoIndexes = (share: number) => (random.chance(share) ? [0, 1] : [0]);
  const twoDigits = (count: number) => String(1 + random.int(count)).padStart(2, '0');
  return {
    document: documentOf(number),
    name,
    mothersName: `${pickGivenName(random)} ${familyName}`,
    birthdate: `${1940 + random.int(67)}-${twoDigits(12)}-${twoDigits(28)}`,
    place,
    phones: oneOrTwoIndexes(0.3).map((nth) => phoneOf(random, place, number * 2 + nth)),
    emails: oneOrTwoIndexes(0.2).map(
      (nth) => `${toMailboxName(name).replaceAll(' ', '.')}${number * 2 + nth}@${random.pick(mailDomains)}`,
    ),
    devices: oneOrTwoIndexes(0.3).map((nth) => `device-${number}-${nth}`),
    cards: oneOrTwoIndexes(0.4).map(() => ({
      bin: random.pick(bins),
      last4: String(random.int(10_000)).padStart(4, '0'),
    })),
  };
}

/**
 * The input of one transaction of a person. It mostly has the first phone, e-mail address, device and card of the person. Some fields are
 * missing by chance. `day`: days since the start of the population.
 */
export function createTransactionInput(person: Person, random: Random, day: number): TransactionInput {
  const pickFirstOrLast = <Value>(values: readonly Value[]) =>
    (random.chance(0.85) ? values[0] : values.at(-1)) as Value;
  const withChance = (share: number, value: () => Partial<TransactionInput>) => (random.chance(share) ? value() : {});
  const place = random.chance(hotPlaceShare) ? hotPlace : person.place;
  return {
    documentType: 'CPF',
    document: person.document,
    name: person.name,
    ...withChance(0.9, () => ({ birthdate: person.birthdate })),
    ...withChance(0.5, () => ({ mothersName: person.mothersName })),
    ...withChance(0.95, () => ({ phone: pickFirstOrLast(person.phones) })),
    ...withChance(0.95, () => ({ email: pickFirstOrLast(person.emails) })),
    ...withChance(0.85, () => ({ address: { zipCode: place.zipCode, state: place.state, country: 'Brasil' } })),
    // All transactions of a person in one week have the same session.
    ...withChance(0.95, () => ({ sessionId: `session-${person.document}-${Math.floor(day / 7)}` })),
    ...withChance(0.8, () => ({ identifierId: pickFirstOrLast(person.devices) })),
    ...withChance(0.4, () => ({
      card: { ...pickFirstOrLast(person.cards), ownerName: person.name, ownerDocument: person.document },
    })),
  };
}

/**
 * The probability that a transaction uses `hotPlace` instead of the person's own place. Persons of the kind `hot` always use `hotPlace`. In
 * total, about 1 % of all transactions have the address `hotPlace`.
 */
const hotPlaceShare = 0.006;
