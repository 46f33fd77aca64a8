import { Client, Connection } from '@temporalio/client';
import { transactionWorkflowId } from '../../../workflows/contract';
import type { Running } from '../support/acceptance-stack';
import { newPerson } from '../support/new-person';

/** Callers wait while stack traces are noted: docs/decisions/0025. */
export function describeStackTraces(running: Running): void {
  it('the worker stores no stack traces of workflows', async () => {
    const { api, stack } = running();
    const path = await api.begin(newPerson().body);
    await api.all(path);
    const id = path.split('/').at(-1) ?? '';
    const connection = await Connection.connect({ address: stack.addresses.temporal });
    try {
      const asked = new Client({ connection }).workflow
        .getHandle(transactionWorkflowId('local', id))
        .query('__stack_trace');
      await expect(asked).rejects.toThrow('Workflow stack traces are not enabled on this worker');
    } finally {
      await connection.close();
    }
  });
}
