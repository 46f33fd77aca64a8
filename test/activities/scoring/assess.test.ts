import pino from 'pino';
import { Writable } from 'node:stream';
import { ApplicationFailure } from '@temporalio/common';
import { createAssessor, createReassessor } from '../../../activities/scoring/assess';
import { type AssessmentDependencies, findEvidence } from '../../../scoring/gather-evidence';
import { createMailServers } from '../../../scoring/evidence/email';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import { openPolicies } from '../../../scoring/policy/policies';
import { withAssessment } from '../../../domain/transactions/outcome';
import { lookupsOf } from '../../../domain/scoring/evidence';
import { type InitialTransaction, newState } from '../../../domain/transactions/state';
import type { TransactionInput } from '../../../domain/transactions/input';
import { createLogger } from '../../../platform/logger';
import { openPool, type Pool } from '../../../platform/postgres/postgres';
import { buildState, person, testKeys } from '../../support/build';
import { startPostgres, type TestPostgres } from '../../support/postgres';

let postgres: TestPostgres;
let pool: Pool;
let dependencies: AssessmentDependencies;

beforeAll(async () => {
  postgres = await startPostgres();
  pool = openPool(await postgres.createDatabase(), createLogger('test', 'silent'));
  dependencies = {
    logger: createLogger('test', 'silent'),
    linkGraph: createPostgresLinkGraph(pool, testKeys),
    mailServers: createMailServers({ timeoutMs: 0 }),
    policies: openPolicies(undefined),
  };
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

function buildTransaction(change: Partial<TransactionInput> = {}): InitialTransaction {
  const { tenant, id, input, createdAt } = buildState(change);
  return { tenant, id, input, createdAt };
}

it('an assessment returns the evidence and the policy, from which the workflow computes the score', async () => {
  const transaction = buildTransaction();
  const assessment = await createAssessor(dependencies)(transaction);
  expect(assessment.evidence).toEqual({
    document: { kind: 'CPF', checkDigits: 'right', repeated: false, alphanumeric: false, states: ['ES', 'RJ'] },
    phone: { allocated: true, line: 'mobile', state: 'SP' },
    postalCode: { state: 'SP', matchesStatedState: true },
    email: { disposable: false, resemblesName: 1, syntax: 'valid' },
    name: { words: 2, unusual: false },
    links: {
      pairs: [],
      countsByKind: {
        Document: { transactions: 1, phones: 1, emails: 1, denials: 0 },
        Phone: { transactions: 1, documents: 1, denials: 0 },
        Email: { transactions: 1, documents: 1, denials: 0 },
      },
    },
  });
  const { scores } = withAssessment(newState(transaction), assessment);
  expect(scores).toMatchObject([{ reason: 'Initial', createdAt: transaction.createdAt }]);
});

it('if the search for one kind of evidence fails, an assessment omits this evidence and logs no personal data', async () => {
  const logLines: string[] = [];
  const logger = pino(new Writable({ write: (chunk: Buffer, _, done) => done(void logLines.push(chunk.toString())) }));
  // This birthdate, which the API would reject, makes the search for the age fail.
  const invalidInput = { ...person, birthdate: { slice: () => '01310' } } as unknown as TransactionInput;
  const transaction = buildTransaction(invalidInput);
  const { evidence } = await createAssessor({ ...dependencies, logger })(transaction);
  expect(evidence.age).toBeUndefined();
  expect(evidence.document.kind).toBe('CPF');
  for (const line of logLines) expect(JSON.parse(line)).toMatchObject({ transactionId: transaction.id, finder: 'age' });
  expect(logLines.join('')).not.toContain('01310');
});

it('a transaction with only a document has evidence only about the document', () => {
  const input = { documentType: 'CPF', document: '12345678912' };
  expect(findEvidence({ input, createdAt: '2026-01-01T00:00:00.000Z' }, () => undefined)).toEqual({
    document: { kind: 'CPF', checkDigits: 'wrong', repeated: false, alphanumeric: false },
  });
});

describe('a reassessment', () => {
  const buildTransactionToReassess = () => ({ ...buildTransaction(), earlierLookups: {} });
  const reassessWithError = (error: Error) => {
    const observe = async () => {
      throw error;
    };
    return createReassessor({ ...dependencies, linkGraph: { addAndFindRelated: observe } })(
      buildTransactionToReassess(),
    );
  };

  it('a reassessment fails without a retry after an internal error', async () => {
    await expect(reassessWithError(new TypeError('an internal error'))).rejects.toMatchObject({
      type: 'AnalysisFailed',
      nonRetryable: true,
    });
    const queryError = Object.assign(new Error('relation "observations" does not exist'), { code: '42P01' });
    await expect(reassessWithError(queryError)).rejects.toMatchObject({ type: 'AnalysisFailed' });
    const argumentError = Object.assign(new Error('not a string'), { code: 'ERR_INVALID_ARG_TYPE' });
    await expect(reassessWithError(argumentError)).rejects.toMatchObject({ type: 'AnalysisFailed' });
  });

  it.each([
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }),
    Object.assign(new Error('the database system is shutting down'), { code: '57P03' }),
    Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' }),
    Object.assign(new Error('could not serialize access'), { code: '40001' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout exceeded when trying to connect'),
  ])('a reassessment is retried during an outage of the database: %s', async (error) => {
    await expect(reassessWithError(error)).rejects.not.toBeInstanceOf(ApplicationFailure);
  });

  it('a reassessment notes in the evidence that the bureau did not answer, and the next reassessment calls the bureau again', async () => {
    const bureauResponses = [undefined, []];
    const bureau = { fetchFindings: async () => bureauResponses.shift() };
    const reassess = createReassessor({ ...dependencies, bureauOf: () => bureau });
    const { evidence } = await reassess(buildTransactionToReassess());
    expect([evidence.bureau, evidence.bureauSilent]).toEqual([undefined, true]);
    const secondAssessment = await reassess({ ...buildTransactionToReassess(), earlierLookups: lookupsOf(evidence) });
    expect([secondAssessment.evidence.bureau, secondAssessment.evidence.bureauSilent]).toEqual([
      { findings: [] },
      undefined,
    ]);
  });

  it('a reassessment does not call the bureau if the bureau has answered an earlier reassessment', async () => {
    let requests = 0;
    const finding = {
      code: 'XA001',
      text: { 'pt-BR': 'a', en: 'b', es: 'c' },
      relevance: 'Positivo',
      relatedTo: [],
    } as const;
    const bureau = { fetchFindings: async () => ((requests += 1), [{ ...finding, relatedTo: [] }]) };
    const reassess = createReassessor({ ...dependencies, bureauOf: () => bureau });
    const { evidence } = await reassess(buildTransactionToReassess());
    expect(evidence.bureau?.findings).toHaveLength(1);
    const secondAssessment = await reassess({ ...buildTransactionToReassess(), earlierLookups: lookupsOf(evidence) });
    expect(secondAssessment.evidence.bureau).toEqual(evidence.bureau);
    expect(requests).toBe(1);
  });
});
