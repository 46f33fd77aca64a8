import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Keys } from '../../platform/keys/service-keys';
import { errorName, type Logger } from '../../platform/logger';
import { withDeadline } from '../../platform/temporal/connection';
import { deliveryStatusReported } from '../../workflows/contract/commands';
import { resumeOptions } from '../../workflows/contract/start';
import { transactionWorkflowId, workflowType } from '../../workflows/contract/ids';
import {
  createLinkReader,
  deadlines,
  isErased,
  outageOrErasureToProblem,
  readState,
  type Records,
  throwOutageOrErasureAsProblem,
  withErasedCheck,
} from './records';
import type { FirstAssessment } from './first-assessment';
import { Problem } from '../http/problem';
import { CommandSlots, createCommandSender } from './send-command';
import { createQueryBreaker, createViewReader } from './read-view';
import type { Erasure } from '../../store/privacy/erase-transaction';
import type { CreatedTransaction, InitialInput, Target, Transactions } from './transactions';
import { createHmac } from 'node:crypto';
import { hasSend, type InitialTransaction, newState, type TransactionState } from '../../domain/transactions/state';
import { viewTransaction } from '../../domain/transactions/views';
import { keyedHash } from '../../messages/codes';
import { uuidV7, uuidV8 } from './proposed-ids';
import { canonicalJson } from '../http/body/read-json';

export interface TransactionsOptions {
  client: Client;
  openQueryClient: () => Promise<Client>;
  taskQueue: string;
  keys: Keys;
  records: Records;
  /** Erases the data of a transaction, and ends its workflow. */
  erase: (target: Target, actor: string) => Promise<Erasure | undefined>;
  reads: 'workflow' | 'record';
  assessFirst: FirstAssessment;
  logger: Logger;
}

/** Creates the methods for the transactions in Temporal. */
export function createTransactions(options: TransactionsOptions): Transactions {
  const { client, records } = options;
  const dependencies = { ...options, slots: new CommandSlots(), queryBreaker: createQueryBreaker(options.logger) };
  const viewReader = createViewReader(dependencies);
  return {
    ...createTransactionCreator(dependencies),
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
        await withDeadline(client, deadlines.signalMs, () => handle.signal(deliveryStatusReported, report)).catch(
          async (error: unknown) => {
            if (!(error instanceof WorkflowNotFoundError)) throw error;
            const state = await records.findState({ tenant, id });
            if (!state || !hasSend(state, report.sendId)) return;
            const start = resumeOptions(state, options.taskQueue);
            await withDeadline(client, deadlines.signalMs, ({ workflow }) =>
              workflow.signalWithStart(workflowType, {
                ...start,
                signal: deliveryStatusReported,
                signalArgs: [report],
              }),
            );
          },
        );
      } catch (error) {
        if (!isErased(error)) throw outageOrErasureToProblem(error);
      }
    },
  };
}

export interface CreateDependencies {
  client: Client;
  taskQueue: string;
  keys: Keys;
  records: Pick<Records, 'create' | 'findState' | 'isPersonDenied'>;
  assessFirst: FirstAssessment;
  logger: Logger;
}

/** Creates transactions, and finds them by their Idempotency-Key. */
export function createTransactionCreator(
  dependencies: CreateDependencies,
): Pick<Transactions, 'create' | 'findByIdempotencyKey'> {
  const { client, taskQueue, keys, records, assessFirst, logger } = dependencies;
  const findState = (target: Target) => records.findState(target).catch(throwOutageOrErasureAsProblem);
  /** Starts the workflow. If Temporal does not answer, the first command starts it, or the search for due transactions if it must assess. */
  const startWorkflow = async (state: TransactionState): Promise<void> => {
    try {
      await withDeadline(client, deadlines.startMs, () =>
        client.workflow.start(workflowType, resumeOptions(state, taskQueue)),
      );
    } catch (error) {
      logger.warn(
        { transactionId: state.id, failure: errorName(error) },
        'the workflow of a new transaction starts later',
      );
    }
  };
  return {
    /**
     * The id is made from the idempotency key, so two requests with the same key create one record. The transaction exists from the moment
     * its record is saved. The start of its flow, if it has one, also starts its workflow. Throws person_denied.
     */
    async create(tenant, initialInput, idempotencyKey) {
      const id = idempotencyKey === undefined ? uuidV7() : idOfKey(keys, tenant, idempotencyKey);
      const state = newState({ tenant, id, ...initialInput, createdAt: new Date().toISOString() });
      if (await records.create(state).catch(throwOutageOrErasureAsProblem)) {
        const assessed = await assessFirst(state);
        if (initialInput.initialFlow === null) await startWorkflow(assessed);
        return { transaction: viewTransaction(state), replayed: false };
      }
      const earlier = await findState({ tenant, id });
      if (!earlier) {
        const isDenied = await records.isPersonDenied(state).catch(throwOutageOrErasureAsProblem);
        throw new Problem(isDenied ? 'person_denied' : 'service_unavailable');
      }
      return replay(keys, earlier, initialInput);
    },
    async findByIdempotencyKey(tenant, initialInput, idempotencyKey) {
      if (idempotencyKey === undefined) return undefined;
      const earlier = await findState({ tenant, id: idOfKey(keys, tenant, idempotencyKey) });
      return earlier && replay(keys, earlier, initialInput);
    },
  };
}

/** The id of the transaction that belongs to an idempotency key. */
const idOfKey = ({ keyedHash: secret }: Keys, tenant: string, idempotencyKey: string): string =>
  uuidV8(
    createHmac('sha256', secret)
      .update(JSON.stringify([tenant, idempotencyKey]))
      .digest(),
  );

/**
 * Returns the transaction of an earlier request with the same idempotency key. Throws idempotency_conflict if the input or the flow
 * differs.
 */
function replay(keys: Keys, createdFrom: InitialTransaction, initialInput: InitialInput): CreatedTransaction {
  const inputHashOf = ({ input }: Pick<InitialInput, 'input'>) =>
    keyedHash(keys, 'open', createdFrom.tenant, canonicalJson(input));
  const { initialFlow = null } = createdFrom;
  if (inputHashOf(createdFrom) !== inputHashOf(initialInput) || initialFlow !== initialInput.initialFlow)
    throw new Problem('idempotency_conflict', { members: { transactionId: createdFrom.id } });
  return { transaction: viewTransaction(newState(createdFrom)), replayed: true };
}
