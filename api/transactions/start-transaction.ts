import { createHmac } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { type InitialTransaction, newState } from '../../domain/transaction/state';
import { viewTransaction } from '../../domain/transaction/views';
import { keyedHash } from '../../messages/codes';
import type { Keys } from '../../platform/keys/service-keys';
import type { Logger } from '../../platform/logger';
import { errorName } from '../../platform/postgres/postgres';
import { resumeOptions, workflowType } from '../../workflows/contract';
import { Problem } from '../http/problem';
import { uuidV7, uuidV8 } from '../http/transaction-id';
import { deadlines, throwOutageOrErasureAsProblem, withDeadline } from './deadline';
import type { Records } from './records';
import type { CreatedTransaction, InitialInput, Target, Transactions } from './transactions';
import { canonicalJson } from '../http/body/read-json';

export interface CreateDependencies {
  client: Client;
  taskQueue: string;
  keys: Keys;
  records: Pick<Records, 'create' | 'findState'>;
  logger: Logger;
}

/** Creates transactions, and finds them by their Idempotency-Key. */
export function createTransactionStarter(
  dependencies: CreateDependencies,
): Pick<Transactions, 'create' | 'findByIdempotencyKey'> {
  const { client, taskQueue, keys, records, logger } = dependencies;
  const findEarlier = async (target: Target, initialInput: InitialInput) => {
    const state = await records.findState(target).catch(throwOutageOrErasureAsProblem);
    return state && replay(keys, state, initialInput);
  };
  return {
    /**
     * The id is made from the idempotency key, so two requests with the same key create one record. The transaction exists from the moment
     * its record is saved. If its workflow cannot be started, the next command starts the workflow, or the search for due transactions.
     */
    async create(tenant, initialInput, idempotencyKey) {
      const id = idempotencyKey === undefined ? uuidV7() : idOfKey(keys, tenant, idempotencyKey);
      const state = newState({ tenant, id, ...initialInput, createdAt: new Date().toISOString() });
      if (!(await records.create(state).catch(throwOutageOrErasureAsProblem))) {
        const earlier = await findEarlier({ tenant, id }, initialInput);
        if (!earlier) throw new Problem('service_unavailable');
        return earlier;
      }
      await withDeadline(client, deadlines.startMs, () =>
        client.workflow.start(workflowType, resumeOptions(state, taskQueue)),
      ).catch((error: unknown) =>
        logger.warn({ transactionId: id, failure: errorName(error) }, 'the workflow of a new transaction starts later'),
      );
      return { transaction: viewTransaction(state), replayed: false };
    },
    async findByIdempotencyKey(tenant, initialInput, idempotencyKey) {
      if (idempotencyKey === undefined) return undefined;
      return findEarlier({ tenant, id: idOfKey(keys, tenant, idempotencyKey) }, initialInput);
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
