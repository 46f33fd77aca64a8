import { Client, Connection } from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';

/** How long Temporal may take to count a started workflow. */
const listedWithinMs = 500;

/** The number of transactions ever created, as Temporal counts them. */
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
