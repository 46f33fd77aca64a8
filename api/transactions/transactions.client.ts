import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import { deliveryStatusReported, transactionWorkflowId } from '../../workflows/contract';
import { createLinkReader, readState, type Records, withErasedCheck } from './records';
import { Problem } from '../http/problem';
import { CommandSlots, createCommandSender } from './send-command';
import { createTransactionStarter } from './start-transaction';
import { deadlines, isErased, outageOrErasureToProblem, throwOutageOrErasureAsProblem, withDeadline } from './deadline';
import { createQueryBreaker, createViewReader } from './read-view';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { Target, Transactions } from './transactions';

export interface TransactionsOptions {
  client: Client;
  openQueryClient: () => Promise<Client>;
  taskQueue: string;
  keys: Keys;
  records: Records;
  /** Erases the data of a transaction, and ends its workflow. */
  erase: (target: Target, actor: string) => Promise<Erasure | undefined>;
  reads: 'workflow' | 'record';
  logger: Logger;
}

/** Creates the methods for the transactions in Temporal. Only the folder api/temporal uses the Temporal client. */
export function createTransactions(options: TransactionsOptions): Transactions {
  const { client, records } = options;
  const dependencies = { ...options, slots: new CommandSlots(), queryBreaker: createQueryBreaker(options.logger) };
  const viewReader = createViewReader(dependencies);
  return {
    ...createTransactionStarter(dependencies),
    ...createLinkReader(records),
    ...createCommandSender(dependencies),
    read: (target, language) => withErasedCheck(records, target, viewReader.read(target, language)),
    readLatest: (target) => withErasedCheck(records, target, viewReader.readLatest(target)),
    readState: (target) => withErasedCheck(records, target, readState(records, target)),
    erase: async (target, actor) => {
      const erasure = await options.erase(target, actor).catch(throwOutageOrErasureAsProblem);
      if (!erasure) throw new Problem('transaction_not_found');
      return erasure;
    },
    reportDeliveryStatus: async ({ tenant, id }, report) => {
      const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
      try {
        await withDeadline(client, deadlines.signalMs, () => handle.signal(deliveryStatusReported, report));
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError) && !isErased(error)) throw outageOrErasureToProblem(error);
      }
    },
  };
}
