import { assert, double, integer, property, record } from 'fast-check';
import { catalogue } from '../../../../domain/scoring/score';
import type { ObservedKind } from '../../../../domain/scoring/evidence';
import type { Thresholds } from '../../../../domain/scoring/policy';
import { ruleId } from '../../../../domain/scoring/rule';
import { buildContext, type RuleInput } from './rule-cases';
import { withDocuments } from './shared-cases';

function strengthOf(id: string, evidence: RuleInput): number {
  return catalogue.find((rule) => ruleId(rule) === id)?.evaluate(buildContext(evidence))?.strength ?? Number.NaN;
}

const anyShare = double({ min: 0, max: 1, noNaN: true });

/** Rules about a value that several documents share, with the kind of the value. */
const sharingRules = (['Phone', 'Email', 'Card', 'Session', 'Identifier'] as const).map((kind) => {
  const code = { Phone: 'PH004', Email: 'EM004', Card: 'CD003', Session: 'SS001', Identifier: 'ID001' }[kind];
  return [`${code}.Negativo`, kind] as const;
});

/** The document and a value were observed together on this many dates. */
const observedTogether = (kind: ObservedKind, dates: number): RuleInput => {
  const counts = { times: dates, dates, confirmed: 0, overlap: 1 };
  const pair = { pair: ['Document', kind] as ['Document', ObservedKind], ...counts, firstDate: '', lastDate: '' };
  return { links: { pairs: [pair], countsByKind: {} } };
};

it.each(sharingRules)(
  'the strength of %s grows with the number of documents, from 0.5 at the threshold towards 1',
  (id, kind) => {
    const anyInput = record({
      few: integer({ min: 1, max: 60 }),
      more: integer({ min: 0, max: 60 }),
      threshold: integer({ min: 2, max: 50 }),
    });
    assert(
      property(anyInput, ({ few, more, threshold }) => {
        const thresholds: Partial<Thresholds> = { sharedByDocuments: threshold };
        const strength = (documents: number) => strengthOf(id, { ...withDocuments(kind, documents), thresholds });
        expect(strength(few + more)).toBeGreaterThanOrEqual(strength(few));
        expect(strength(few + more)).toBeLessThan(1);
        expect(strength(threshold - 1)).toBe(0);
        expect(strength(threshold)).toBe(0.5);
        expect(strength(threshold + 1)).toBeGreaterThan(0.5);
      }),
    );
  },
);

it('the strength of EM003 grows with the similarity, from 0.5 at the threshold to 1', () => {
  const anyInput = record({ left: anyShare, right: anyShare, threshold: anyShare });
  assert(
    property(anyInput, ({ left, right, threshold }) => {
      const strength = (resemblesName: number) =>
        strengthOf('EM003.Positivo', {
          email: { disposable: false, resemblesName },
          thresholds: { mailboxResembles: threshold },
        });
      const [low, high] = left < right ? [left, right] : [right, left];
      expect(strength(high)).toBeGreaterThanOrEqual(strength(low));
      expect(strength(high)).toBeLessThanOrEqual(1);
      expect(strength(threshold)).toBe(threshold < 1 ? 0.5 : 1);
      expect(strength(1)).toBe(1);
    }),
  );
});

it.each([
  ['LK001.Positivo', 'Phone'],
  ['LK002.Positivo', 'Email'],
] as const)('the strength of %s grows with the number of dates, up to 1', (id, kind) => {
  const anyInput = record({ few: integer({ min: 0, max: 60 }), more: integer({ min: 1, max: 60 }) });
  assert(
    property(anyInput, ({ few, more }) => {
      const [less, greater] = [
        strengthOf(id, observedTogether(kind, few)),
        strengthOf(id, observedTogether(kind, few + more)),
      ];
      expect(greater).toBeGreaterThanOrEqual(less);
      // From about 53 dates on, a floating-point number cannot hold the difference from 1.
      if (few + more < 50) expect(greater).toBeGreaterThan(less);
      expect(greater).toBeLessThanOrEqual(1);
    }),
  );
});
