import * as contract from '../../../workflows/contract/commands';
import type { LinkAction } from '../../../domain/biometrics/commands';
import type { RunAttempt } from '../../../domain/flows/run-commands';
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PageAction } from '../../../domain/biometrics/capture';
import { Problem } from '../../../api/http/problem';
import { CommandRejected, type Target, type Transactions } from '../../../api/transactions/transactions';
import { emailToken, smsToken } from '../../../flows/confirmations';
import { smsTokenFlow } from '../../../flows/sms-token.flow';
import type { ConfirmationProposal } from '../../../domain/confirmations/settings';
import type { RunPlan } from '../../../domain/flows/run';
import { keyPartOf, transactionWorkflowId } from '../../../workflows/contract/ids';
import { searchAttributes } from '../../../workflows/contract/start';
import { person, propose } from '../../support/build';
import { planOf } from '../../support/flow-plan';
import { openTransactions } from '../../support/open-transactions';
import { TestTransaction, World } from '../../support/world';

// Temporal's test server, which skips waiting times, loses terminated workflows. So these tests use a real server.
let world: World;
let transactions: Transactions;
beforeAll(async () => {
  world = await World.open('temporal');
  transactions = await openTransactions(world);
});
afterAll(() => world.close());

async function createTransaction(): Promise<Target> {
  const { transaction } = await transactions.create('local', { input: person, initialFlow: null });
  return { tenant: 'local', id: String(transaction['id']) };
}

const request = (target: Target, proposal: ConfirmationProposal, idempotencyKey?: string) =>
  transactions.send(target, contract.requestConfirmation, {
    input: proposal,
    identity: [proposal.settings.name],
    idempotencyKey,
  });
const startFlow = (target: Target, plan: RunPlan) =>
  transactions.send(target, contract.startFlow, { input: plan, identity: [plan.flow.name] });
const answerFlow = (target: Target, input: RunAttempt) =>
  transactions.send(target, contract.checkFlowCode, { input, identity: [input] });
const cancelFlow = (target: Target, runId: string, idempotencyKey?: string) =>
  transactions.send(target, contract.cancelFlow, { input: { runId }, identity: [runId], idempotencyKey });
/** Sends an action as the hosted page does: without an idempotency key. With `deduplicateBy`, equal actions count as one request. */
const applyAction = (target: Target, input: LinkAction) =>
  transactions.send(target, contract.applyPageAction, { input, identity: ['action'], deduplicateBy: [input] });

/** The error code of a call, or `done`. */
const errorCodeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) =>
      error instanceof Problem ? error.code : error instanceof CommandRejected ? error.domainError.type : String(error),
  );

test('a used code of a flow run still returns Used after the workflow of the transaction was terminated', async () => {
  const target = await createTransaction();
  const plan = planOf(smsTokenFlow, target.id);
  const { runId } = await startFlow(target, plan);
  const digests = { [smsToken.name]: plan.firstCode?.digest ?? '' };
  await answerFlow(target, { runId, digests });
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  await handle.terminate();
  const error = await answerFlow(target, { runId, digests }).catch((error: unknown) => error);
  expect(error).toMatchObject({ domainError: { type: 'TokenClosed', details: { about: { status: 'Used' } } } });
  const otherDigests = { [smsToken.name]: 'other' };
  expect(await errorCodeOf(answerFlow(target, { runId, digests: otherDigests }))).toBe('RunEnded');
});

test('a repeated action on a hosted page adds nothing to the workflow history, and another browser gets another response', async () => {
  const target = await createTransaction();
  const biometricsId = randomUUID();
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  await new TestTransaction(world, handle, target.id).requestLink(biometricsId);
  const take = (owner: string, action: PageAction) => applyAction(target, { ...action, biometricsId, owner });
  const countEvents = async () => (await handle.fetchHistory()).events?.length;
  await take('mine', { action: 'open' });
  await take('mine', { action: 'consent' });
  const countBefore = await countEvents();
  expect(await errorCodeOf(take('other', { action: 'open' }))).toBe('LinkTaken');
  for (const action of ['open', 'consent'] as const)
    expect(await take('mine', { action })).toMatchObject({ status: 'InProgress', owner: 'mine' });
  expect(await countEvents()).toBe(countBefore);
});

test.each([undefined, 'k'])(
  'if a workflow is canceled in a database outage, a caller gets 503, and only a retry with an idempotency key gets the result (key: %s)',
  async (key) => {
    const target = await createTransaction();
    const { runId } = await startFlow(target, planOf(smsTokenFlow, target.id));
    const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
    world.activities.savesToFail = 1_000;
    const errorCode = errorCodeOf(cancelFlow(target, runId, key));
    await setTimeout(100);
    await handle.cancel();
    expect(await errorCode).toBe('service_unavailable');
    world.activities.savesToFail = 0;
    await handle.result().catch((error: Error) => error.name);
    expect(await errorCodeOf(cancelFlow(target, runId, key))).toBe(key === undefined ? 'RunEnded' : 'done');
  },
);

test('if an operator cancels the workflow during an action on the hosted page, a retry of the action gets its response', async () => {
  const target = await createTransaction();
  const biometricsId = randomUUID();
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  await new TestTransaction(world, handle, target.id).requestLink(biometricsId);
  const open = () => applyAction(target, { action: 'open', biometricsId, owner: 'mine' });
  const consent = () => applyAction(target, { action: 'consent', biometricsId, owner: 'mine' });
  await open();
  world.activities.savesToFail = 1_000;
  const errorCode = errorCodeOf(consent());
  await setTimeout(500);
  await handle.cancel();
  expect(await errorCode).toBe('service_unavailable');
  world.activities.savesToFail = 0;
  await handle.result().catch((error: Error) => error.name);
  expect(await consent()).toMatchObject({ status: 'InProgress', consentedAt: expect.any(String) });
});

test('after a resume, the search attributes (indexed fields) of the workflow still name the last flow run', async () => {
  const target = await createTransaction();
  const { runId } = await startFlow(target, planOf(smsTokenFlow, target.id));
  await cancelFlow(target, runId);
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  await handle.terminate();
  await request(target, propose(emailToken, target.id));
  const { typedSearchAttributes: attributes } = await handle.describe();
  const { flow, flowVersion, flowOutcome } = searchAttributes;
  expect([flow, flowVersion, flowOutcome].map((key) => attributes.get(key))).toEqual(['sms-token', '1', 'Canceled']);
});

test('if an operator cancels the workflow during a request for a code, the code is sent, and the idempotency key is saved', async () => {
  const target = await createTransaction();
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  let acceptMessage = (): void => undefined;
  world.activities.providerReady = new Promise((resolve) => {
    acceptMessage = resolve;
  });
  const proposal = propose(smsToken, target.id);
  const pendingRequest = request(target, proposal, 'k');
  while (world.activities.deliveryAttempts.at(-1)?.transactionId !== target.id) await setTimeout(20);
  await handle.cancel();
  await setTimeout(200);
  acceptMessage();
  world.activities.providerReady = Promise.resolve();
  const response = await pendingRequest;
  expect(response).toMatchObject({ status: 'Waiting' });
  await handle.result().catch((error: Error) => error.name);
  expect(await request(target, proposal, 'k')).toEqual(response);
  expect(world.activities.messages.filter(({ transactionId }) => transactionId === target.id)).toHaveLength(1);
});

test('a transaction accepts commands, even if its workflow was terminated before the first assessment', async () => {
  let endAssessment = (): void => undefined;
  world.activities.firstAssessmentReady = new Promise((resolve) => {
    endAssessment = resolve;
  });
  const target = await createTransaction();
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  await handle.terminate();
  endAssessment();
  expect(world.activities.records.get(target.id)?.evidence).toBeUndefined();
  const confirmation = await request(target, propose(smsToken, target.id));
  expect(confirmation).toMatchObject({ status: 'Waiting' });
  // The workflow may process the command before the first assessment.
  while (!(await transactions.read(target, 'en')).view.assessed) await setTimeout(20);
});

test('a repeated request with the same key sends no second message, although the API makes a new id and code each time', async () => {
  const target = await createTransaction();
  const requestAgain = () => request(target, propose(smsToken, target.id), 'k');
  expect([await requestAgain(), await requestAgain()].map(({ status }) => status)).toEqual(['Waiting', 'Waiting']);
  const handle = world.env.client.workflow.getHandle(transactionWorkflowId('local', target.id));
  const ids = ((await handle.fetchHistory()).events ?? []).flatMap(
    (event) => event.workflowExecutionUpdateAcceptedEventAttributes?.acceptedRequest?.meta?.updateId ?? [],
  );
  // An update id is `<key>/<digest of the request>`. The second request has another digest, because its id and code are new.
  expect([new Set(ids).size, new Set(ids.map(keyPartOf)).size]).toEqual([2, 1]);
  expect(world.activities.messages.filter(({ transactionId }) => transactionId === target.id)).toHaveLength(1);
});
