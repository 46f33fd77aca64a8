import type { CaseTable, Known } from './rule-cases';
import { sharedCases } from './shared-cases';

const blind = [{}, { card: {} }];

export const cardCases: CaseTable = {
  'CD001.Positivo': {
    fires: [[{ card: { ownerDocumentMatches: true } }, { strength: 1, details: { ownerDocumentMatches: true } }]],
    quiet: [[{ card: { ownerDocumentMatches: false } }, { ownerDocumentMatches: false }]],
    blind,
  },
  'CD001.Negativo': {
    fires: [[{ card: { ownerDocumentMatches: false } }, { strength: 1, details: { ownerDocumentMatches: false } }]],
    quiet: [[{ card: { ownerDocumentMatches: true } }, { ownerDocumentMatches: true }]],
    blind,
  },
  'CD002.Neutro': {
    fires: [[{ card: { binKnown: false } }, { strength: 1, details: { binKnown: false } }]],
    quiet: [[{ card: { binKnown: true, brand: 'Elo' } }, { binKnown: true }]],
    blind,
  },
  'CD003.Negativo': sharedCases('Card'),
  'CD004.Positivo': {
    fires: [
      [{ card: { ownerNameLikeness: 0.9 } }, { strength: 1, details: { likeness: 0.9 } }],
      [{ card: { ownerNameLikeness: 1 } }, { strength: 1, details: { likeness: 1 } }],
    ],
    quiet: [
      [{ card: { ownerNameLikeness: 0.8999 } }, { likeness: 0.89 }],
      [{ card: { ownerNameLikeness: 0.1 } }, { likeness: 0.1 }],
    ],
    blind,
  },
  'CD004.Negativo': {
    fires: [
      [{ card: { ownerNameLikeness: 0.5999 } }, { strength: 1, details: { likeness: 0.59 } }],
      [{ card: { ownerNameLikeness: 0 } }, { strength: 1, details: { likeness: 0 } }],
    ],
    quiet: [
      [{ card: { ownerNameLikeness: 0.6 } }, { likeness: 0.6 }],
      [{ card: { ownerNameLikeness: 0.95 } }, { likeness: 0.95 }],
    ],
    blind,
  },
  'SS001.Negativo': sharedCases('Session'),
  'ID001.Negativo': sharedCases('Identifier'),
  'CD005.Negativo': {
    fires: [
      [cards({ document: 4 }), { strength: 1, details: { cards: 4, withinDays: 30 } }],
      [cards({ document: 1, session: 12 }), { strength: 1, details: { cards: 12, withinDays: 30 } }],
    ],
    quiet: [[cards({ document: 3, session: 2 }), { cards: 3, withinDays: 30 }]],
    blind: [{}, { links: { pairs: [], spread: { Document: { denials: 0, cards: 9 } } } }, cards({})],
  },
};

/** A card that a document and a session have used together with this many other cards. */
function cards({ document, session }: { document?: number; session?: number }): Known {
  const of = (count: number | undefined) => (count === undefined ? { denials: 0 } : { denials: 0, cards: count });
  return { links: { pairs: [], spread: { Card: { denials: 0 }, Document: of(document), Session: of(session) } } };
}
