import { createHmac } from 'node:crypto';
import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { type InitialTransaction, newState } from '../../domain/state';
import { viewTransaction } from '../../domain/views';
import type { TransactionKeys } from '../../platform/keys/transaction-keys';
import { hashDocument } from '../../store/record/observed-values';
import { keyedHash } from '../../platform/codes';
import type { Keys } from '../../platform/keys/keys';
import {
  searchAttributes,
  type TransactionStart,
  transactionWorkflowId,
  workflowTaskTimeout,
  workflowType,
} from '../../workflows/contract';
import { Problem } from '../http/problem';
import type { RecordReader } from './record-reader';
import { withErasedCheck } from './with-erased-check';
import { readStartState } from './read-start-state';
import type { CreatedTransaction, InitialInput, Target, Transactions } from './transactions';
import { canonicalJson } from './canonical-json';
import { deadlines, outageOrErasureToProblem, throwOutageOrErasureAsProblem, withDeadline } from './deadline';
import { uuidV7, uuidV8 } from '../http/transaction-id';

export interface CreateDependencies {
  client: Client;
  taskQueue: string;
  keys: Keys;
  transactionKeys: Pick<TransactionKeys, 'create'>;
  reader: RecordReader;
}

/** Creates transactions, and finds them by their Idempotency-Key. */
export function createTransactionStarter(
  dependencies: CreateDependencies,
): Pick<Transactions, 'create' | 'findByIdempotencyKey'> {
  const { keys, reader } = dependencies;
  const findRecord = (target: Target) => reader.findState(target).catch(throwOutageOrErasureAsProblem);
  return {
    /** The workflow id is made from the idempotency key, so two requests with the same key create only one transaction. */
    async create(tenant, initialInput, idempotencyKey) {
      const id = idempotencyKey === undefined ? uuidV7() : idOfKey(keys, tenant, idempotencyKey);
      // Temporal forgets a closed workflow after the retention time of the namespace. It then accepts the workflow id again. The record
      // stays, so this code checks the record first.
      const record = idempotencyKey === undefined ? undefined : await findRecord({ tenant, id });
      if (record) return replay(keys, record, initialInput);
      const createdFrom: InitialTransaction = { tenant, id, ...initialInput, createdAt: new Date().toISOString() };
      return withErasedCheck(reader, { tenant, id }, start(dependencies, createdFrom, initialInput));
    },
    async findByIdempotencyKey(tenant, initialInput, idempotencyKey) {
      if (idempotencyKey === undefined) return undefined;
      const target = { tenant, id: idOfKey(keys, tenant, idempotencyKey) };
      const createdFrom = (await findRecord(target)) ?? (await readStartState(dependencies, target));
      return createdFrom && replay(keys, createdFrom, initialInput);
    },
  };
}

/** Starts the workflow of a new transaction. If another request with the same idempotency key has started it, returns that transaction. */
async function start(
  dependencies: CreateDependencies,
  createdFrom: InitialTransaction,
  initialInput: InitialInput,
): Promise<CreatedTransaction> {
  const { client, taskQueue, keys, transactionKeys } = dependencies;
  const { tenant, id } = createdFrom;
  try {
    await transactionKeys.create({ tenant, owner: id }, hashDocument(keys, tenant, initialInput.input));
    await withDeadline(client, deadlines.startMs, () =>
      client.workflow.start(workflowType, startOptions(createdFrom, taskQueue)),
    );
    return { transaction: viewTransaction(newState(createdFrom)), replayed: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw outageOrErasureToProblem(error);
    const startState = await readStartState(dependencies, { tenant, id });
    if (!startState) throw new Problem('service_unavailable');
    return replay(keys, startState, initialInput);
  }
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

/** The options of the start of a new workflow. If the workflow id was used before, Temporal rejects the start. */
function startOptions(createdFrom: InitialTransaction, taskQueue: string) {
  return {
    workflowId: transactionWorkflowId(createdFrom.tenant, createdFrom.id),
    taskQueue,
    args: [{ createdFrom }] as [TransactionStart],
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.tenant, value: createdFrom.tenant },
      { key: searchAttributes.status, value: 'Open' },
    ]),
    staticSummary: `verify a person for ${createdFrom.tenant}`,
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout,
  } as const;
}
