import { createAssessor, createReassessor } from '../../../activities/assess';
import { createRecorder } from '../../../activities/save-record';
import { createMailServers } from '../../../activities/scoring/dns-mail-servers';
import { openPolicies } from '../../../activities/scoring/policy/policies';
import { createPostgresHistory } from '../../../activities/scoring/postgres-history';
import { withAssessment } from '../../../domain/outcome';
import { withScore, withReassessment } from '../../../domain/scoring/assess';
import type { TransactionState } from '../../../domain/state';
import type { TransactionInput } from '../../../domain/transaction';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres';
import { createCpf } from '../../acceptance/support/create-cpf';
import { buildState, addMs, testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

const dayMs = 86_400_000;
const startedAt = '2026-03-01T12:00:00.000Z';

function engine() {
  const dependencies = {
    pool,
    logger: createLogger('test', 'silent'),
    history: createPostgresHistory(pool, testKeys),
    mailServers: createMailServers({ timeoutMs: 0 }),
    policies: openPolicies(undefined),
  };
  const record = createRecorder(pool, testKeys, createLogger('test', 'silent'));
  return {
    create: async (input: Partial<TransactionInput>, at: string): Promise<TransactionState> => {
      const state = buildState(input, at);
      const { version, ...first } = withAssessment(state, await createAssessor(dependencies)(state));
      return { ...first, version: version + 1 };
    },
    confirmPhone: async (state: TransactionState, at: string): Promise<TransactionState> => {
      const confirmed = withScore({ ...state, facts: { phone: at }, version: state.version + 1 }, 'PhoneChecked', at);
      await record({ state: confirmed });
      return confirmed;
    },
    deny: async (state: TransactionState): Promise<void> => {
      await record({ state: { ...state, facts: { denied: state.createdAt }, version: state.version + 1 } });
    },
    reassess: async (state: TransactionState): Promise<TransactionState> => {
      const { tenant, id, input, createdAt } = state;
      return withReassessment(
        state,
        await createReassessor(dependencies)({ tenant, id, input, createdAt, known: {} }),
        createdAt,
      );
    },
  };
}

/** Issued far from the phone, so that only history links them. */
const newPerson = () => ({ document: createCpf(0) });
const phoneOf = (state: TransactionState) =>
  state.ratings.findLast(({ relatedTo }) => relatedTo.join('-') === 'Document-Phone')?.value;
const scoreOf = (state: TransactionState) => state.scores.at(-1)?.value ?? Number.NaN;
const codesOf = (state: TransactionState) => state.insights.map(({ code }) => code);
const phone = (number: number) => ({ countryCode: 55, areaCode: 11, number });

test('ten transactions of an honest person raise the ratings step by step', async () => {
  const { create, confirmPhone } = engine();
  const input = { ...newPerson(), email: 'maria.silva@acme.example', phone: phone(981_000_001) };
  const visits: TransactionState[] = [];
  for (let visit = 0; visit < 10; visit += 1) visits.push(await create(input, addMs(startedAt, visit * dayMs)));
  expect(visits.map(phoneOf)).toEqual([2, 3, 4, 4, 4, 4, 4, 4, 4, 4]);
  const scores = visits.map(scoreOf);
  for (const [visit, score] of scores.entries()) expect(score).toBeGreaterThanOrEqual(scores[visit - 1] ?? 0);
  expect(scores[9]).toBeGreaterThan((scores[0] ?? 0) + 10);
  const last = visits.at(-1);
  if (!last) throw new Error('There was no transaction.');
  const confirmed = await confirmPhone(last, addMs(startedAt, 10 * dayMs));
  expect(phoneOf(confirmed)).toBe(5);
  const next = await create(input, addMs(startedAt, 11 * dayMs));
  expect(phoneOf(next)).toBe(4);
  expect(codesOf(next)).toContain('LK003');
  expect(scoreOf(next)).toBeGreaterThan(scores[9] ?? 0);
});

test('a ring of eight documents is found by insights and scores below every honest person', async () => {
  const { create, reassess } = engine();
  const theirs = { email: 'anyone@acme.example', phone: phone(981_000_002), sessionId: 'one-session' };
  const ring: TransactionState[] = [];
  const honest: TransactionState[] = [];
  for (let member = 0; member < 8; member += 1) {
    const at = addMs(startedAt, member * 60_000);
    ring.push(await create({ ...newPerson(), ...theirs }, at));
    const own = { email: `person${member}@acme.example`, phone: phone(982_000_000 + member), sessionId: `s-${member}` };
    honest.push(await create({ ...newPerson(), ...own }, at));
  }
  const caught = await Promise.all(ring.map(reassess));
  const trusted = await Promise.all(honest.map(reassess));
  for (const state of caught) expect(codesOf(state)).toEqual(expect.arrayContaining(['PH004', 'EM004', 'SS001']));
  for (const state of trusted)
    for (const code of ['PH004', 'EM004', 'SS001']) expect(codesOf(state)).not.toContain(code);
  const [highest, lowest] = [Math.max(...caught.map(scoreOf)), Math.min(...trusted.map(scoreOf))];
  console.log(`ring: at most ${highest}; honest: at least ${lowest}`);
  expect(highest).toBeLessThan(lowest);
  // From the third document on, the first assessment finds the ring.
  for (const state of ring.slice(2)) expect(codesOf(state)).toContain('PH004');
});

test('later transactions hide neither a ring nor a denial', async () => {
  const { create, reassess, deny } = engine();
  const theirs = { email: 'ring@acme.example', phone: phone(981_000_004) };
  const ring: TransactionState[] = [];
  for (let member = 0; member < 4; member += 1)
    ring.push(await create({ ...newPerson(), ...theirs }, addMs(startedAt, member * 60_000)));
  const [first] = ring;
  if (!first) throw new Error('There is no ring.');
  await deny(first);
  const one = { ...newPerson(), ...theirs };
  for (let times = 0; times < 60; times += 1) await create(one, addMs(startedAt, 40 * dayMs + times * 60_000));
  const last = await create(one, addMs(startedAt, 41 * dayMs));
  expect(codesOf(last)).toContain('LK004');
  expect(codesOf(last)).not.toContain('PH004');
  // The later transactions have findings, too.
  expect(codesOf(last)).toEqual(expect.arrayContaining(['PH005', 'EM006']));
  expect(codesOf(await reassess(first))).toEqual(expect.arrayContaining(['PH004', 'EM004']));
});

test('the ring of another tenant does not affect a tenant', async () => {
  const { reassess, create } = engine();
  const theirs = { email: 'someone@acme.example', phone: phone(981_000_003) };
  const state = await create({ ...newPerson(), ...theirs }, startedAt);
  for (let member = 0; member < 5; member += 1) await create({ ...newPerson(), ...theirs }, addMs(startedAt, member));
  const foreign = await reassess({ ...state, tenant: 'other', id: `${state.id}x` });
  expect(codesOf(foreign)).not.toContain('PH004');
});
