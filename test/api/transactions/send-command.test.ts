import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { CommandSlots, createCommandSender } from '../../../api/transactions/send-command';
import { deadlines } from '../../../api/transactions/records';
import { newState, type TransactionState } from '../../../domain/transactions/state';
import { cancelFlow } from '../../../workflows/contract/commands';
import { transactionWorkflowId } from '../../../workflows/contract/ids';
import { DataErasedError } from '../../../platform/keys/data-keys';
import { person, testKeys } from '../../support/build';
import { openMemoryRecords } from '../../support/memory-records';
import { serviceError } from '../../support/service-error';

const target = { tenant: 'local', id: '0198a3c0-0000-7000-8000-000000000001' };
const state = newState({ ...target, input: person, initialFlow: null, createdAt: '2026-03-01T12:00:00.000Z' });
const neverResolve = () => new Promise<never>(() => undefined);
/** How late after its deadline a call may end. */
const toleranceMs = 100;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/**
 * A closed transaction. `startUpdateWithStart` resumes the workflow with a command. By default, the workflow accepts the command, but never
 * responds.
 */
function createClosedTransaction(
  readRecord: () => Promise<TransactionState>,
  startUpdateWithStart = async (): Promise<unknown> => ({ result: neverResolve }),
) {
  const slots = new CommandSlots();
  const rejectAsClosed = () =>
    Promise.reject(new WorkflowNotFoundError('closed', transactionWorkflowId(target.tenant, target.id), undefined));
  const client = {
    withDeadline: (_: number, call: () => Promise<unknown>) => call(),
    workflow: {
      getHandle: () => ({ startUpdate: rejectAsClosed }),
      startUpdateWithStart,
    },
  } as unknown as Client;
  const records = { ...openMemoryRecords(new Map()), findState: readRecord };
  const { send } = createCommandSender({ client, taskQueue: 'test', keys: testKeys, records, slots });
  return { slots, send: () => send(target, cancelFlow, { input: { runId: 'x' }, identity: [] }) };
}

/** Expects service_unavailable shortly after the deadline. */
async function expectEnded(call: Promise<unknown>): Promise<void> {
  const onError = jest.fn();
  call.catch((error: unknown) => onError(error));
  await jest.advanceTimersByTimeAsync(deadlines.answerMs + toleranceMs);
  expect(onError).toHaveBeenCalledWith(expect.objectContaining({ code: 'service_unavailable' }));
}

test('a command ends at its deadline, also while the database does not respond', async () => {
  await expectEnded(createClosedTransaction(neverResolve).send());
});

test('if a transaction is erased during a command, an unexpected error becomes the problem `erased`', async () => {
  const readRecord = jest
    .fn<Promise<TransactionState>, []>()
    .mockResolvedValueOnce(state)
    .mockRejectedValue(new DataErasedError({ tenant: target.tenant, owner: target.id }));
  const transaction = createClosedTransaction(readRecord, () => Promise.reject(new TypeError('task failed')));
  await expect(transaction.send()).rejects.toMatchObject({ code: 'erased' });
});

const notFound = serviceError(5, 'Update-with-Start could not be executed.');
test.each([
  ['an error that the Temporal client wraps', notFound],
  ['the error for a workflow that was deleted', new WorkflowNotFoundError('gone', 'id', undefined)],
  ['an error that the Temporal client does not wrap', notFound.cause],
])('a caller gets a temporary error if the workflow ends before the command arrives: %s', async (_, error) => {
  const { send } = createClosedTransaction(
    async () => state,
    () => Promise.reject(error),
  );
  await expect(send()).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('a slow read of the record does not extend the deadline of a command', async () => {
  const slowRead = () => new Promise<TransactionState>((resolve) => setTimeout(() => resolve(state), 3_000));
  await expectEnded(createClosedTransaction(slowRead).send());
});
