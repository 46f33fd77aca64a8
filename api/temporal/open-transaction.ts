import { createHmac } from 'node:crypto';
import { type Client, type Connection, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import { type NewTransaction, newState } from '../../domain/state';
import { viewTransaction } from '../../domain/views';
import { fingerprint } from '../../platform/codes';
import type { Keys } from '../../platform/keys';
import {
  searchAttributes,
  type TransactionMemo,
  type TransactionStart,
  transactionWorkflowId,
  workflowTaskTimeout,
  workflowType,
} from '../../workflows/contract';
import { Problem } from '../problem';
import type { Reader } from '../reader';
import type { Opening } from '../transactions';
import { canonical } from './canonical';
import { asProblem, deadlines, within } from './deadline';
import { uuidV7, uuidFrom } from './transaction-id';

export interface OpenDependencies {
  client: Client;
  connection: Connection;
  taskQueue: string;
  keys: Keys;
  reader: Reader;
}

export interface Opened {
  transaction: Record<string, unknown>;
  replayed: boolean;
}

/**
 * Begins a transaction. The workflow id is derived from the key, so two requests with one key can only begin one: the
 * problem idempotency_conflict tells the id of it, as every problem of one that is there does.
 */
export async function openTransaction(
  parts: OpenDependencies,
  tenant: string,
  opening: Opening,
  idempotencyKey: string | undefined,
): Promise<Opened> {
  const { keys, reader } = parts;
  const id =
    idempotencyKey === undefined
      ? uuidV7()
      : uuidFrom(
          createHmac('sha256', keys.fingerprint)
            .update(JSON.stringify([tenant, idempotencyKey]))
            .digest(),
        );
  const print = ({ input }: Pick<Opening, 'input'>) => fingerprint(keys, 'open', tenant, canonical(input));
  const replay = (born: NewTransaction): Opened => {
    const { openingFlow = opening.openingFlow } = born;
    if (print(born) !== print(opening) || openingFlow !== opening.openingFlow)
      throw new Problem('idempotency_conflict', { members: { transactionId: id } });
    return { transaction: viewTransaction(newState(born)), replayed: true };
  };

  // Past retention the workflow is gone and could be begun again; the record stays.
  const record = idempotencyKey === undefined ? undefined : await reader.state({ tenant, id }).catch(() => undefined);
  if (record) return replay(record);

  const born: NewTransaction = { tenant, id, ...opening, createdAt: new Date().toISOString() };
  try {
    await within(parts.connection, deadlines.startMs, () => start(parts, born));
    return { transaction: viewTransaction(newState(born)), replayed: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw asProblem(error);
    const memo = await readMemo(parts, { tenant, id });
    if (!memo) throw new Problem('service_unavailable');
    return replay(memo.born);
  }
}

async function start({ client, taskQueue }: OpenDependencies, born: NewTransaction): Promise<void> {
  const memo: TransactionMemo = { born };
  await client.workflow.start(workflowType, {
    workflowId: transactionWorkflowId(born.tenant, born.id),
    taskQueue,
    args: [{ born } satisfies TransactionStart],
    memo: { ...memo },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: searchAttributes.tenant, value: born.tenant },
      { key: searchAttributes.status, value: 'Open' },
    ]),
    staticSummary: `verify a person for ${born.tenant}`,
    workflowIdConflictPolicy: 'FAIL',
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    workflowTaskTimeout,
  });
}

/** What a transaction was begun with, as Temporal keeps it beside the workflow. Undefined when it keeps none. */
export async function readMemo(
  { client, connection }: Pick<OpenDependencies, 'client' | 'connection'>,
  { tenant, id }: { tenant: string; id: string },
): Promise<TransactionMemo | undefined> {
  try {
    const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
    const { memo } = await within(connection, deadlines.describeMs, () => handle.describe());
    return memo && 'born' in memo ? (memo as unknown as TransactionMemo) : undefined;
  } catch (error) {
    throw asProblem(error);
  }
}
