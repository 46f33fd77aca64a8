import { createHmac } from 'node:crypto';
import {
  type Client,
  type Connection,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
} from '@temporalio/client';
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
import type { Opened, Opening } from '../transactions';
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
  const id = idempotencyKey === undefined ? uuidV7() : idOfKey(parts.keys, tenant, idempotencyKey);
  // Past retention the workflow is gone and could be begun again; the record stays.
  const record = idempotencyKey === undefined ? undefined : await recordOf(parts, { tenant, id });
  if (record) return replay(parts, record, opening);

  const born: NewTransaction = { tenant, id, ...opening, createdAt: new Date().toISOString() };
  try {
    await within(parts.connection, deadlines.startMs, () => start(parts, born));
    return { transaction: viewTransaction(newState(born)), replayed: false };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw asProblem(error);
    const memo = await readMemo(parts, { tenant, id });
    if (!memo) throw new Problem('service_unavailable');
    return replay(parts, memo.born, opening);
  }
}

/** What a key began; undefined when that is nothing. Throws idempotency_conflict for other data or another flow. */
export async function openedBefore(
  parts: OpenDependencies,
  tenant: string,
  opening: Opening,
  idempotencyKey: string | undefined,
): Promise<Opened | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const target = { tenant, id: idOfKey(parts.keys, tenant, idempotencyKey) };
  const born = (await recordOf(parts, target)) ?? (await readMemo(parts, target).catch(noneOf))?.born;
  return born && replay(parts, born, opening);
}

function noneOf(error: unknown): undefined {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

const idOfKey = ({ fingerprint: secret }: Keys, tenant: string, idempotencyKey: string): string =>
  uuidFrom(
    createHmac('sha256', secret)
      .update(JSON.stringify([tenant, idempotencyKey]))
      .digest(),
  );

/** A record that cannot be read is none here: Temporal then tells whether the transaction is there. */
const recordOf = ({ reader }: OpenDependencies, target: { tenant: string; id: string }) =>
  reader.state(target).catch(() => undefined);

function replay({ keys }: OpenDependencies, born: NewTransaction, opening: Opening): Opened {
  const print = ({ input }: Pick<Opening, 'input'>) => fingerprint(keys, 'open', born.tenant, canonical(input));
  const { openingFlow = opening.openingFlow } = born;
  if (print(born) !== print(opening) || openingFlow !== opening.openingFlow)
    throw new Problem('idempotency_conflict', { members: { transactionId: born.id } });
  return { transaction: viewTransaction(newState(born)), replayed: true };
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
