import {
  array,
  assert,
  boolean,
  constantFrom,
  integer,
  nat,
  option,
  property,
  record,
  shuffledSubarray,
} from 'fast-check';
import { findLinks } from '../../../activities/scoring/evidence/links';
import { type Links, type LinkVariable, linkVariables, type PairLink } from '../../../domain/scoring/evidence';
import type { Observation } from '../../../domain/scoring/observation';

const noon = Date.parse('2026-03-10T12:00:00.000Z');
const dayMs = 86_400_000;
const after = (days: number) => new Date(noon + days * dayMs).toISOString();

let count = 0;
function observation(values: Observation['values'], changes: Partial<Observation> = {}): Observation {
  count += 1;
  const confirmed = { phone: false, email: false };
  return { tenant: 'local', transactionId: `t${count}`, at: after(0), values, confirmed, denied: false, ...changes };
}

const own = observation({ Document: 'd', Phone: 'p', Email: 'e', ZipCode: 'z' });
const find = (others: Observation[], withinDays = 30, one = own) => findLinks({ subject: one, others }, withinDays);
const pairOf = (links: Links, left: LinkVariable, right: LinkVariable) =>
  links.pairs.find(({ pair }) => pair[0] === left && pair[1] === right);

describe('a pair', () => {
  it('that was never observed is missing', () => {
    expect(find([]).pairs).toEqual([]);
    expect(find([observation({ Document: 'd', Phone: 'other' }), observation({ Phone: 'p' })]).pairs).toEqual([]);
  });

  it('counts transactions, and dates other than its own', () => {
    const both = { Document: 'd', Phone: 'p' };
    const others = [-3, -3.1, 0.1, 5].map((days) => observation(both, { at: after(days) }));
    expect(find(others).pairs).toEqual([
      {
        pair: ['Document', 'Phone'],
        times: 4,
        dates: 2,
        firstDate: '2026-03-07',
        lastDate: '2026-03-15',
        exclusivity: 1,
        confirmed: 0,
      },
    ]);
  });

  it('uses dates in UTC', () => {
    const late = observation({ Document: 'd', Phone: 'p' }, { at: '2026-03-09T22:30:00-03:00' });
    expect(find([late]).pairs).toMatchObject([{ dates: 0, firstDate: '2026-03-10', lastDate: '2026-03-10' }]);
  });

  it('is less exclusive when one of its values often appears with others', () => {
    const others = [
      observation({ Document: 'd', Phone: 'p' }),
      observation({ Document: 'd', Phone: 'another' }),
      observation({ Document: 'another', Phone: 'p' }),
      observation({ Document: 'another', Phone: 'p' }),
      // Not relevant for the pair: a value is missing, or neither value is its own.
      observation({ Phone: 'p', Email: 'e' }),
      observation({ Document: 'another', Phone: 'another', ZipCode: 'z' }),
    ];
    expect(pairOf(find(others), 'Document', 'Phone')?.exclusivity).toBe(0.25);
  });

  it.each<[Observation['confirmed'], PairLink['pair'][]]>([
    [{ phone: true, email: false }, [['Document', 'Phone']]],
    [{ phone: false, email: true }, [['Document', 'Email']]],
    [
      { phone: true, email: true },
      [
        ['Document', 'Phone'],
        ['Document', 'Email'],
        ['Phone', 'Email'],
      ],
    ],
  ])('is confirmed when a person confirmed %j and that proves it', (confirmed, pairs) => {
    const { pairs: found } = find([observation(own.values, { confirmed }), observation(own.values)]);
    expect(found).toHaveLength(6);
    expect(found.filter((link) => link.confirmed === 1).map(({ pair }) => pair)).toEqual(pairs);
    expect(found.every(({ times, confirmed: times1 }) => times === 2 && times1 <= 1)).toBe(true);
  });
});

describe('the spread of a value', () => {
  it('counts other documents, each once', () => {
    const others = ['d', 'd2', 'd2', 'd3'].map((Document) => observation({ Document, Phone: 'p' }));
    expect(find([...others, observation({ Phone: 'p' }), observation({ Document: 'd4', Email: 'e' })]).spread).toEqual({
      Document: { transactions: 2, phones: 1, emails: 1, denials: 0 },
      Phone: { transactions: 6, documents: 3, denials: 0 },
      Email: { transactions: 2, documents: 2, denials: 0 },
    });
  });

  it('counts phones and e-mail addresses of a document', () => {
    const others = [
      observation({ Document: 'd', Phone: 'p2', Email: 'e' }),
      observation({ Document: 'd', Phone: 'p3', Email: 'e2' }),
      observation({ Document: 'other', Phone: 'p4', ZipCode: 'z' }),
    ];
    expect(find(others).spread.Document).toEqual({ transactions: 3, phones: 3, emails: 2, denials: 0 });
  });

  it('is limited to the days before and after, to the millisecond', () => {
    const at = [-30, 30, -30 - 1 / dayMs, 30 + 1 / dayMs];
    const others = at.map((days, index) => observation({ Document: `d${index}`, Phone: 'p' }, { at: after(days) }));
    expect(find(others).spread.Phone?.documents).toBe(3);
    expect(find(others, 31).spread.Phone?.documents).toBe(5);
  });

  it('counts all denials ever of the transactions that have the value', () => {
    const denied = { denied: true, at: after(-400) };
    const others = [
      observation({ Document: 'd2', Phone: 'p' }, denied),
      observation({ Document: 'd' }),
      observation({}, denied),
    ];
    const { Document, Phone, Email } = find(others).spread;
    expect([Document?.denials, Phone?.denials, Email?.denials]).toEqual([0, 1, 0]);
    expect(Phone?.documents).toBe(1);
  });

  it('covers the identifying values of the transaction, and no others', () => {
    const all = Object.fromEntries(linkVariables.map((variable) => [variable, variable]));
    const keys = ['Document', 'Phone', 'Email', 'Card', 'Session', 'Identifier'];
    expect(Object.keys(find([], 30, observation(all)).spread)).toEqual(keys);
    expect(find([observation(all)], 30, observation({})).spread).toEqual({});
  });
});

describe('for any observations', () => {
  const few = option(constantFrom('a', 'b', 'c'), { nil: undefined });
  const values = record(Object.fromEntries(linkVariables.map((variable) => [variable, few])));
  const anyObservation = record({
    values,
    day: integer({ min: -60, max: 60 }),
    phone: boolean(),
    email: boolean(),
    denied: boolean(),
  }).map(({ values: some, day, phone, email, denied }) =>
    observation(
      Object.fromEntries(Object.entries(some).filter(([, value]) => value !== undefined)) as Observation['values'],
      { at: after(day), confirmed: { phone, email }, denied },
    ),
  );
  const others = array(anyObservation, { maxLength: 12 });

  it('the order does not matter', () => {
    const shuffled = others.chain((list) =>
      shuffledSubarray(list, { minLength: list.length }).map((order) => [list, order] as const),
    );
    assert(
      property(anyObservation, shuffled, (one, [list, order]) => {
        expect(find(order, 30, one)).toEqual(find(list, 30, one));
      }),
    );
  });

  it('an additional observation lowers no count', () => {
    assert(
      property(anyObservation, others, anyObservation, nat(90), (one, list, added, withinDays) => {
        const [before, now] = [find(list, withinDays, one), find([...list, added], withinDays, one)];
        for (const link of before.pairs) {
          const same = pairOf(now, ...link.pair);
          for (const count of ['times', 'dates', 'confirmed'] as const)
            expect(same?.[count]).toBeGreaterThanOrEqual(link[count]);
        }
        for (const [variable, spread] of Object.entries(before.spread)) {
          const same = now.spread[variable as keyof Links['spread']];
          for (const [count, value] of Object.entries(spread) as [keyof typeof spread, number][])
            expect(same?.[count]).toBeGreaterThanOrEqual(value);
        }
      }),
    );
  });

  it('exclusivity is a share, and counts never exceed the observations', () => {
    assert(
      property(anyObservation, others, (one, list) => {
        for (const { times, dates, confirmed, exclusivity, firstDate, lastDate } of find(list, 30, one).pairs) {
          expect(exclusivity).toBeGreaterThan(0);
          expect(exclusivity).toBeLessThanOrEqual(1);
          expect(times).toBeLessThanOrEqual(list.length);
          expect(Math.max(dates, confirmed)).toBeLessThanOrEqual(times);
          expect(firstDate <= lastDate).toBe(true);
        }
      }),
    );
  });

  it('the own observation changes nothing', () => {
    assert(
      property(anyObservation, others, (one, list) => {
        expect(find([...list, { ...one, denied: true }], 30, one)).toEqual(find(list, 30, one));
      }),
    );
  });
});
