import { Writable } from 'node:stream';
import pino from 'pino';
import { createAssessor } from '../../activities/assess';
import { createRecorder } from '../../activities/record';
import { findEvidence } from '../../activities/scoring/evidence/find-evidence';
import { withEvidence } from '../../domain/outcome';
import type { TransactionState } from '../../domain/state';
import type { TransactionInput } from '../../domain/transaction';
import { createLogger } from '../../platform/logger';
import { openPool, type Pool } from '../../platform/postgres';
import { buildState, person, testKeys } from '../support/build';
import { startPostgres, type TestPostgres } from '../support/postgres';

let postgres: TestPostgres;
let pool: Pool;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.freshDatabase(), createLogger('test', 'silent'));
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

async function kept(id: string): Promise<TransactionState | undefined> {
  const { rows } = await pool.query<{ state: TransactionState }>('select state from transactions where id = $1', [id]);
  return rows[0]?.state;
}

it('keeps the record that the workflow makes of the same evidence', async () => {
  const state = buildState();
  const evidence = await createAssessor(pool, createLogger('test', 'silent'))(state);
  expect(evidence).toEqual({
    document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false, states: ['ES', 'RJ'] },
    phone: { allocated: true, line: 'mobile', state: 'SP' },
    postalCode: { state: 'SP', matchesStatedState: true },
    email: { disposable: false, resemblesName: 1 },
  });
  const expected = withEvidence(state, JSON.parse(JSON.stringify(evidence)) as typeof evidence);
  expect(await kept(state.id)).toEqual(expected);
  expect(expected.scores).toEqual([
    { value: expect.any(Number) as number, reason: 'Initial', createdAt: state.createdAt },
  ]);
});

it('does not take a record back that came to be meanwhile', async () => {
  const state = buildState();
  const newer = { ...state, version: 4 };
  await createRecorder(pool, testKeys)({ state: newer });
  await createAssessor(pool, createLogger('test', 'silent'))(state);
  expect(await kept(state.id)).toEqual(newer);
});

it('finds less when a finder fails, and logs no personal data', async () => {
  const written: string[] = [];
  const log = pino(new Writable({ write: (chunk: Buffer, _, done) => done(void written.push(chunk.toString())) }));
  // What no schema lets through: fields of the wrong type.
  const odd = { ...person, email: { toString: () => 'maria@example.com' } } as unknown as TransactionInput;
  const state = buildState(odd);
  const evidence = await createAssessor(pool, log)(state);
  expect(evidence.email).toBeUndefined();
  expect(evidence.document.kind).toBe('CPF');
  expect(written).toHaveLength(1);
  expect(JSON.parse(written[0] ?? '')).toMatchObject({ transactionId: state.id, finder: 'email' });
  expect(written.join('')).not.toContain('maria');
});

it('finds nothing in a transaction that says nothing', () => {
  const evidence = findEvidence({ documentType: 'CPF', document: '12345678912' }, () => undefined);
  expect(evidence).toEqual({
    document: { kind: 'CPF', checkDigits: 'wrong', repeated: false, alphanumeric: false },
  });
});
