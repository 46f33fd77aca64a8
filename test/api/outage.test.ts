import type { Client, Connection } from '@temporalio/client';
import { ServiceError } from '@temporalio/client';
import { askTransaction } from '../../api/temporal/ask-transaction';
import { Overdue } from '../../api/temporal/deadline';
import { Outage } from '../../api/temporal/outage';
import { newState } from '../../domain/state';
import { view } from '../../workflows/contract';
import { person } from '../support/build';

/** Asks transactions whose workflows fail with an error, and tells how many workflows were really asked. */
async function asked(ids: readonly string[], error: Error): Promise<number> {
  let count = 0;
  const query = async () => {
    count += 1;
    throw error;
  };
  const client = { workflow: { getHandle: () => ({ query }) } } as unknown as Client;
  const connection = { withDeadline: (_: number, call: () => unknown) => call() } as unknown as Connection;
  const state = newState({ tenant: 'local', id: 'x', input: person, createdAt: '2026-01-01T00:00:00.000Z' });
  const parts = { client, connection, reader: { state: async () => state }, outage: new Outage() };
  for (const id of ids) {
    const question = { query: view, args: [''] as [string], ofState: () => ({ assessed: true }) as never };
    expect((await askTransaction(parts, { tenant: 'local', id }, question)).source).toBe('record');
  }
  return count;
}

const grpc = (code: number) =>
  new ServiceError('failed', { cause: Object.assign(new Error('grpc'), { code, details: '', metadata: {} }) });

const [unavailable, deadlineExceeded, failedPrecondition] = [14, 4, 9];

test('a server that is away is found out once', async () => {
  expect(await asked(['a', 'b', 'c'], grpc(unavailable))).toBe(1);
});

test.each([
  ['overdue', new Overdue('late')],
  ['a deadline of the server', grpc(deadlineExceeded)],
])('one silent transaction (%s) is left alone itself, and others are still asked', async (_, error) => {
  expect(await asked(['a', 'a', 'a'], error)).toBe(1);
  expect(await asked(['a', 'a', 'b'], error)).toBe(2);
});

test('two silent transactions mean that nobody answers', async () => {
  expect(await asked(['a', 'b', 'c', 'd'], new Overdue('late'))).toBe(2);
});

test.each([
  ['a task that fails', grpc(failedPrecondition)],
  ['a query that throws', new Error('has no log')],
])('an answer that is an error tells nothing of others: %s', async (_, error) => {
  expect(await asked(['a', 'b', 'c'], error)).toBe(3);
});
