import { Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { Keys } from '../../platform/keys';
import { messageProgressed, transactionWorkflowId } from '../../workflows/contract';
import type { RecordReader } from './record-reader';
import { CommandSlots } from './command-slots';
import { createTransactionStarter } from './create-transaction';
import { outageToProblem, deadlines, withDeadline } from './deadline';
import { createLinkReader } from './read-links';
import { readState } from './read-state';
import { createViewReader } from './read-view';
import { createCommandSender } from './send-command';
import type { Transactions } from './transactions';

export interface TransactionsOptions {
  connection: Connection;
  namespace: string;
  taskQueue: string;
  keys: Keys;
  reader: RecordReader;
  reads: 'workflow' | 'record';
}

/** The transactions in Temporal. Only this folder uses the Temporal client. */
export function createTransactions({ namespace, ...options }: TransactionsOptions): Transactions {
  const { connection, reader } = options;
  // A query of a closed workflow would make a worker replay it. The record has the same data.
  const client = new Client({ connection, namespace, workflow: { queryRejectCondition: 'NOT_OPEN' } });
  const dependencies = { ...options, client, slots: new CommandSlots(), lastOutage: { atMs: 0 } };
  return {
    ...createTransactionStarter(dependencies),
    ...createCommandSender(dependencies),
    ...createViewReader(dependencies),
    ...createLinkReader(reader),
    readState: (target) => readState(dependencies, target),
    reportDeliveryStatus: async ({ tenant, id }, report) => {
      const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
      try {
        await withDeadline(connection, deadlines.signalMs, () => handle.signal(messageProgressed, report));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw outageToProblem(error);
      }
    },
  };
}
