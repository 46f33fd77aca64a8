import { createAssessor, createReassessor } from '../../../activities/scoring/assess';
import { createRecorder } from '../../../activities/save-record';
import { createMailServers } from '../../../scoring/evidence/email';
import { openPolicies } from '../../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import { withAssessment } from '../../../domain/transactions/outcome';
import { withScore, withReassessment } from '../../../domain/scoring/assess';
import type { TransactionState } from '../../../domain/transactions/state';
import type { TransactionInput } from '../../../domain/transactions/input';
import { createLogger } from '../../../platform/logger';
import type { Pool } from '../../../platform/postgres/postgres';
import { createCpf } from '../../acceptance/support/create-cpf';
import { buildState, addMs, testKeys } from '../../support/build';
import { useTestPool } from '../../support/test-pool';
import { testTransactionKeys } from '../../support/test-data-converter';
import { createTestLimits } from '../../support/test-limits';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const dayMs = 86_400_000;
const startedAt = '2026-03-01T12:00:00.000Z';

/** Creates, confirms, denies and reassesses transactions as the service does. */
function createScoring() {
  const dependencies = {
    pool,
    transactionKeys: testTransactionKeys,
    logger: createLogger('test', 'silent'),
    linkGraph: createPostgresLinkGraph(pool, testKeys),
    mailServers: createMailServers({ timeoutMs: 0 }),
    policies: openPolicies(undefined),
  };
  const saveRecord = createRecorder({
    limits: createTestLimits(),
    pool,
    keys: testKeys,
    transactionKeys: testTransactionKeys,
    logger: createLogger('test', 'silent'),
  });
  return {
    create: async (input: Partial<TransactionInput>, at: string): Promise<TransactionState> => {
      const state = buildState(input, at);
      const { version, ...assessedState } = withAssessment(state, await createAssessor(dependencies)(state));
      return { ...assessedState, version: version + 1 };
    },
    confirmPhone: async (state: TransactionState, at: string): Promise<TransactionState> => {
      const confirmedState = withScore(
        { ...state, facts: { phoneConfirmedAt: at }, version: state.version + 1 },
        'PhoneChecked',
        at,
      );
      await saveRecord({ savedVersion: state.version, state: confirmedState });
      return confirmedState;
    },
    deny: async (state: TransactionState): Promise<void> => {
      await saveRecord({
        savedVersion: state.version,
        state: { ...state, facts: { deniedAt: state.createdAt }, version: state.version + 1 },
      });
    },
    reassess: async (state: TransactionState): Promise<TransactionState> => {
      const { tenant, id, input, createdAt } = state;
      return withReassessment(
        state,
        await createReassessor(dependencies)({ tenant, id, input, createdAt, earlierLookups: {} }),
        createdAt,
      );
    },
  };
}

/** The fiscal region of the document does not contain the state of the phones, so only the link graph can link document and phone. */
const newPerson = () => ({ document: createCpf(0) });
const phoneRating = (state: TransactionState) =>
  state.ratings.findLast(({ relatedTo }) => relatedTo.join('-') === 'Document-Phone')?.value;
const latestScore = (state: TransactionState) => state.scores.at(-1)?.value ?? Number.NaN;
const insightCodes = (state: TransactionState) => state.findings.map(({ code }) => code);
const buildPhone = (number: number) => ({ countryCode: 55, areaCode: 11, number });

test('ten transactions of an honest person raise the ratings step by step', async () => {
  const { create, confirmPhone } = createScoring();
  const input = { ...newPerson(), email: 'maria.silva@acme.example', phone: buildPhone(981_000_001) };
  const transactions: TransactionState[] = [];
  for (let index = 0; index < 10; index += 1) transactions.push(await create(input, addMs(startedAt, index * dayMs)));
  expect(transactions.map(phoneRating)).toEqual([2, 3, 4, 4, 4, 4, 4, 4, 4, 4]);
  const scores = transactions.map(latestScore);
  for (const [index, score] of scores.entries()) expect(score).toBeGreaterThanOrEqual(scores[index - 1] ?? 0);
  expect(scores[9]).toBeGreaterThan((scores[0] ?? 0) + 10);
  const lastTransaction = transactions.at(-1);
  if (!lastTransaction) throw new Error('There was no transaction.');
  const confirmedTransaction = await confirmPhone(lastTransaction, addMs(startedAt, 10 * dayMs));
  expect(phoneRating(confirmedTransaction)).toBe(5);
  const nextTransaction = await create(input, addMs(startedAt, 11 * dayMs));
  expect(phoneRating(nextTransaction)).toBe(4);
  expect(insightCodes(nextTransaction)).toContain('LK003');
  expect(latestScore(nextTransaction)).toBeGreaterThan(scores[9] ?? 0);
});

/** A ring: several persons who use the same phone, mailbox or session. */
test('a ring of eight documents has insights about its shared values, and lower scores than every honest person', async () => {
  const { create, reassess } = createScoring();
  const sharedInput = { email: 'anyone@acme.example', phone: buildPhone(981_000_002), sessionId: 'one-session' };
  const ring: TransactionState[] = [];
  const honestPersons: TransactionState[] = [];
  for (let member = 0; member < 8; member += 1) {
    const at = addMs(startedAt, member * 60_000);
    ring.push(await create({ ...newPerson(), ...sharedInput }, at));
    const ownInput = {
      email: `person${member}@acme.example`,
      phone: buildPhone(982_000_000 + member),
      sessionId: `s-${member}`,
    };
    honestPersons.push(await create({ ...newPerson(), ...ownInput }, at));
  }
  const reassessedRing = await Promise.all(ring.map(reassess));
  const reassessedHonest = await Promise.all(honestPersons.map(reassess));
  for (const state of reassessedRing)
    expect(insightCodes(state)).toEqual(expect.arrayContaining(['PH004', 'EM004', 'SS001']));
  for (const state of reassessedHonest)
    for (const code of ['PH004', 'EM004', 'SS001']) expect(insightCodes(state)).not.toContain(code);
  const [highestRingScore, lowestHonestScore] = [
    Math.max(...reassessedRing.map(latestScore)),
    Math.min(...reassessedHonest.map(latestScore)),
  ];
  console.log(`ring: at most ${highestRingScore}; honest: at least ${lowestHonestScore}`);
  expect(highestRingScore).toBeLessThan(lowestHonestScore);
  // The first assessment of the third and each later document already finds the ring.
  for (const state of ring.slice(2)) expect(insightCodes(state)).toContain('PH004');
});

test('later transactions hide neither a ring nor a denial', async () => {
  const { create, reassess, deny } = createScoring();
  const sharedInput = { email: 'ring@acme.example', phone: buildPhone(981_000_004) };
  const ring: TransactionState[] = [];
  for (let member = 0; member < 4; member += 1)
    ring.push(await create({ ...newPerson(), ...sharedInput }, addMs(startedAt, member * 60_000)));
  const [firstMember] = ring;
  if (!firstMember) throw new Error('There is no ring.');
  await deny(firstMember);
  const laterInput = { ...newPerson(), ...sharedInput };
  for (let times = 0; times < 60; times += 1) await create(laterInput, addMs(startedAt, 40 * dayMs + times * 60_000));
  const lastTransaction = await create(laterInput, addMs(startedAt, 41 * dayMs));
  expect(insightCodes(lastTransaction)).toContain('LK004');
  expect(insightCodes(lastTransaction)).not.toContain('PH004');
  // PH005 and EM006 say that many transactions use one phone and one mailbox.
  expect(insightCodes(lastTransaction)).toEqual(expect.arrayContaining(['PH005', 'EM006']));
  expect(insightCodes(await reassess(firstMember))).toEqual(expect.arrayContaining(['PH004', 'EM004']));
});

test('the ring of another tenant does not affect a tenant', async () => {
  const { reassess, create } = createScoring();
  const sharedInput = { email: 'someone@acme.example', phone: buildPhone(981_000_003) };
  const state = await create({ ...newPerson(), ...sharedInput }, startedAt);
  for (let member = 0; member < 5; member += 1)
    await create({ ...newPerson(), ...sharedInput }, addMs(startedAt, member));
  const otherTenantState = await reassess({ ...state, tenant: 'other', id: `${state.id}x` });
  expect(insightCodes(otherTenantState)).not.toContain('PH004');
});
