import { Client, Connection } from '@temporalio/client';
import { transactionWorkflowId } from '../../../workflows/contract/ids';
import type { GetTestStack } from '../support/test-stack';
import { newPerson } from '../support/new-person';

/** Storing stack traces would delay callers (docs/decisions/0025). */
export function describeStackTraces(getTestStack: GetTestStack): void {
  it('the worker stores no stack traces of workflows', async () => {
    const { api, stack } = getTestStack();
    const path = await api.createTransaction(newPerson().body);
    await api.getAll(path);
    const id = path.split('/').at(-1) ?? '';
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    try {
      const handle = new Client({ connection }).workflow.getHandle(transactionWorkflowId('local', id));
      // Temporal has this query for every workflow. If the worker stored stack traces, the query would return them. Here, the query fails
      // with an encrypted reason.
      await expect(handle.query('__stack_trace')).rejects.toThrow('Encoded failure');
    } finally {
      await connection.close();
    }
  });
}
