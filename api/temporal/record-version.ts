import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { recordVersion, transactionWorkflowId } from '../../workflows/contract';
import { deadlines, withDeadline } from './deadline';
import type { Records } from './records';
import type { Target } from './transactions';

/**
 * How long a read or a rejected command waits for the version of the record. Usually the version is there before the answer of the workflow,
 * because it takes one index look-up. While Postgres does not answer, each read is this much slower.
 */
const versionMs = 100;

/** The version of the record. Undefined if there is no record, or if Postgres does not answer soon: then the workflow alone answers. */
export function findRecordVersion(
  { records }: { records: Pick<Records, 'findVersion'> },
  target: Target,
): Promise<number | undefined> {
  return Promise.race([
    records.findVersion(target).catch(() => undefined),
    pause(versionMs, undefined, { ref: false }),
  ]);
}

/**
 * Tells a workflow the version of its record, so that a workflow that is behind continues from the record. Never rejects: the next read or
 * command tries again.
 */
export async function reportRecordVersion(
  { client }: { client: Client },
  { tenant, id }: Target,
  version: number,
): Promise<void> {
  const handle = client.workflow.getHandle(transactionWorkflowId(tenant, id));
  await withDeadline(client, deadlines.signalMs, () => handle.signal(recordVersion, version)).catch(() => undefined);
}
