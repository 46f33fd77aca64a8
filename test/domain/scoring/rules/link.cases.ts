import type { Links, PairLink } from '../../../../domain/scoring/evidence';
import type { Cases, CaseTable, KnownEvidence } from './rule-cases';

type Counts = Pick<PairLink, 'dates' | 'times' | 'confirmed'>;

const alone = { denials: 0 };

const links = (pairs: PairLink[], spread: Links['spread']): KnownEvidence => ({ links: { pairs, spread } });

const pair = (left: PairLink['pair'][0], right: PairLink['pair'][1], counts: Partial<Counts>): PairLink => ({
  pair: [left, right],
  times: counts.dates ?? 1,
  dates: 1,
  firstDate: '2026-10-01',
  lastDate: '2026-11-01',
  exclusivity: 1,
  confirmed: 0,
  ...counts,
});

const both = { Document: alone, Phone: alone, Email: alone };

function togetherCases(own: 'Phone' | 'Email', other: 'Phone' | 'Email'): Cases {
  const observed = (counts: Partial<Counts>) => links([pair('Document', own, counts)], both);
  return {
    positive: [
      [observed({ dates: 1, times: 4 }), { strength: 0.5, details: { dates: 1, times: 4 } }],
      [observed({ dates: 2 }), { strength: 0.75, details: { dates: 2, times: 2 } }],
      [observed({ dates: 5 }), { strength: 0.968_75, details: { dates: 5, times: 5 } }],
    ],
    negative: [
      [links([], both), { dates: 0, times: 0 }],
      // However often on its own date.
      [observed({ dates: 0, times: 9 }), { dates: 0, times: 9 }],
      [
        links([pair('Document', other, { dates: 7 }), pair('Phone', 'Email', { dates: 7 })], both),
        { dates: 0, times: 0 },
      ],
    ],
    withoutEvidence: [
      {},
      links([], {}),
      links([pair('Document', other, { dates: 7 })], { Document: alone, [other]: alone }),
      links([], { [own]: alone }),
    ],
  };
}

export const linkCases: CaseTable = {
  'LK001.Positivo': togetherCases('Phone', 'Email'),
  'LK002.Positivo': togetherCases('Email', 'Phone'),
  'LK003.Positivo': {
    positive: [
      [
        links([pair('Document', 'Phone', { confirmed: 2 }), pair('Document', 'Email', {})], both),
        { strength: 1, details: { phone: 2, email: 0 } },
      ],
      [
        links([pair('Document', 'Phone', {}), pair('Document', 'Email', { confirmed: 1 })], both),
        { strength: 1, details: { phone: 0, email: 1 } },
      ],
      [
        links([pair('Document', 'Email', { confirmed: 1, dates: 0, times: 1 })], { Document: alone, Email: alone }),
        { strength: 1, details: { email: 1 } },
      ],
    ],
    negative: [
      [links([pair('Document', 'Phone', { dates: 9 })], both), { phone: 0, email: 0 }],
      [links([], { Document: alone, Phone: alone }), { phone: 0 }],
      [links([], { Document: alone, Email: alone }), { email: 0 }],
      // A stranger who enters a known address with their own phone.
      [links([pair('Document', 'Email', { confirmed: 1 })], both), { phone: 0, email: 1 }],
      [links([pair('Document', 'Phone', { confirmed: 2 })], both), { phone: 2, email: 0 }],
      // Confirmed, but by a person with another document.
      [links([pair('Phone', 'Email', { confirmed: 3 })], both), { phone: 0, email: 0 }],
    ],
    withoutEvidence: [{}, links([], { Document: alone }), links([], { Phone: alone, Email: alone })],
  },
  'LK005.Negativo': {
    positive: [
      [
        links([pair('Document', 'Email', {})], both),
        { strength: 1, details: { known: true, newPhone: true, newEmail: false } },
      ],
      [
        links([], { Document: { denials: 0, transactions: 2 }, Phone: alone, Email: alone }),
        { strength: 1, details: { known: true, newPhone: true, newEmail: true } },
      ],
    ],
    negative: [
      [links([], both), { known: false, newPhone: true, newEmail: true }],
      [
        links([pair('Document', 'Phone', {}), pair('Document', 'Email', {})], both),
        { known: true, newPhone: false, newEmail: false },
      ],
      [
        links([pair('Document', 'Phone', {})], { Document: alone, Phone: alone }),
        { known: true, newPhone: false, newEmail: false },
      ],
    ],
    withoutEvidence: [{}, links([], { Document: alone }), links([], { Phone: alone, Email: alone })],
  },
  'LK004.Negativo': {
    positive: [
      [
        links([], { Document: { denials: 1 }, Phone: alone, Email: alone }),
        { strength: 1, details: { document: 1, phone: 0, email: 0 } },
      ],
      [links([], { Document: alone, Phone: { denials: 3 } }), { strength: 1, details: { document: 0, phone: 3 } }],
      [links([], { Email: { denials: 1 } }), { strength: 1, details: { email: 1 } }],
    ],
    negative: [
      [links([], both), { document: 0, phone: 0, email: 0 }],
      // A shared session or card proves nothing about the person.
      [links([], { Document: alone, Card: { denials: 2 }, Session: { denials: 2 } }), { document: 0 }],
    ],
    withoutEvidence: [{}, links([], {}), links([], { Card: { denials: 2 } })],
  },
};
