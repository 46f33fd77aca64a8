import { ratePairs } from '../../../domain/scoring/ratings';
import type { ScoreBasis } from '../../../domain/scoring/score';
import { person } from '../../support/build';
import { basisWith, buildPairLink } from './build-basis';

const now = '2026-01-01T12:00:00.000Z';
/** The document is from another state than phone and postal code. */
const otherStateEvidence = { document: { ...basisWith().evidence.document, states: ['RS'] } };

/** `pair`: such as `Document-Phone`. */
const rate = (basis: ScoreBasis, pair: string, input = person) =>
  ratePairs(input, basis).find(({ relatedTo }) => relatedTo.join('-') === pair)?.value;

test('pairs are in a fixed order, and a pair is listed only if the caller has sent both of its values', () => {
  const pairsOf = (input: typeof person) => ratePairs(input, basisWith()).map(({ relatedTo }) => relatedTo.join('-'));
  expect(pairsOf(person)).toEqual([
    'Document-ZipCode',
    'Document-Email',
    'Document-Phone',
    'ZipCode-Email',
    'ZipCode-Phone',
    'Email-Phone',
  ]);
  const { documentType, document, phone } = person;
  expect(pairsOf({ documentType, document, ...(phone ? { phone } : {}) })).toEqual(['Document-Phone']);
  expect(pairsOf({ documentType, document })).toEqual([]);
});

describe('rating 0, no data: no evidence about one value of the pair, and the pair was never observed', () => {
  test.each<[string, Partial<ScoreBasis['evidence']>, string]>([
    [
      'a document of an unknown kind',
      { document: { ...otherStateEvidence.document, kind: 'unknown' } },
      'Document-Email',
    ],
    ['wrong check digits', { document: { ...otherStateEvidence.document, checkDigits: 'wrong' } }, 'Document-Email'],
    ['a postal code in no state', { postalCode: {} }, 'ZipCode-Email'],
    ['an area code that is not in use', { phone: { allocated: false, line: 'mobile' } }, 'Email-Phone'],
    ['no mail server', { email: { disposable: false, mailServer: 'none' } }, 'Document-Email'],
  ])(
    'the rating is 0 if one value of the pair has no evidence, and the pair was never observed: %s',
    (_, evidence, pair) => {
      expect(rate(basisWith(evidence), pair)).toBe(0);
      const [left, right] = pair.split('-') as ['Document', 'Email'];
      const evidenceWithPair = { ...evidence, links: { pairs: [buildPairLink([left, right], 1)], countsByKind: {} } };
      expect(rate(basisWith(evidenceWithPair), pair)).toBe(3);
    },
  );
});

describe('rating 1, contradicted', () => {
  test('the rating is 1 if the area code belongs to another state than the postal code', () => {
    expect(rate(basisWith({ phone: { allocated: true, line: 'mobile', state: 'RJ' } }), 'ZipCode-Phone')).toBe(1);
  });

  test('the rating is 1 if the person denied the request, even if a phone or mailbox was confirmed before', () => {
    const basis = basisWith({}, { phoneConfirmedAt: now, deniedAt: now });
    expect(rate(basis, 'Document-Phone')).toBe(1);
    expect(rate(basis, 'Document-Email')).toBe(1);
    expect(rate(basis, 'Email-Phone')).toBe(2);
  });

  test.each(['Phone', 'Email'] as const)(
    'the rating is 1 if the %s appears with many documents and was not confirmed',
    (kind) => {
      const countsByKind = { [kind]: { documents: 3, denials: 0 } };
      const basis = basisWith({ links: { pairs: [], countsByKind } });
      expect(rate(basis, `Document-${kind}`)).toBe(1);
      expect(rate(basis, 'Email-Phone')).toBe(2);
      expect(rate({ ...basis, facts: { phoneConfirmedAt: now, emailConfirmedAt: now } }, `Document-${kind}`)).toBe(5);
      const basisWithTwo = basisWith({ links: { pairs: [], countsByKind: { [kind]: { documents: 2, denials: 0 } } } });
      expect(rate(basisWithTwo, `Document-${kind}`)).toBeGreaterThan(1);
    },
  );
});

test('the rating is 2 (weak) if only the format is valid', () => {
  expect(rate(basisWith(otherStateEvidence), 'Document-Email')).toBe(2);
  expect(rate(basisWith(otherStateEvidence), 'Document-ZipCode')).toBe(2);
});

test('the rating is 3 (plausible) if the pair was observed before, or if the states or names match', () => {
  expect(rate(basisWith(), 'Document-ZipCode')).toBe(3);
  expect(rate(basisWith(), 'ZipCode-Phone')).toBe(3);
  expect(
    rate(basisWith({ ...otherStateEvidence, email: { disposable: false, resemblesName: 0.7 } }), 'Document-Email'),
  ).toBe(3);
  const disposableEmail = { disposable: true, resemblesName: 0.9 };
  expect(rate(basisWith({ ...otherStateEvidence, email: disposableEmail }), 'Document-Email')).toBe(2);
  const links = { pairs: [buildPairLink(['Document', 'Email'], 1)], countsByKind: {} };
  expect(rate(basisWith({ ...otherStateEvidence, links }), 'Document-Email')).toBe(3);
});

test('the rating is 4 (strong) if the pair was observed on two other dates, or confirmed in another transaction', () => {
  const basisWithPair = (dates: number, confirmed: number) =>
    basisWith({
      ...otherStateEvidence,
      links: { pairs: [buildPairLink(['Document', 'Phone'], dates, confirmed)], countsByKind: {} },
    });
  expect(rate(basisWithPair(1, 0), 'Document-Phone')).toBe(3);
  expect(rate(basisWithPair(2, 0), 'Document-Phone')).toBe(4);
  expect(rate(basisWithPair(1, 1), 'Document-Phone')).toBe(4);
});

test('the rating is 5 (confirmed) if the person confirmed the pair in this transaction', () => {
  expect(rate(basisWith({}, { phoneConfirmedAt: now }), 'Document-Phone')).toBe(5);
  expect(rate(basisWith({}, { phoneConfirmedAt: now }), 'Document-Email')).toBeLessThan(5);
  expect(rate(basisWith({}, { emailConfirmedAt: now }), 'Document-Email')).toBe(5);
  expect(rate(basisWith({}, { phoneConfirmedAt: now, emailConfirmedAt: now }), 'Email-Phone')).toBe(5);
});
