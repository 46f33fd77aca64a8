import type { CaseTable, RuleInput } from './rule-cases';
import { sharedCases } from './shared-cases';

const withoutEvidence = [{}, { card: {} }];

export const cardCases: CaseTable = {
  'CD001.Positivo': {
    holds: [[{ card: { ownerDocumentMatches: true } }, { strength: 1, details: { ownerDocumentMatches: true } }]],
    doesNotHold: [[{ card: { ownerDocumentMatches: false } }, { ownerDocumentMatches: false }]],
    withoutEvidence,
  },
  'CD001.Negativo': {
    holds: [[{ card: { ownerDocumentMatches: false } }, { strength: 1, details: { ownerDocumentMatches: false } }]],
    doesNotHold: [[{ card: { ownerDocumentMatches: true } }, { ownerDocumentMatches: true }]],
    withoutEvidence,
  },
  'CD002.Neutro': {
    holds: [[{ card: { binKnown: false } }, { strength: 1, details: { binKnown: false } }]],
    doesNotHold: [[{ card: { binKnown: true, brand: 'Elo' } }, { binKnown: true }]],
    withoutEvidence,
  },
  'CD003.Negativo': sharedCases('Card'),
  'CD004.Positivo': {
    holds: [
      [{ card: { ownerNameLikeness: 0.9 } }, { strength: 1, details: { likeness: 0.9 } }],
      [{ card: { ownerNameLikeness: 1 } }, { strength: 1, details: { likeness: 1 } }],
    ],
    doesNotHold: [
      [{ card: { ownerNameLikeness: 0.8999 } }, { likeness: 0.89 }],
      [{ card: { ownerNameLikeness: 0.1 } }, { likeness: 0.1 }],
    ],
    withoutEvidence,
  },
  'CD004.Negativo': {
    holds: [
      [{ card: { ownerNameLikeness: 0.5999 } }, { strength: 1, details: { likeness: 0.59 } }],
      [{ card: { ownerNameLikeness: 0 } }, { strength: 1, details: { likeness: 0 } }],
    ],
    doesNotHold: [
      [{ card: { ownerNameLikeness: 0.6 } }, { likeness: 0.6 }],
      [{ card: { ownerNameLikeness: 0.95 } }, { likeness: 0.95 }],
    ],
    withoutEvidence,
  },
  'SS001.Negativo': sharedCases('Session'),
  'ID001.Negativo': sharedCases('Identifier'),
  'CD005.Negativo': {
    holds: [
      [withCards({ document: 4 }), { strength: 1, details: { cards: 4, withinDays: 30 } }],
      [withCards({ document: 1, session: 12 }), { strength: 1, details: { cards: 12, withinDays: 30 } }],
    ],
    doesNotHold: [[withCards({ document: 3, session: 2 }), { cards: 3, withinDays: 30 }]],
    withoutEvidence: [
      {},
      { links: { pairs: [], countsByKind: { Document: { denials: 0, cards: 9 } } } },
      withCards({}),
    ],
  },
};

/** `document` and `session`: with how many cards each of them appeared. */
function withCards({ document, session }: { document?: number; session?: number }): RuleInput {
  const buildCounts = (count: number | undefined) =>
    count === undefined ? { denials: 0 } : { denials: 0, cards: count };
  return {
    links: {
      pairs: [],
      countsByKind: { Card: { denials: 0 }, Document: buildCounts(document), Session: buildCounts(session) },
    },
  };
}
