import { decisionFacts, decisionFactsOf, ratingKeys } from '../../../domain/flows/decision-facts';
import { newState, type TransactionState } from '../../../domain/transactions/state';
import { createConditions } from '../../../platform/conditions/conditions';

const now = '2026-08-20T12:00:00.000Z';
const emptyState = newState({
  tenant: 'acme',
  id: '0b9d3c58-5b0e-4b58-9f0c-0d2a4f6c1e11',
  input: { documentType: 'CPF', document: '52998224725' },
  createdAt: now,
});
const completeState: TransactionState = {
  ...emptyState,
  input: {
    ...emptyState.input,
    name: 'Maria Silva',
    email: 'maria.silva@example.com',
    birthdate: '1990-08-20',
    channelId: 'app',
    type: 2,
    criterion: 7,
    phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
    address: { city: 'São Paulo', state: 'SP', zipCode: '01310100' },
    genericFields: { plan: 'gold' },
  },
  scores: [
    { value: 35, reason: 'Initial', createdAt: now },
    { value: 62.5, reason: 'PhoneChecked', createdAt: now },
  ],
  ratings: [
    { value: 2, reason: 'Initial', createdAt: now, relatedTo: ['Document', 'Phone'] },
    { value: 3, reason: 'Initial', createdAt: now, relatedTo: ['Document', 'ZipCode'] },
    { value: 5, reason: 'PhoneChecked', createdAt: now, relatedTo: ['Document', 'Phone'] },
  ],
  findings: [{ code: 'PH001', relevance: 'Negativo' }],
};

test('facts contain the newest values, and no personal data', () => {
  const facts = decisionFactsOf(completeState, { code: 'Valid' }, { code: 2 }, now);
  expect(facts).toEqual({
    score: 62.5,
    insights: ['PH001'],
    ratings: { 'document-phone': 5, 'document-zip-code': 3 },
    exits: { code: 'Valid' },
    visits: { code: 2 },
    transaction: {
      documentType: 'CPF',
      type: 2,
      criterion: 7,
      channelId: 'app',
      hasPhone: true,
      hasEmail: true,
      verifiedEmail: false,
      phoneCountry: 55,
      phoneArea: 11,
      state: 'SP',
      city: 'São Paulo',
      age: 36,
      generic: { plan: 'gold' },
    },
  });
  expect(JSON.stringify(facts)).not.toMatch(/maria|silva|52998224725|987654321|1990/i);
});

test('unknown values have fixed facts, such as the score 0, the age -1 and the area code 0', () => {
  const { score, ratings, transaction } = decisionFactsOf(emptyState, {}, {}, now);
  expect({ score, ratings }).toEqual({ score: 0, ratings: {} });
  expect(transaction).toMatchObject({
    // The default of POST /v1/transaction.
    type: 1,
    hasPhone: false,
    hasEmail: false,
    age: -1,
    state: '',
    phoneArea: 0,
    generic: {},
  });
});

test('a mailbox that the person confirmed in this transaction counts as verified', () => {
  const confirmedState = { ...completeState, facts: { emailConfirmedAt: now } };
  expect(decisionFactsOf(confirmedState, {}, {}, now).transaction.verifiedEmail).toBe(true);
});

test.each([
  ['1990-08-20', 36],
  ['1990-08-21', 35],
  ['2026-08-20', 0],
  ['2026-08-21', -1],
  ['2030-01-01', -1],
  ['unknown', -1],
])('a person born on %s has the age %s (-1 if it is unknown)', (birthdate, age) => {
  expect(
    decisionFactsOf({ ...completeState, input: { ...completeState.input, birthdate } }, {}, {}, now).transaction.age,
  ).toBe(age);
});

test('conditions can use a rating by the name of its pair, such as document-phone', () => {
  expect(ratingKeys).toEqual([
    'document-zip-code',
    'document-email',
    'document-phone',
    'zip-code-email',
    'zip-code-phone',
    'email-phone',
  ]);
});

test('each fact has the type that conditions expect', () => {
  const { check, evaluate } = createConditions(decisionFacts);
  const facts = decisionFactsOf(completeState, { code: 'Valid' }, { code: 2 }, now);
  const condition =
    "score > 60 && score < 63 && 'PH001' in insights && ratings['document-phone'] == 5 && exits['code'] == 'Valid' && visits['code'] == 2 && transaction.age >= 18 && transaction.hasPhone && transaction.generic.plan == 'gold'";
  expect(check(condition)).toBeUndefined();
  expect(evaluate(condition, facts)).toBe(true);
  expect(evaluate('score < 1', decisionFactsOf(emptyState, {}, {}, now))).toBe(true);
});
