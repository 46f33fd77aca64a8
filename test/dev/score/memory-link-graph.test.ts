import * as fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { createRecorder } from '../../../activities/save-record';
import { type AssessedTransaction, findLinks } from '../../../scoring/evidence/links';
import { createMemoryLinkGraph } from '../../../dev/score/memory-link-graph';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import { personFactsOf } from '../../../dev/score/score-file';
import { newState } from '../../../domain/transactions/state';
import { createLogger } from '../../../platform/logger';
import { openPool } from '../../../platform/postgres/postgres';
import { testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';
import { testTransactionKeys } from '../../support/test-data-converter';
import { createTestLimits } from '../../support/test-limits';

const timeAt = (minute: number) => new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
const buildPhone = (number: number) => ({ countryCode: 55, areaCode: 11, number: 900_000_000 + number });

/** The assessed transaction. `minute`: its creation, in minutes after the start of 2026. */
function buildSubject(
  document: number,
  phone: number | undefined,
  minute: number,
  id: string = randomUUID(),
): AssessedTransaction {
  const input = { documentType: 'CPF', document: String(document).padStart(11, '0') };
  return {
    tenant: 'file',
    id,
    createdAt: timeAt(minute),
    input: phone === undefined ? input : { ...input, phone: buildPhone(phone) },
  };
}

const idsOf = (others: { transactionId: string }[]) => others.map(({ transactionId }) => transactionId);

// In all calls of `addAndFindRelated`, `own` means: only observations of the same tenant. 30 means: at most 30 days before or after the
// transaction.

it('a link graph in memory returns the newest fifty transactions of a value, and no more', async () => {
  const linkGraph = createMemoryLinkGraph();
  for (let minute = 0; minute < 60; minute += 1)
    await linkGraph.addAndFindRelated(buildSubject(minute, 1, minute, `t${minute}`), 'own', 30);
  const { others } = await linkGraph.addAndFindRelated(buildSubject(99, 1, 60), 'own', 30);
  expect(idsOf(others)).toEqual(Array.from({ length: 50 }, (_, index) => `t${59 - index}`));
});

it('a link graph in memory orders transactions by time, not by the order in which they were added', async () => {
  const linkGraph = createMemoryLinkGraph();
  for (const minute of [5, 1, 3])
    await linkGraph.addAndFindRelated(buildSubject(minute, 1, minute, `t${minute}`), 'own', 30);
  expect(idsOf((await linkGraph.addAndFindRelated(buildSubject(9, 1, 0), 'own', 30)).others)).toEqual([
    't5',
    't3',
    't1',
  ]);
});

it('a link graph in memory returns a transaction that shares two values, even if one of these values is very frequent', async () => {
  const linkGraph = createMemoryLinkGraph();
  await linkGraph.addAndFindRelated(buildSubject(1, 1, 0, 'pair'), 'own', 30);
  for (let minute = 1; minute < 300; minute += 1)
    await linkGraph.addAndFindRelated(buildSubject(1, 2, minute), 'own', 30);
  expect(idsOf((await linkGraph.addAndFindRelated(buildSubject(1, 1, 300), 'own', 30)).others)).toContain('pair');
});

it('a link graph in memory saves a transaction once, and never returns it as related to itself', async () => {
  const linkGraph = createMemoryLinkGraph();
  for (let times = 0; times < 3; times += 1) {
    expect((await linkGraph.addAndFindRelated(buildSubject(1, 1, 0, 'same'), 'own', 30)).others).toEqual([]);
  }
  expect(idsOf((await linkGraph.addAndFindRelated(buildSubject(1, 1, 1), 'own', 30)).others)).toEqual(['same']);
});

it('a link graph in memory keeps other transactions when one transaction is assessed many times', async () => {
  const linkGraph = createMemoryLinkGraph();
  await linkGraph.addAndFindRelated(buildSubject(1, 1, 0, 'older'), 'own', 30);
  for (let times = 0; times < 60; times += 1)
    await linkGraph.addAndFindRelated(buildSubject(2, 1, 1, 'again'), 'own', 30);
  expect(idsOf((await linkGraph.addAndFindRelated(buildSubject(3, 1, 2), 'own', 30)).others)).toEqual([
    'again',
    'older',
  ]);
});

it('a link graph in memory saves the facts of known transactions, and ignores the facts of unknown transactions', async () => {
  const linkGraph = createMemoryLinkGraph();
  linkGraph.addFacts('stranger', { phone: true, email: true, denied: true });
  await linkGraph.addAndFindRelated(buildSubject(1, 1, 0, 'known'), 'own', 30);
  linkGraph.addFacts('known', { phone: true, email: false, denied: true });
  linkGraph.addFacts('known', { phone: false, email: false, denied: false });
  const [related] = (await linkGraph.addAndFindRelated(buildSubject(1, 1, 1), 'own', 30)).others;
  expect(related).toMatchObject({ confirmed: { phone: true, email: false }, denied: true });
});

it('a link graph in memory stores no clear text', async () => {
  const linkGraph = createMemoryLinkGraph();
  const { own: ownObservation } = await linkGraph.addAndFindRelated(buildSubject(52998224725, 87654321, 0), 'own', 30);
  expect(JSON.stringify(ownObservation)).not.toMatch(/52998224725|87654321/);
});

describe('compared with the database', () => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.stop());

  const anyTransaction = fc.record({
    document: fc.integer({ min: 1, max: 3 }),
    phone: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
    facts: fc.record({ phone: fc.boolean(), email: fc.boolean(), denied: fc.boolean() }),
  });

  // A query reads at most 50 transactions of one value. Usually, more than 50 share a phone here, so this limit applies.
  it('a link graph in memory returns the same links as the database for the same transactions', async () => {
    const property = fc.asyncProperty(
      fc.array(anyTransaction, { minLength: 120, maxLength: 140 }),
      async (transactions) => {
        const pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'), 2);
        try {
          const [postgresGraph, memoryGraph] = [createPostgresLinkGraph(pool, testKeys), createMemoryLinkGraph()];
          const saveRecord = createRecorder({
            limits: createTestLimits(),
            pool,
            keys: testKeys,
            transactionKeys: testTransactionKeys,
            logger: createLogger('test', 'silent'),
          });
          for (const [minute, { document, phone, facts }] of transactions.entries()) {
            const subject = buildSubject(document, phone, minute * 700);
            const [postgresResult, memoryResult] = [
              await postgresGraph.addAndFindRelated(subject, 'own', 30),
              await memoryGraph.addAndFindRelated(subject, 'own', 30),
            ];
            expect(findLinks(memoryResult, 30)).toEqual(findLinks(postgresResult, 30));
            const personFacts = personFactsOf({ facts, createdAt: subject.createdAt });
            await saveRecord({ savedVersion: 0, state: { ...newState(subject), version: 1, facts: personFacts } });
            memoryGraph.addFacts(subject.id, facts);
          }
        } finally {
          await pool.end();
        }
      },
    );
    await fc.assert(property, { numRuns: 5 });
  });
});
