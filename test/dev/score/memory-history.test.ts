import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../../activities/save-record';
import { findLinks } from '../../../activities/scoring/evidence/links';
import type { Subject } from '../../../activities/scoring/history';
import { createMemoryHistory } from '../../../dev/score/memory-history';
import { createPostgresHistory } from '../../../activities/scoring/postgres-history';
import type { PersonFacts } from '../../../domain/person-facts';
import { newState } from '../../../domain/state';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const phoneOf = (number: number) => ({ countryCode: 55, areaCode: 11, number: 900_000_000 + number });

function subject(document: number, phone: number | undefined, minute: number, id: string = randomUUID()): Subject {
  const input = { documentType: 'CPF', document: String(document).padStart(11, '0') };
  return {
    tenant: 'file',
    id,
    createdAt: at(minute),
    input: phone === undefined ? input : { ...input, phone: phoneOf(phone) },
  };
}

const idsOf = (others: { transactionId: string }[]) => others.map(({ transactionId }) => transactionId);

it('returns the newest fifty transactions of a value, and no more', async () => {
  const history = createMemoryHistory();
  for (let minute = 0; minute < 60; minute += 1)
    await history.observe(subject(minute, 1, minute, `t${minute}`), 'own', 30);
  const { others } = await history.observe(subject(99, 1, 60), 'own', 30);
  expect(idsOf(others)).toEqual(Array.from({ length: 50 }, (_, index) => `t${59 - index}`));
});

it('orders by time, not by line', async () => {
  const history = createMemoryHistory();
  for (const minute of [5, 1, 3]) await history.observe(subject(minute, 1, minute, `t${minute}`), 'own', 30);
  expect(idsOf((await history.observe(subject(9, 1, 0), 'own', 30)).others)).toEqual(['t5', 't3', 't1']);
});

it('keeps a pair although one of its values is very frequent', async () => {
  const history = createMemoryHistory();
  await history.observe(subject(1, 1, 0, 'pair'), 'own', 30);
  for (let minute = 1; minute < 300; minute += 1) await history.observe(subject(1, 2, minute), 'own', 30);
  expect(idsOf((await history.observe(subject(1, 1, 300), 'own', 30)).others)).toContain('pair');
});

it('saves a transaction once, and never returns it as its own related transaction', async () => {
  const history = createMemoryHistory();
  for (let times = 0; times < 3; times += 1) {
    expect((await history.observe(subject(1, 1, 0, 'same'), 'own', 30)).others).toEqual([]);
  }
  expect(idsOf((await history.observe(subject(1, 1, 1), 'own', 30)).others)).toEqual(['same']);
});

it('does not displace others by a repeated assessment', async () => {
  const history = createMemoryHistory();
  await history.observe(subject(1, 1, 0, 'older'), 'own', 30);
  for (let times = 0; times < 60; times += 1) await history.observe(subject(2, 1, 1, 'again'), 'own', 30);
  expect(idsOf((await history.observe(subject(3, 1, 2), 'own', 30)).others)).toEqual(['again', 'older']);
});

it('keeps its facts, and ignores those of unknown transactions', async () => {
  const history = createMemoryHistory();
  history.addFacts('stranger', { phone: true, email: true, denied: true });
  await history.observe(subject(1, 1, 0, 'known'), 'own', 30);
  history.addFacts('known', { phone: true, email: false, denied: true });
  history.addFacts('known', { phone: false, email: false, denied: false });
  const [related] = (await history.observe(subject(1, 1, 1), 'own', 30)).others;
  expect(related).toMatchObject({ confirmed: { phone: true, email: false }, denied: true });
});

it('stores no clear text', async () => {
  const history = createMemoryHistory();
  const { subject: own } = await history.observe(subject(52998224725, 87654321, 0), 'own', 30);
  expect(JSON.stringify(own)).not.toMatch(/52998224725|87654321/);
});

describe('compared with the database', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const step = fc.record({
    document: fc.integer({ min: 1, max: 3 }),
    phone: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
    facts: fc.record({ phone: fc.boolean(), email: fc.boolean(), denied: fc.boolean() }),
  });

  /** Both must return the same links at each step. The lines are enough to exceed the read limit of a value. */
  it('returns the same links for the same transactions', async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 120, maxLength: 140 }), async (steps) => {
      const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
      try {
        const [stored, memory] = [createPostgresHistory(pool, testKeys), createMemoryHistory()];
        const record = createRecorder(pool, testKeys, createLogger('test', 'silent'));
        for (const [minute, { document, phone, facts }] of steps.entries()) {
          const one = subject(document, phone, minute * 700);
          const [there, here] = [await stored.observe(one, 'own', 30), await memory.observe(one, 'own', 30)];
          expect(findLinks(here, 30)).toEqual(findLinks(there, 30));
          const happened = Object.entries(facts).filter(([, known]) => known);
          const known: PersonFacts = Object.fromEntries(happened.map(([fact]) => [fact, one.createdAt]));
          await record({ state: { ...newState(one), version: 1, facts: known } });
          memory.addFacts(one.id, facts);
        }
      } finally {
        await pool.end();
      }
    });
    await fc.assert(property, { numRuns: 5 });
  });
});
