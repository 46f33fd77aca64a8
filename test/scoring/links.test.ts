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
import { findLinks } from '../../scoring/evidence/links';
import {
  type Links,
  type Observation,
  type ObservedKind,
  observedKinds,
  type PairLink,
} from '../../domain/scoring/evidence';

const noon = Date.parse('2026-03-10T12:00:00.000Z');
const dayMs = 86_400_000;
const daysLater = (days: number) => new Date(noon + days * dayMs).toISOString();

let observationCount = 0;
function buildObservation(values: Observation['values'], changes: Partial<Observation> = {}): Observation {
  observationCount += 1;
  const confirmed = { phone: false, email: false };
  return {
    tenant: 'local',
    transactionId: `t${observationCount}`,
    at: daysLater(0),
    values,
    confirmed,
    denied: false,
    ...changes,
  };
}

/** The observation of the transaction whose links are computed. */
const ownObservation = buildObservation({ Document: 'd', Phone: 'p', Email: 'e', ZipCode: 'z' });
/** The links of `observation` to `others`. */
const find = (others: Observation[], withinDays = 30, observation = ownObservation) =>
  findLinks({ own: observation, others }, withinDays);
const findPair = (links: Links, left: ObservedKind, right: ObservedKind) =>
  links.pairs.find(({ pair }) => pair[0] === left && pair[1] === right);

describe('a pair', () => {
  it('a pair is missing if its two values were never observed together', () => {
    expect(find([]).pairs).toEqual([]);
    expect(find([buildObservation({ Document: 'd', Phone: 'other' }), buildObservation({ Phone: 'p' })]).pairs).toEqual(
      [],
    );
  });

  it('a pair has the number of its transactions and the number of their dates; the date of the new transaction does not count', () => {
    const both = { Document: 'd', Phone: 'p' };
    const others = [-3, -3.1, 0.1, 5].map((days) => buildObservation(both, { at: daysLater(days) }));
    expect(find(others).pairs).toEqual([
      {
        pair: ['Document', 'Phone'],
        times: 4,
        dates: 2,
        firstDate: '2026-03-07',
        lastDate: '2026-03-15',
        overlap: 1,
        confirmed: 0,
      },
    ]);
  });

  it('a pair uses dates in UTC', () => {
    const lateObservation = buildObservation({ Document: 'd', Phone: 'p' }, { at: '2026-03-09T22:30:00-03:00' });
    expect(find([lateObservation]).pairs).toMatchObject([
      { dates: 0, firstDate: '2026-03-10', lastDate: '2026-03-10' },
    ]);
  });

  it('a pair has a lower overlap when one of its values often appears with other values', () => {
    const others = [
      buildObservation({ Document: 'd', Phone: 'p' }),
      buildObservation({ Document: 'd', Phone: 'another' }),
      buildObservation({ Document: 'another', Phone: 'p' }),
      buildObservation({ Document: 'another', Phone: 'p' }),
      // These two do not count for the pair: the first has no document, and the second has another document and another phone.
      buildObservation({ Phone: 'p', Email: 'e' }),
      buildObservation({ Document: 'another', Phone: 'another', ZipCode: 'z' }),
    ];
    expect(findPair(find(others), 'Document', 'Phone')?.overlap).toBe(0.25);
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
  ])('a pair is confirmed if the facts of a transaction prove it: %j', (confirmed, pairs) => {
    const { pairs: foundPairs } = find([
      buildObservation(ownObservation.values, { confirmed }),
      buildObservation(ownObservation.values),
    ]);
    expect(foundPairs).toHaveLength(6);
    expect(foundPairs.filter((link) => link.confirmed === 1).map(({ pair }) => pair)).toEqual(pairs);
    expect(foundPairs.every(({ times, confirmed: confirmedCount }) => times === 2 && confirmedCount <= 1)).toBe(true);
  });
});

describe('the counts of a value', () => {
  it('the counts of a value count each document once', () => {
    const others = ['d', 'd2', 'd2', 'd3'].map((Document) => buildObservation({ Document, Phone: 'p' }));
    expect(
      find([...others, buildObservation({ Phone: 'p' }), buildObservation({ Document: 'd4', Email: 'e' })])
        .countsByKind,
    ).toEqual({
      Document: { transactions: 2, phones: 1, emails: 1, denials: 0 },
      Phone: { transactions: 6, documents: 3, denials: 0 },
      Email: { transactions: 2, documents: 2, denials: 0 },
    });
  });

  it('the counts of a document count its phones and e-mail addresses', () => {
    const others = [
      buildObservation({ Document: 'd', Phone: 'p2', Email: 'e' }),
      buildObservation({ Document: 'd', Phone: 'p3', Email: 'e2' }),
      buildObservation({ Document: 'other', Phone: 'p4', ZipCode: 'z' }),
    ];
    expect(find(others).countsByKind.Document).toEqual({ transactions: 3, phones: 3, emails: 2, denials: 0 });
  });

  it('the counts of a value include observations up to 30 days before and after the transaction, to the millisecond', () => {
    const at = [-30, 30, -30 - 1 / dayMs, 30 + 1 / dayMs];
    const others = at.map((days, index) =>
      buildObservation({ Document: `d${index}`, Phone: 'p' }, { at: daysLater(days) }),
    );
    expect(find(others).countsByKind.Phone?.documents).toBe(3);
    expect(find(others, 31).countsByKind.Phone?.documents).toBe(5);
  });

  it('the counts of a value include all denials of transactions with this value, even of very old transactions', () => {
    const deniedChanges = { denied: true, at: daysLater(-400) };
    const others = [
      buildObservation({ Document: 'd2', Phone: 'p' }, deniedChanges),
      buildObservation({ Document: 'd' }),
      buildObservation({}, deniedChanges),
    ];
    const { Document, Phone, Email } = find(others).countsByKind;
    expect([Document?.denials, Phone?.denials, Email?.denials]).toEqual([0, 1, 0]);
    expect(Phone?.documents).toBe(1);
  });

  it('only the document, phone, e-mail, card, session and identifier of the transaction itself have counts', () => {
    const allValues = Object.fromEntries(observedKinds.map((kind) => [kind, kind]));
    const keys = ['Document', 'Phone', 'Email', 'Card', 'Session', 'Identifier'];
    expect(Object.keys(find([], 30, buildObservation(allValues)).countsByKind)).toEqual(keys);
    expect(find([buildObservation(allValues)], 30, buildObservation({})).countsByKind).toEqual({});
  });
});

describe('for any observations', () => {
  const anyValue = option(constantFrom('a', 'b', 'c'), { nil: undefined });
  const anyValues = record(Object.fromEntries(observedKinds.map((kind) => [kind, anyValue])));
  const anyObservation = record({
    values: anyValues,
    day: integer({ min: -60, max: 60 }),
    phone: boolean(),
    email: boolean(),
    denied: boolean(),
  }).map(({ values: optionalValues, day, phone, email, denied }) =>
    buildObservation(
      Object.fromEntries(
        Object.entries(optionalValues).filter(([, value]) => value !== undefined),
      ) as Observation['values'],
      { at: daysLater(day), confirmed: { phone, email }, denied },
    ),
  );
  const anyOthers = array(anyObservation, { maxLength: 12 });

  it('the order of the observations does not change the links', () => {
    const anyShuffled = anyOthers.chain((list) =>
      shuffledSubarray(list, { minLength: list.length }).map((order) => [list, order] as const),
    );
    assert(
      property(anyObservation, anyShuffled, (one, [list, order]) => {
        expect(find(order, 30, one)).toEqual(find(list, 30, one));
      }),
    );
  });

  it('an additional observation lowers no count', () => {
    assert(
      property(anyObservation, anyOthers, anyObservation, nat(90), (one, list, added, withinDays) => {
        const [linksBefore, linksAfter] = [find(list, withinDays, one), find([...list, added], withinDays, one)];
        for (const link of linksBefore.pairs) {
          const pairAfter = findPair(linksAfter, ...link.pair);
          for (const count of ['times', 'dates', 'confirmed'] as const)
            expect(pairAfter?.[count]).toBeGreaterThanOrEqual(link[count]);
        }
        for (const [kind, countsByKind] of Object.entries(linksBefore.countsByKind)) {
          const spreadAfter = linksAfter.countsByKind[kind as keyof Links['countsByKind']];
          for (const [count, value] of Object.entries(countsByKind) as [keyof typeof countsByKind, number][])
            expect(spreadAfter?.[count]).toBeGreaterThanOrEqual(value);
        }
      }),
    );
  });

  it('the overlap of a pair is above 0 and at most 1, and no count exceeds the number of observations', () => {
    assert(
      property(anyObservation, anyOthers, (one, list) => {
        for (const { times, dates, confirmed, overlap, firstDate, lastDate } of find(list, 30, one).pairs) {
          expect(overlap).toBeGreaterThan(0);
          expect(overlap).toBeLessThanOrEqual(1);
          expect(times).toBeLessThanOrEqual(list.length);
          expect(Math.max(dates, confirmed)).toBeLessThanOrEqual(times);
          expect(firstDate <= lastDate).toBe(true);
        }
      }),
    );
  });

  it('an observation of the transaction itself does not change the links', () => {
    assert(
      property(anyObservation, anyOthers, (one, list) => {
        expect(find([...list, { ...one, denied: true }], 30, one)).toEqual(find(list, 30, one));
      }),
    );
  });
});
