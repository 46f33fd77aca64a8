import type { DataKind } from '../scoring/results';
import { flowLimits } from './bounds';
import { ratedPairs } from '../scoring/ratings';
import type { TransactionState } from '../transactions/state';
import { defaultType } from '../transactions/input';

/** The size of a map with one entry for each step. */
const stepTexts = { items: flowLimits.steps, characters: flowLimits.nameCharacters };

/**
 * The facts that conditions can use. `type`: the type of the fact in CEL, the language of conditions. A missing number is 0, and a
 * missing text is empty. `size`: how large the fact can be, which bounds what a condition costs. No fact identifies the person.
 */
export const decisionFacts = {
  score: { type: 'double', about: 'The newest score, 0 to 100' },
  insights: {
    type: 'list<string>',
    about: 'The codes of the insights, such as PH001',
    // More than all rules of the catalogue, with codes of a bureau.
    size: { items: 100, characters: 8 },
  },
  ratings: {
    type: 'map<string,double>',
    size: { items: 6, characters: 20 },
    about: 'The newest rating of each pair of values, such as document-phone, 0 to 5',
  },
  exits: { type: 'map<string,string>', about: 'The last exit of each step', size: stepTexts },
  visits: {
    type: 'map<string,int>',
    about: 'How often the flow run has entered each step',
    size: stepTexts,
  },
  transaction: {
    fields: {
      documentType: { type: 'string', about: 'The type of the document as you sent it, such as CPF' },
      type: { type: 'int', about: 'Your number in the field `type`, by default 1' },
      criterion: { type: 'int', about: 'Your number in the field `criterion`' },
      channelId: { type: 'string', about: 'Your text in the field `channelId`' },
      hasPhone: { type: 'bool', about: 'Whether the transaction has a phone' },
      hasEmail: { type: 'bool', about: 'Whether the transaction has an e-mail address' },
      verifiedEmail: { type: 'bool', about: 'Whether the caller or the person confirmed the e-mail address' },
      phoneCountry: { type: 'int', about: 'The dial code of the phone, such as 55' },
      phoneArea: { type: 'int', about: 'The area code of the phone, such as 11' },
      state: { type: 'string', about: 'The state or region in the address, such as SP' },
      city: { type: 'string', about: 'The city of the address' },
      age: { type: 'int', about: 'The age in years, or -1 if it is not known' },
      generic: {
        type: 'map<string,string>',
        about: 'Your fields in `genericFields`',
        // The limits of the field: 50 keys, and values of 512 characters.
        size: { items: 50, characters: 512 },
      },
    },
  },
} as const;

/** The key of `ratings` for a pair: document-zip-code for Document and ZipCode. */
export function ratingKey(pair: readonly [DataKind, DataKind]): string {
  return pair.map((kind) => kind.replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`).toLowerCase()).join('-');
}

/** Every key that `ratings` can have. */
export const ratingKeys: readonly string[] = ratedPairs.map(ratingKey);

/** The TypeScript type of each type of CEL, the language of conditions. */
interface CelTypes {
  bool: boolean;
  int: number;
  double: number;
  string: string;
  'list<string>': readonly string[];
  'map<string,string>': Readonly<Record<string, string>>;
  'map<string,int>': Readonly<Record<string, number>>;
  'map<string,double>': Readonly<Record<string, number>>;
}

/** The type of the value of an entry in `decisionFacts`. */
type Fact<Declared> = Declared extends { type: infer Type extends keyof CelTypes }
  ? CelTypes[Type]
  : Declared extends { fields: infer Fields }
    ? { readonly [Name in keyof Fields]: Fact<Fields[Name]> }
    : never;

/** The values of the facts, as plain data. */
export type DecisionFacts = { readonly [Name in keyof typeof decisionFacts]: Fact<(typeof decisionFacts)[Name]> };

/**
 * The facts at the time of a decision. `lastExits`: the last exit of each step. `visits`: how often each step was entered.
 * `now`: ISO 8601.
 */
export function decisionFactsOf(
  state: Pick<TransactionState, 'input' | 'scores' | 'ratings' | 'findings' | 'facts'>,
  lastExits: Readonly<Record<string, string>>,
  visits: Readonly<Record<string, number>>,
  now: string,
): DecisionFacts {
  const { input, facts } = state;
  return {
    score: state.scores.at(-1)?.value ?? 0,
    insights: state.findings.map(({ code }) => code),
    // Oldest first, so that the newest rating of a pair replaces the older ratings.
    ratings: Object.fromEntries(state.ratings.map(({ relatedTo, value }) => [ratingKey(relatedTo), value])),
    exits: lastExits,
    visits,
    transaction: {
      documentType: input.documentType,
      type: input.type ?? defaultType,
      criterion: input.criterion ?? 0,
      channelId: input.channelId ?? '',
      hasPhone: input.phone !== undefined,
      hasEmail: input.email !== undefined,
      verifiedEmail: input.verifiedEmail === true || facts.emailConfirmedAt !== undefined,
      phoneCountry: input.phone?.countryCode ?? 0,
      phoneArea: input.phone?.areaCode ?? 0,
      state: input.address?.state ?? '',
      city: input.address?.city ?? '',
      age: ageAt(input.birthdate, now),
      generic: input.genericFields ?? {},
    },
  };
}

/** The age in whole years, in UTC. -1 if the birthdate is missing, invalid or in the future. */
function ageAt(birthdate: string | undefined, now: string): number {
  const [birth, today] = [birthdate, now].map((date) => /^(\d{4})-(\d\d-\d\d)/.exec(date ?? ''));
  if (!birth || !today) return -1;
  const years = Number(today[1]) - Number(birth[1]) - ((today[2] ?? '') < (birth[2] ?? '') ? 1 : 0);
  return Math.max(-1, years);
}
