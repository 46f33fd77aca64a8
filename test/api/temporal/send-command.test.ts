import { type Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import { CommandSlots } from '../../../api/temporal/command-slots';
import { deadlines } from '../../../api/temporal/deadline';
import type { Reader } from '../../../api/temporal/reader';
import { sendCommands } from '../../../api/temporal/send-command';
import { newState, type TransactionState } from '../../../domain/state';
import { cancelFlow, transactionWorkflowId } from '../../../workflows/contract';
import { person, testKeys } from '../../support/build';

const target = { tenant: 'local', id: '0198a3c0-0000-7000-8000-000000000001' };
const state = newState({ ...target, input: person, initialFlow: null, createdAt: '2026-03-01T12:00:00.000Z' });
const never = () => new Promise<never>(() => undefined);
/** What the timer of a call adds to its deadline. */
const tolerance = 100;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A closed transaction. `read`: reads its record. The resumed workflow accepts an update and never answers. */
function closedTransaction(read: () => Promise<TransactionState>) {
  const slots = new CommandSlots();
  const closed = () =>
    Promise.reject(new WorkflowNotFoundError('closed', transactionWorkflowId(target.tenant, target.id), undefined));
  const client = {
    workflow: {
      getHandle: () => ({ startUpdate: closed }),
      startUpdateWithStart: async () => ({ result: never }),
    },
  } as unknown as Client;
  const connection = { withDeadline: (_: number, call: () => Promise<unknown>) => call() } as unknown as Connection;
  const reader: Reader = { state: read, link: async () => undefined, reviews: async () => [] };
  const { send } = sendCommands({ client, connection, taskQueue: 'test', keys: testKeys, reader, slots });
  return { slots, send: () => send(target, cancelFlow, { input: { runId: 'x' }, identity: [] }) };
}

/** Fails unless the call has ended with service_unavailable at the deadline. */
async function expectEnded(call: Promise<unknown>): Promise<void> {
  const ended = jest.fn();
  call.catch((error: unknown) => ended(error));
  await jest.advanceTimersByTimeAsync(deadlines.answerMs + tolerance);
  expect(ended).toHaveBeenCalledWith(expect.objectContaining({ code: 'service_unavailable' }));
}

test('a database that does not answer counts', async () => {
  await expectEnded(closedTransaction(never).send());
});

test('the time of a slow read is not added', async () => {
  const slowRead = () => new Promise<TransactionState>((resolve) => setTimeout(() => resolve(state), 3_000));
  await expectEnded(closedTransaction(slowRead).send());
});
