import {
  type Arbitrary,
  assert,
  double,
  infiniteStream,
  nat,
  property,
  record as recordOf,
  subarray,
  tuple,
} from 'fast-check';
import { catalogue, evaluateRules, type ScoreBasis, sumPoints } from '../../../domain/scoring/score';
import { defaultPolicy, type Policy } from '../../../domain/scoring/policy';
import type { Evidence } from '../../../domain/scoring/evidence';
import { ruleId } from '../../../domain/scoring/rule';
import { anyEvidence, anyFacts } from './arbitrary-basis';
import { basisWith, buildPairLink } from './build-basis';

const scoreOf = (basis: ScoreBasis) => sumPoints(evaluateRules(basis), basis);

/** Points have the sign of the rule's relevance, and at most two decimals. */
const anyPolicy: Arbitrary<Policy> = tuple(nat(100), subarray([...catalogue]), infiniteStream(nat(10_000))).map(
  ([base, rules, cents]) => {
    const signs = { Positivo: 1, Neutro: 0, Negativo: -1 };
    const points = rules.map((rule) => {
      const size = (cents.next().value ?? 0) / 100;
      return [ruleId(rule), signs[rule.relevance] * size] as const;
    });
    return { ...defaultPolicy, base, points: Object.fromEntries(points) as Policy['points'] };
  },
);

const anyBasis: Arbitrary<ScoreBasis> = recordOf({ evidence: anyEvidence, facts: anyFacts, policy: anyPolicy });

test('the base, the parts and the correction `limit` add up to the score, which is between 0 and 100 and has at most two decimals', () => {
  assert(
    property(anyBasis, (basis) => {
      const { value, breakdown } = scoreOf(basis);
      const cents = [breakdown.base, breakdown.limit, ...breakdown.parts.map(({ points }) => points)].map((points) =>
        Math.round(points * 100),
      );
      expect(cents.reduce((sum, part) => sum + part, 0)).toBe(Math.round(value * 100));
      expect(value).toBeGreaterThanOrEqual(0);
      expect(value).toBeLessThanOrEqual(100);
      expect(Number(value.toFixed(2))).toBe(value);
    }),
  );
});

test('the details of a rule are only texts, numbers and booleans', () => {
  assert(
    property(anyBasis, (basis) => {
      for (const { details } of scoreOf(basis).breakdown.parts)
        for (const detail of Object.values(details)) expect(['string', 'number', 'boolean']).toContain(typeof detail);
    }),
  );
});

/** For each kind of evidence: a function that makes two copies of a basis, with worse and with better evidence. */
const improvements: Record<string, (basis: ScoreBasis) => [worse: ScoreBasis, better: ScoreBasis]> = {
  'check digits': (basis) => vary(basis, 'document', { checkDigits: 'wrong' }, { checkDigits: 'right' }),
  'repeated digits': (basis) => vary(basis, 'document', { repeated: true }, { repeated: false }),
  'area code in use': (basis) => vary(basis, 'phone', { allocated: false }, { allocated: true }),
  'area code and postal code': (basis) => vary(basis, 'phone', { state: 'RJ' }, { state: 'SP' }, 'SP'),
  'state of the postal code': (basis) =>
    vary(basis, 'postalCode', { matchesStatedState: false }, { matchesStatedState: true }),
  'disposable mail domain': (basis) => vary(basis, 'email', { disposable: true }, { disposable: false }),
  'mail server': (basis) => vary(basis, 'email', { mailServer: 'none' }, { mailServer: 'found' }),
  'mail syntax': (basis) => vary(basis, 'email', { syntax: 'invalid' }, { syntax: 'valid' }),
  'owner of the card': (basis) => vary(basis, 'card', { ownerDocumentMatches: false }, { ownerDocumentMatches: true }),
  "mother's name": (basis) => vary(basis, 'mother', { sameAsPerson: true }, { sameAsPerson: false }),
};

/**
 * Two copies of a basis, with the worse and the better evidence in `field`. `postalCodeState`: the state of the postal code in both copies.
 */
function vary<Field extends keyof Evidence>(
  basis: ScoreBasis,
  field: Field,
  worse: Partial<Evidence[Field]>,
  better: Partial<Evidence[Field]>,
  postalCodeState?: string,
): [ScoreBasis, ScoreBasis] {
  const postalCodeFields = postalCodeState ? { postalCode: { state: postalCodeState } } : {};
  const initial = basisWith().evidence[field] ?? {};
  const withField = (change: Partial<Evidence[Field]>): ScoreBasis => {
    const changed = { ...(basis.evidence[field] ?? initial), ...change } as Evidence[Field];
    return { ...basis, evidence: { ...basis.evidence, ...postalCodeFields, [field]: changed } };
  };
  return [withField(worse), withField(better)];
}

test.each(Object.keys(improvements))('a score never falls when this evidence improves: %s', (name) => {
  assert(
    property(anyBasis, (basis) => {
      const [worse, better] = improvements[name]?.(basis) ?? [basis, basis];
      expect(scoreOf(better).value).toBeGreaterThanOrEqual(scoreOf(worse).value);
    }),
  );
});

const sharedDataKinds = ['Phone', 'Email', 'Card', 'Session', 'Identifier'] as const;

test.each(sharedDataKinds)('a score never rises when more documents share the %s', (kind) => {
  assert(
    property(anyBasis, nat(60), nat(60), (basis, few, more) => {
      const withDocuments = (documents: number): ScoreBasis => {
        const links = { pairs: [], countsByKind: { [kind]: { documents, denials: 0 } } };
        return { ...basis, evidence: { ...basis.evidence, links } };
      };
      const many = scoreOf(withDocuments(few + more));
      expect(many.value).toBeLessThanOrEqual(scoreOf(withDocuments(few)).value);
    }),
  );
});

test.each([
  ['Document', 'Phone'],
  ['Document', 'Email'],
] as const)('a score never falls when %s and %s were observed together on more dates', (...pair) => {
  assert(
    property(anyBasis, nat(12), nat(12), (basis, few, more) => {
      const withDates = (dates: number): ScoreBasis => {
        const links = { pairs: dates === 0 ? [] : [buildPairLink([...pair], dates)], countsByKind: {} };
        return { ...basis, evidence: { ...basis.evidence, links } };
      };
      expect(scoreOf(withDates(few + more)).value).toBeGreaterThanOrEqual(scoreOf(withDates(few)).value);
    }),
  );
});

test.each(['resemblesName', 'ownerNameLikeness'] as const)(
  'a score never falls when the similarity rises: %s',
  (field) => {
    assert(
      property(
        anyBasis,
        double({ min: 0, max: 1, noNaN: true }),
        double({ min: 0, max: 1, noNaN: true }),
        (basis, left, right) => {
          const withLikeness = (likeness: number): ScoreBasis => {
            const change =
              field === 'resemblesName'
                ? { email: { disposable: false, resemblesName: likeness } }
                : { card: { ownerNameLikeness: likeness } };
            return { ...basis, evidence: { ...basis.evidence, ...change } };
          };
          const [low, high] = [Math.min(left, right), Math.max(left, right)];
          expect(scoreOf(withLikeness(high)).value).toBeGreaterThanOrEqual(scoreOf(withLikeness(low)).value);
        },
      ),
    );
  },
);

test.each(['phoneConfirmedAt', 'emailConfirmedAt'] as const)(
  'a score never falls when the person confirms: %s',
  (fact) => {
    assert(
      property(anyBasis, (basis) => {
        const before = { ...basis, facts: {} };
        const after = { ...basis, facts: { [fact]: '2026-01-01T00:00:00.000Z' } };
        expect(scoreOf(after).value).toBeGreaterThanOrEqual(scoreOf(before).value);
      }),
    );
  },
);

test('a score falls strongly when the person denies', () => {
  const confirmedBasis = basisWith({}, { phoneConfirmedAt: '2026-01-01T00:00:00.000Z' });
  const deniedBasis = { ...confirmedBasis, facts: { ...confirmedBasis.facts, deniedAt: '2026-01-01T00:00:01.000Z' } };
  expect(scoreOf(confirmedBasis).value - scoreOf(deniedBasis).value).toBeGreaterThanOrEqual(50);
});

describe('a policy', () => {
  it('a policy applies exactly the rules that it lists', () => {
    const policy = { ...defaultPolicy, points: { 'DC001.Negativo': -12.34 } } satisfies Policy;
    const wrongDocument = { kind: 'CPF', checkDigits: 'wrong', repeated: true, alphanumeric: false } as const;
    const { value, breakdown } = scoreOf({ ...basisWith({ document: wrongDocument }), policy });
    expect(value).toBe(37.66);
    expect(breakdown.parts.map(({ rule }) => rule)).toEqual(['DC001.Negativo']);
    expect(breakdown.policy).toBe(policy.version);
  });

  it('a policy adds the points of each bureau finding once', () => {
    const text = { 'pt-BR': 'a', en: 'b', es: 'c' };
    const finding = (code: string, relevance: 'Positivo' | 'Neutro' | 'Negativo') => ({
      code,
      text,
      relevance,
      relatedTo: [],
    });
    const findings = [
      finding('XA001', 'Negativo'),
      finding('XA001', 'Negativo'),
      finding('XB002', 'Positivo'),
      finding('XC003', 'Neutro'),
    ];
    const policy: Policy = {
      ...defaultPolicy,
      points: { 'XB002.Positivo': 1.5 },
      bureau: { Positivo: 5, Negativo: -10 },
    };
    const { breakdown } = scoreOf({ ...basisWith({ bureau: { findings } }), policy });
    expect(breakdown.parts.map(({ rule, points }) => [rule, points])).toEqual([
      ['XA001.Negativo', -10],
      ['XB002.Positivo', 1.5],
      ['XC003.Neutro', 0],
    ]);
  });
});
