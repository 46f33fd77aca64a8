import type { Links, PairLink } from '../../../../domain/scoring/evidence';
import type { RuleCases, CaseTable, RuleInput } from './rule-cases';

type Counts = Pick<PairLink, 'dates' | 'times' | 'confirmed'>;

const noDenials = { denials: 0 };

const withLinks = (pairs: PairLink[], countsByKind: Links['countsByKind']): RuleInput => ({
  links: { pairs, countsByKind },
});

const buildPair = (left: PairLink['pair'][0], right: PairLink['pair'][1], counts: Partial<Counts>): PairLink => ({
  pair: [left, right],
  times: counts.dates ?? 1,
  dates: 1,
  firstDate: '2026-10-01',
  lastDate: '2026-11-01',
  overlap: 1,
  confirmed: 0,
  ...counts,
});

/** A transaction with a document, a phone and a mailbox. */
const phoneAndEmail = { Document: noDenials, Phone: noDenials, Email: noDenials };

/** A rule that holds if other transactions had the document together with the phone or the mailbox (`kind`). */
function togetherCases(kind: 'Phone' | 'Email', otherKind: 'Phone' | 'Email'): RuleCases {
  const withPair = (counts: Partial<Counts>) => withLinks([buildPair('Document', kind, counts)], phoneAndEmail);
  return {
    holds: [
      [withPair({ dates: 1, times: 4 }), { strength: 0.5, details: { dates: 1, times: 4 } }],
      [withPair({ dates: 2 }), { strength: 0.75, details: { dates: 2, times: 2 } }],
      [withPair({ dates: 5 }), { strength: 0.968_75, details: { dates: 5, times: 5 } }],
    ],
    doesNotHold: [
      [withLinks([], phoneAndEmail), { dates: 0, times: 0 }],
      // The date of the transaction itself does not count.
      [withPair({ dates: 0, times: 9 }), { dates: 0, times: 9 }],
      [
        withLinks(
          [buildPair('Document', otherKind, { dates: 7 }), buildPair('Phone', 'Email', { dates: 7 })],
          phoneAndEmail,
        ),
        { dates: 0, times: 0 },
      ],
    ],
    withoutEvidence: [
      {},
      withLinks([], {}),
      withLinks([buildPair('Document', otherKind, { dates: 7 })], {
        Document: noDenials,
        [otherKind]: noDenials,
      }),
      withLinks([], { [kind]: noDenials }),
    ],
  };
}

export const linkCases: CaseTable = {
  'LK001.Positivo': togetherCases('Phone', 'Email'),
  'LK002.Positivo': togetherCases('Email', 'Phone'),
  'LK003.Positivo': {
    holds: [
      [
        withLinks(
          [buildPair('Document', 'Phone', { confirmed: 2 }), buildPair('Document', 'Email', {})],
          phoneAndEmail,
        ),
        { strength: 1, details: { phone: 2, email: 0 } },
      ],
      [
        withLinks(
          [buildPair('Document', 'Phone', {}), buildPair('Document', 'Email', { confirmed: 1 })],
          phoneAndEmail,
        ),
        { strength: 1, details: { phone: 0, email: 1 } },
      ],
      [
        withLinks([buildPair('Document', 'Email', { confirmed: 1, dates: 0, times: 1 })], {
          Document: noDenials,
          Email: noDenials,
        }),
        { strength: 1, details: { email: 1 } },
      ],
    ],
    doesNotHold: [
      [withLinks([buildPair('Document', 'Phone', { dates: 9 })], phoneAndEmail), { phone: 0, email: 0 }],
      [withLinks([], { Document: noDenials, Phone: noDenials }), { phone: 0 }],
      [withLinks([], { Document: noDenials, Email: noDenials }), { email: 0 }],
      // Only the e-mail address was confirmed: a stranger can enter it with their own phone.
      [withLinks([buildPair('Document', 'Email', { confirmed: 1 })], phoneAndEmail), { phone: 0, email: 1 }],
      [withLinks([buildPair('Document', 'Phone', { confirmed: 2 })], phoneAndEmail), { phone: 2, email: 0 }],
      // Phone and e-mail address were confirmed, but with another document.
      [withLinks([buildPair('Phone', 'Email', { confirmed: 3 })], phoneAndEmail), { phone: 0, email: 0 }],
    ],
    withoutEvidence: [
      {},
      withLinks([], { Document: noDenials }),
      withLinks([], { Phone: noDenials, Email: noDenials }),
    ],
  },
  'LK005.Negativo': {
    holds: [
      [
        withLinks([buildPair('Document', 'Email', {})], phoneAndEmail),
        { strength: 1, details: { known: true, newPhone: true, newEmail: false } },
      ],
      [
        withLinks([], { Document: { denials: 0, transactions: 2 }, Phone: noDenials, Email: noDenials }),
        { strength: 1, details: { known: true, newPhone: true, newEmail: true } },
      ],
    ],
    doesNotHold: [
      [withLinks([], phoneAndEmail), { known: false, newPhone: true, newEmail: true }],
      [
        withLinks([buildPair('Document', 'Phone', {}), buildPair('Document', 'Email', {})], phoneAndEmail),
        { known: true, newPhone: false, newEmail: false },
      ],
      [
        withLinks([buildPair('Document', 'Phone', {})], { Document: noDenials, Phone: noDenials }),
        { known: true, newPhone: false, newEmail: false },
      ],
    ],
    withoutEvidence: [
      {},
      withLinks([], { Document: noDenials }),
      withLinks([], { Phone: noDenials, Email: noDenials }),
    ],
  },
  'LK004.Negativo': {
    holds: [
      [
        withLinks([], { Document: { denials: 1 }, Phone: noDenials, Email: noDenials }),
        { strength: 1, details: { document: 1, phone: 0, email: 0 } },
      ],
      [
        withLinks([], { Document: noDenials, Phone: { denials: 3 } }),
        { strength: 1, details: { document: 0, phone: 3 } },
      ],
      [withLinks([], { Email: { denials: 1 } }), { strength: 1, details: { email: 1 } }],
    ],
    doesNotHold: [
      [withLinks([], phoneAndEmail), { document: 0, phone: 0, email: 0 }],
      // A shared session or card proves nothing about the person, so denials with it do not count.
      [withLinks([], { Document: noDenials, Card: { denials: 2 }, Session: { denials: 2 } }), { document: 0 }],
    ],
    withoutEvidence: [{}, withLinks([], {}), withLinks([], { Card: { denials: 2 } })],
  },
};
