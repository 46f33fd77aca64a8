import {
  type Arbitrary,
  boolean,
  constant,
  constantFrom,
  double,
  integer,
  nat,
  record as recordOf,
  tuple,
  uniqueArray,
} from 'fast-check';
import type { Evidence } from '../../../domain/scoring/evidence';
import { buildPairLink } from './build-basis';

const anyState = constantFrom('SP', 'RJ', 'MG');
const anyCounts = recordOf({ documents: nat(60), denials: nat(2) });

/** Each part except the document can be missing. */
export const anyEvidence: Arbitrary<Evidence> = recordOf(
  {
    document: recordOf({
      kind: constantFrom('CPF', 'CNPJ', 'unknown'),
      checkDigits: constantFrom('right', 'wrong'),
      repeated: boolean(),
      alphanumeric: boolean(),
      states: uniqueArray(anyState, { minLength: 1 }),
    }),
    phone: recordOf({
      allocated: boolean(),
      line: constantFrom('mobile', 'landline', 'unknown'),
      state: anyState,
    }),
    postalCode: recordOf({ state: anyState, matchesStatedState: boolean() }, { requiredKeys: [] }),
    email: recordOf(
      {
        disposable: boolean(),
        resemblesName: double({ min: 0, max: 1, noNaN: true }),
        syntax: constantFrom('valid', 'invalid'),
        mailServer: constantFrom('found', 'none'),
      },
      { requiredKeys: ['disposable'] },
    ),
    name: recordOf({ words: nat(6), unusual: boolean() }),
    mother: recordOf({ sameAsPerson: boolean(), sharesFamilyName: boolean() }),
    age: integer({ min: 0, max: 130 }),
    card: recordOf(
      {
        brand: constant('Visa'),
        binKnown: boolean(),
        ownerDocumentMatches: boolean(),
        ownerNameLikeness: double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    links: recordOf({
      pairs: tuple(nat(12), nat(12), nat(3)).map(([phone, email, confirmed]) => [
        buildPairLink(['Document', 'Phone'], phone, confirmed),
        buildPairLink(['Document', 'Email'], email),
      ]),
      countsByKind: recordOf(
        {
          Document: recordOf({ phones: nat(20), emails: nat(20), denials: nat(2) }),
          Phone: anyCounts,
          Email: anyCounts,
          Card: anyCounts,
          Session: anyCounts,
          Identifier: anyCounts,
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { requiredKeys: ['document'] },
) as Arbitrary<Evidence>;

/** Any combination of confirmed phone, confirmed mailbox and denial. */
export const anyFacts = recordOf(
  {
    phoneConfirmedAt: constant('2026-01-01T00:00:00.000Z'),
    emailConfirmedAt: constant('2026-01-01T00:00:00.000Z'),
    deniedAt: constant('2026-01-01T00:00:00.000Z'),
  },
  { requiredKeys: [] },
);
