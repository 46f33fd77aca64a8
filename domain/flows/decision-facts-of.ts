import type { TransactionState } from '../state';
import { defaultType } from '../transaction';
import type { decisionFacts } from './decision-facts';
import { ratingKey } from './decision-facts';

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
