import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a started workflow may take to be counted. */
const listedWithinMs = 500;

/** How many transactions were ever begun, as Temporal counts them. */
export async function countTransactions(address: string): Promise<number> {
  await pause(listedWithinMs);
  const connection = await Connection.connect({ address });
  try {
    const { count } = await new Client({ connection }).workflow.count();
    return count;
  } finally {
    await connection.close();
  }
}
