import { Client, type Connection, WorkflowNotFoundError } from '@temporalio/client';
import type { Keys } from '../../platform/keys';
import { messageProgressed, transactionWorkflowId } from '../../workflows/contract';
import type { Reader } from './reader';
import { CommandSlots } from './command-slots';
import { startTransactions } from './create-transaction';
import { asProblem, deadlines, within } from './deadline';
import { readLinks } from './read-links';
import { readState } from './read-state';
import { readViews } from './read-view';
import { sendCommands } from './send-command';
import type { Transactions } from './transactions';

export interface TransactionsOptions {
  connection: Connection;
  namespace: string;
  taskQueue: string;
  keys: Keys;
  reader: Reader;
  reads: 'workflow' | 'record';
}

/** The transactions in Temporal. Only this folder uses the Temporal client. */
export function createTransactions({ namespace, ...options }: TransactionsOptions): Transactions {
  const { connection, reader } = options;
  // To query a closed workflow, a worker would have to replay it. The record has the same.
  const client = new Client({ connection, namespace, workflow: { queryRejectCondition: 'NOT_OPEN' } });
  const dependencies = { ...options, client, slots: new CommandSlots(), unanswered: { sinceMs: 0 } };
  return {
    ...startTransactions(dependencies),
    ...sendCommands(dependencies),
    ...readViews(dependencies),
    ...readLinks(reader),
    readState: (target) => readState(dependencies, target),
    messageProgressed: async ({ tenant, id }, progress) => {
      const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
      try {
        await within(connection, deadlines.signalMs, () => handle.signal(messageProgressed, progress));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw asProblem(error);
      }
    },
  };
}
