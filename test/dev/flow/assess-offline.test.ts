import { randomUUID } from 'node:crypto';
import { createAssessor } from '../../../activities/scoring/assess';
import { createMailServers } from '../../../scoring/evidence/email';
import { openPolicies } from '../../../scoring/policy/policies';
import { createPostgresLinkGraph } from '../../../scoring/postgres-link-graph';
import type { ScenarioTransaction } from '../../../dev/flow/scenario-transaction';
import { transactionInputOf } from '../../../dev/flow/scenario-transaction';
import { assessOffline } from '../../../dev/flow/simulation/assess-offline';
import { decisionFactsOf } from '../../../domain/flows/decision-facts';
import { withAssessment } from '../../../domain/transactions/outcome';
import { newState } from '../../../domain/transactions/state';
import { createLogger } from '../../../platform/logger';
import type { Pool } from '../../../platform/postgres/postgres';
import { testKeys } from '../../support/build';
import { useTestPool } from '../../support/test-pool';

let pool: Pool;
useTestPool((opened) => {
  pool = opened;
});

const now = '2026-11-21T12:00:00.000Z';

/** Assesses a transaction as a simulation does, and as the service does with the settings of `npm start`. */
async function assessTwice(scenarioTransaction: ScenarioTransaction) {
  // A new tenant has no earlier transactions.
  const transaction = {
    ...{ tenant: randomUUID(), id: randomUUID() },
    ...{ input: transactionInputOf(scenarioTransaction), createdAt: now },
  };
  const service = createAssessor({
    logger: createLogger('test', 'silent'),
    linkGraph: createPostgresLinkGraph(pool, testKeys),
    mailServers: createMailServers({ timeoutMs: 0 }),
    policies: openPolicies(undefined),
  });
  const assessments = [await assessOffline(transaction), await service(transaction)];
  const [simulatedFacts, serviceFacts] = assessments.map((assessment) =>
    decisionFactsOf(withAssessment(newState(transaction), assessment), {}, {}, now),
  );
  return { simulatedFacts, serviceFacts };
}

const address = { zipCode: '01310-100', state: 'sp', city: 'São Paulo' };

test.each<[string, ScenarioTransaction]>([
  ['the usual person', {}],
  ['a person without a phone', { phone: null }],
  ['a person without a mailbox', { email: null }],
  ['a disposable mailbox', { email: 'maria@mailinator.com' }],
  ['a number that is not allocated', { phone: '+5520987654321' }],
  ['a phone of another state than the address', { phone: '+5571987654321', body: { address } }],
  ['a document with a mask', { body: { document: '529.982.247-25', birthdate: '1990-05-01', address } }],
  ['a document with wrong check digits', { body: { document: '52998224726' } }],
  ['a phone abroad', { body: { phone: { countryCode: 1, number: 2_025_550_123 } } }],
  ['a card of another person', { body: { card: { bin: '411111', last4: '1111', ownerName: 'Ana Souza' } } }],
])('a scenario of %s uses the same facts as the service', async (_, transaction) => {
  const { simulatedFacts, serviceFacts } = await assessTwice(transaction);
  expect(simulatedFacts).toEqual(serviceFacts);
});

test('the default person of a scenario has a score and ratings, and no scenario affects the next one', async () => {
  const firstFacts = await assessTwice({});
  expect(firstFacts.simulatedFacts).toMatchObject({
    score: expect.any(Number),
    ratings: { 'document-email': 3, 'document-phone': 2, 'email-phone': 2 },
  });
  expect((await assessTwice({})).simulatedFacts).toEqual(firstFacts.simulatedFacts);
});
